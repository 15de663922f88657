/* Read, work, write over several threads. */
#include "batch/pipeline.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Pipeline {
    const PipelineSteps *steps;
    void *context;
    int slots;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t change;
    unsigned long long next_read, next_write; /* slots in order, modulo their number */
    bool reading, writing, at_end, failed;
    bool *done; /* of each slot: worked on, not written yet */
} Pipeline;

int pipeline_slots(int threads) {
    return threads == 1 ? 1 : 2 * threads + 1;
}

/* Read the next slot; the lock is held before and after. Returns the slot, -1: none is left. */
static int take_slot(Pipeline *line) {
    unsigned long long most = (unsigned long long)line->slots;
    while (!line->at_end && !line->failed &&
           (line->reading || line->next_read - line->next_write >= most)) {
        pthread_cond_wait(&line->change, &line->lock);
    }
    if (line->at_end || line->failed) {
        return -1;
    }
    int slot = (int)(line->next_read % most);
    line->reading = true;
    pthread_mutex_unlock(&line->lock);
    int result = line->steps->read(line->context, slot);
    pthread_mutex_lock(&line->lock);
    line->reading = false;
    line->next_read += result > 0;
    line->at_end = result == 0;
    line->failed = line->failed || result < 0;
    pthread_cond_broadcast(&line->change);
    return result > 0 ? slot : -1;
}

/* Write all that is next, unless another thread does; the lock is held before and after. */
static void write_slots(Pipeline *line) {
    while (!line->writing && !line->failed) {
        int slot = (int)(line->next_write % (unsigned long long)line->slots);
        if (!line->done[slot]) {
            return;
        }
        line->writing = true;
        pthread_mutex_unlock(&line->lock);
        bool good = line->steps->write(line->context, slot);
        pthread_mutex_lock(&line->lock);
        line->writing = line->done[slot] = false;
        line->next_write++;
        line->failed = line->failed || !good;
        pthread_cond_broadcast(&line->change);
    }
}

static void serve(int part, void *data) {
    Pipeline *line = data;
    int slot;
    (void)part;
    pthread_mutex_lock(&line->lock);
    while ((slot = take_slot(line)) >= 0) {
        pthread_mutex_unlock(&line->lock);
        line->steps->work(line->context, slot);
        pthread_mutex_lock(&line->lock);
        line->done[slot] = true;
        write_slots(line);
    }
    pthread_mutex_unlock(&line->lock);
}

bool pipeline_run(Crew *crew, int threads, const PipelineSteps *steps, void *context) {
    Pipeline line = {.steps = steps, .context = context, .slots = pipeline_slots(threads)};
    line.done = calloc((size_t)line.slots, sizeof *line.done);
    if (!line.done) {
        return false;
    }
    pthread_mutex_init(&line.lock, NULL);
    pthread_cond_init(&line.change, NULL);
    crew_run(crew, threads, serve, &line);
    pthread_cond_destroy(&line.change);
    pthread_mutex_destroy(&line.lock);
    free(line.done);
    return !line.failed;
}
