/* The sampled process of a scene's impact. */
#include "solve/trace.h"

#include <stdlib.h>

/* One block of numbers: the clock, and for each contact I, v, two energies and the spring. */
bool trace_create(const Scene *scene, int samples, CaromTrace *trace) {
    size_t count = (size_t)samples, all = count * (size_t)scene->contact_count;
    size_t vectors = (size_t)scene_rows(scene) * all;
    double *block = malloc((count + 4 * vectors) * sizeof *block);
    *trace = (CaromTrace){.clock = block, .mode = malloc(all * sizeof *trace->mode)};
    if (!block || !trace->mode) {
        return false;
    }
    trace->capacity = samples;
    trace->impulse = block + count;
    trace->velocity = trace->impulse + vectors;
    trace->stored = trace->velocity + vectors;
    trace->tangential = trace->stored + all;
    trace->spring = trace->tangential + all;
    trace->spring_rate = trace->spring + (vectors - all);
    return true;
}

void trace_free(CaromTrace *trace) {
    free(trace->clock);
    free(trace->mode);
}
