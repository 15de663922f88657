/* Threads that share the parts of a job. While there is nothing to do they sleep: a thread that
 * waits actively takes the processor from others on a busy machine. */
#ifndef CAROM_CLI_BATCH_CREW_H
#define CAROM_CLI_BATCH_CREW_H

#include <stdbool.h>

typedef struct Crew Crew;

/* A crew of a number of threads, the caller's among them; the system may give fewer. NULL: out of
 * memory. */
Crew *crew_create(int threads);
void crew_free(Crew *crew);

/* Call work(0) ... work(count - 1), each once, in any order and at the same time; return when all
 * have returned. */
typedef void CrewWork(int part, void *context);
void crew_run(Crew *crew, int count, CrewWork *work, void *context);

/* Processors of the machine, at least 1. */
int crew_processors(void);

#endif
