/* Threads that share the parts of a job. */
#include "batch/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct Crew {
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t begin, end;
    CrewWork *work;
    void *context;
    int count, next; /* parts of the job, and the next to do */
    int busy;        /* parts that threads are doing */
    bool leave;
    int thread_count; /* besides the caller's */
    pthread_t threads[];
};

/* Do parts as long as there are any; the lock is held before and after. */
static void do_parts(Crew *crew) {
    while (crew->next < crew->count) {
        int part = crew->next++;
        crew->busy++;
        pthread_mutex_unlock(&crew->lock);
        crew->work(part, crew->context);
        pthread_mutex_lock(&crew->lock);
        crew->busy--;
    }
}

static void *serve(void *data) {
    Crew *crew = data;
    pthread_mutex_lock(&crew->lock);
    while (!crew->leave) {
        do_parts(crew);
        if (crew->busy == 0) {
            pthread_cond_signal(&crew->end);
        }
        pthread_cond_wait(&crew->begin, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

Crew *crew_create(int threads) {
    Crew *crew = calloc(1, sizeof *crew + (size_t)threads * sizeof *crew->threads);
    if (!crew) {
        return NULL;
    }
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begin, NULL);
    pthread_cond_init(&crew->end, NULL);
    /* signals are for the caller's thread */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (crew->thread_count < threads - 1 &&
           pthread_create(&crew->threads[crew->thread_count], NULL, serve, crew) == 0) {
        crew->thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return crew;
}

void crew_free(Crew *crew) {
    if (!crew) {
        return;
    }
    pthread_mutex_lock(&crew->lock);
    crew->leave = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->thread_count; i++) {
        pthread_join(crew->threads[i], NULL);
    }
    pthread_cond_destroy(&crew->end);
    pthread_cond_destroy(&crew->begin);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

void crew_run(Crew *crew, int count, CrewWork *work, void *context) {
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->count = count;
    crew->next = 0;
    pthread_cond_broadcast(&crew->begin);
    do_parts(crew);
    while (crew->busy > 0) {
        pthread_cond_wait(&crew->end, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
}

int crew_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}
