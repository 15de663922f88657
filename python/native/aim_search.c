/* Aim at an outcome that a Python function has, by libcarom-fit. */
#include "rows.h"

#ifdef CAROM_HAS_FIT
#include <string.h>

#include <carom/aim.h>

_Static_assert(AIM_FREE == CAROM_AIM_FREE_MAX && AIM_MISSES == CAROM_AIM_MISSES_MAX &&
                   AIM_SEQUENCE == CAROM_AIM_SEQUENCE_SIZE,
               "room of the package");

enum { SOLUTIONS_MAX = 256 };

/* Defined by cffi: call the Python functions that the context stands for. */
int python_outcome(void *context, const double *values, double *misses, char *sequence);
int python_slopes(void *context, const double *values, double *slopes);

static CaromStatus call_outcome(void *context, const double *values, double *misses,
                                char sequence[CAROM_AIM_SEQUENCE_SIZE]) {
    return (CaromStatus)python_outcome(context, values, misses, sequence);
}

static CaromStatus call_slopes(void *context, const double *values, double *slopes) {
    return (CaromStatus)python_slopes(context, values, slopes);
}

static void write_solution(const CaromAimSolution *from, int free_count, int at, AimOut *out) {
    memcpy(&out->values[at * free_count], from->values, (size_t)free_count * sizeof(double));
    for (int k = 0; k < free_count; k++) {
        out->bound[at * free_count + k] = from->bound[k];
    }
    out->residual[at] = from->residual;
    out->family[at] = from->family;
    memcpy(&out->sequence[at * AIM_SEQUENCE], from->sequence, AIM_SEQUENCE);
}

int aim_function(void *context, int free_count, const double *low, const double *high,
                 const double *given, int miss_count, int starts, int slopes, int capacity,
                 AimOut *out, const char **message) {
    CaromAimSolution solutions[SOLUTIONS_MAX], closest;
    const CaromAim aim = {.free_count = free_count,
                          .low = low,
                          .high = high,
                          .given = given,
                          .miss_count = miss_count,
                          .outcome = call_outcome,
                          .slopes = slopes ? call_slopes : NULL,
                          .context = context,
                          .starts = starts};
    int room = capacity < SOLUTIONS_MAX ? capacity : SOLUTIONS_MAX, found = 0;
    CaromStatus status = carom_aim(&aim, solutions, room, &found, &closest, message);
    out->found = status < 0 ? 0 : found;
    for (int i = 0; i < out->found; i++) {
        write_solution(&solutions[i], free_count, i, out);
    }
    if (status >= 0) {
        write_solution(&closest, free_count, capacity, out);
    }
    return status;
}

#endif
