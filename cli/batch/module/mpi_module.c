/* The module for processes that mpirun started: a counter of parts in the first of them.
 *
 * A thread of the first process answers the others. It looks for requests every fifth of a
 * millisecond: MPI's own waiting would take a processor. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "batch/batch_ranks.h"

enum { TAG_ASK = 1, TAG_ANSWER = 2 };

typedef struct Ranks {
    BatchRanks base;
    MPI_Comm group;       /* of the counter's messages and of agreement */
    pthread_mutex_t lock; /* of what is below */
    unsigned long long next;
    bool leave;
    bool serving;
    pthread_t server;
} Ranks;

static unsigned long long count_up(Ranks *ranks) {
    pthread_mutex_lock(&ranks->lock);
    unsigned long long part = ranks->next++;
    pthread_mutex_unlock(&ranks->lock);
    return part;
}

static bool leaves(Ranks *ranks) {
    pthread_mutex_lock(&ranks->lock);
    bool leave = ranks->leave;
    pthread_mutex_unlock(&ranks->lock);
    return leave;
}

/* Answer all requests that are there. */
static void answer(Ranks *ranks) {
    int found = 1;
    while (found) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, ranks->group, &found, &status);
        if (found) {
            MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, ranks->group,
                     MPI_STATUS_IGNORE);
            unsigned long long part = count_up(ranks);
            MPI_Send(&part, 1, MPI_UNSIGNED_LONG_LONG, status.MPI_SOURCE, TAG_ANSWER, ranks->group);
        }
    }
}

static void *serve(void *data) {
    const struct timespec nap = {.tv_nsec = 200000};
    while (!leaves(data)) {
        answer(data);
        nanosleep(&nap, NULL);
    }
    return NULL;
}

static unsigned long long take_part(BatchRanks *base) {
    Ranks *ranks = (Ranks *)base;
    const struct timespec nap = {.tv_nsec = 50000};
    unsigned long long part;
    if (base->rank == 0) {
        return count_up(ranks);
    }
    MPI_Request request;
    int done = 0;
    MPI_Irecv(&part, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG_ANSWER, ranks->group, &request);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, ranks->group);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) {
            return part;
        }
        nanosleep(&nap, NULL);
    }
}

/* As MPI_Allreduce(), but a process that waits sleeps. */
static bool agree(BatchRanks *base, bool mine) {
    const Ranks *ranks = (const Ranks *)base;
    const struct timespec nap = {.tv_nsec = 1000000};
    int given = mine, all = 0, done = 0;
    MPI_Request request;
    MPI_Iallreduce(&given, &all, 1, MPI_INT, MPI_LAND, ranks->group, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) {
            return all != 0;
        }
        nanosleep(&nap, NULL);
    }
}

static void close_ranks(BatchRanks *base) {
    Ranks *ranks = (Ranks *)base;
    if (ranks->serving) {
        pthread_mutex_lock(&ranks->lock);
        ranks->leave = true;
        pthread_mutex_unlock(&ranks->lock);
        pthread_join(ranks->server, NULL);
    }
    pthread_mutex_destroy(&ranks->lock);
    MPI_Comm_free(&ranks->group);
    MPI_Finalize();
    free(ranks);
}

BatchRanks *carom_ranks_open(Error *error) {
    int level = 0;
    Ranks *ranks = calloc(1, sizeof *ranks);
    if (!ranks) {
        error_set(error, "out of memory");
        return NULL;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_MULTIPLE) {
        error_set(error, "this MPI does not serve several threads");
        free(ranks);
        return NULL;
    }
    ranks->base = (BatchRanks){.take = take_part, .agree = agree, .close = close_ranks};
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks->group);
    MPI_Comm_rank(ranks->group, &ranks->base.rank);
    MPI_Comm_size(ranks->group, &ranks->base.count);
    pthread_mutex_init(&ranks->lock, NULL);
    if (ranks->base.rank == 0 && ranks->base.count > 1) {
        ranks->serving = pthread_create(&ranks->server, NULL, serve, ranks) == 0;
        if (!ranks->serving) {
            error_set(error, "no thread can be started");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    return &ranks->base;
}
