/* Processes that share the rows of a run: those that mpirun started. */
#ifndef CAROM_CLI_BATCH_BATCH_RANKS_H
#define CAROM_CLI_BATCH_BATCH_RANKS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct BatchRanks BatchRanks;

struct BatchRanks {
    int rank, count;

    /* The next part that nobody has yet, counted from 0 on over all processes. */
    unsigned long long (*take)(BatchRanks *ranks);

    /* Is it true in all processes? All must call it; they wait for each other. */
    bool (*agree)(BatchRanks *ranks, bool mine);
    void (*close)(BatchRanks *ranks);
};

/* Was this process started with others? */
bool batch_ranks_started(void);

/* Join them, by the module that has MPI. NULL: see error. */
BatchRanks *batch_ranks_open(Error *error);

/* What the module has, under this name. */
typedef BatchRanks *BatchRanksOpen(Error *error);
BatchRanksOpen carom_ranks_open;

#endif
