/* The sampled process of a scene's impact. */
#ifndef CAROM_CLI_SOLVE_TRACE_H
#define CAROM_CLI_SOLVE_TRACE_H

#include "scene/scene.h"

/* Room for all columns of a trace, for carom_trace(). trace_free() it in any case. False: out of
 * memory. */
bool trace_create(const Scene *scene, int samples, CaromTrace *trace);

void trace_free(CaromTrace *trace);

#endif
