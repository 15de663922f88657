/* A part of the work: run I of N, from the command line or from what started the processes. */
#ifndef CAROM_CLI_BATCH_SHARD_H
#define CAROM_CLI_BATCH_SHARD_H

#include <stdbool.h>

typedef struct Shard {
    int index, count; /* 0 <= index < count */
    bool automatic;   /* from the environment: processes work apart from each other */
} Shard;

/* Read --shard I/N, 1 <= I <= N, or "auto": the rank and number of processes of mpirun (Open MPI,
 * MPICH) or srun, or the task of a Slurm array. Returns 0, or the exit status after usage_fail().
 */
int shard_read(const char *command, const char *text, void *shard);

#endif
