/* Read, work, write over several threads: one reads at a time, one writes at a time, both in order,
 * and all work in between. A thread does whatever is next, so reading and writing wait for nobody.
 */
#ifndef CAROM_CLI_BATCH_PIPELINE_H
#define CAROM_CLI_BATCH_PIPELINE_H

#include "batch/crew.h"

/* What is done with a slot, which belongs to one thread at a time. */
typedef struct PipelineSteps {
    int (*read)(void *context, int slot); /* 1: it is filled; 0: nothing is left; -1: failed */
    void (*work)(void *context, int slot);
    bool (*write)(void *context, int slot); /* in the order of reading; false: failed */
} PipelineSteps;

/* Slots that keep this number of threads busy. */
int pipeline_slots(int threads);

/* Run until nothing is left. False: a step failed; what was read before may not be written. */
bool pipeline_run(Crew *crew, int threads, const PipelineSteps *steps, void *context);

#endif
