/* The outcomes of one treatment of the contacts. */
#include "outcomes/outcome_set.h"

#include <math.h>
#include <stdlib.h>

bool outcome_set_create(int size, int room, OutcomeSet *set) {
    *set = (OutcomeSet){.size = size,
                        .room = room,
                        .values = calloc((size_t)size * (size_t)room + 1, sizeof *set->values),
                        .low = calloc((size_t)size + 1, sizeof *set->low),
                        .high = calloc((size_t)size + 1, sizeof *set->high)};
    if (!set->values || !set->low || !set->high) {
        return false;
    }
    outcome_set_clear(set);
    return true;
}

void outcome_set_free(OutcomeSet *set) {
    free(set->values);
    free(set->low);
    free(set->high);
    *set = (OutcomeSet){0};
}

void outcome_set_clear(OutcomeSet *set) {
    set->count = set->unsolved = 0;
    set->status = CAROM_OK;
    set->message = "";
    for (int i = 0; i < set->size; i++) {
        set->low[i] = INFINITY;
        set->high[i] = -INFINITY;
    }
}

double *outcome_set_next(OutcomeSet *set) {
    return &set->values[(size_t)set->count * (size_t)set->size];
}

void outcome_set_add(OutcomeSet *set) {
    const double *values = outcome_set_next(set);
    for (int i = 0; i < set->size; i++) {
        set->low[i] = fmin(set->low[i], values[i]);
        set->high[i] = fmax(set->high[i], values[i]);
    }
    set->count++;
}

void outcome_set_fail(OutcomeSet *set, CaromStatus status, const char *message) {
    if (set->unsolved++ == 0) {
        set->status = status;
        set->message = message;
    }
}

static bool is_same(const OutcomeSet *set, int a, int b, const double *tolerance) {
    const double *x = &set->values[(size_t)a * (size_t)set->size];
    const double *y = &set->values[(size_t)b * (size_t)set->size];
    for (int i = 0; i < set->size; i++) {
        if (fabs(x[i] - y[i]) > tolerance[i]) {
            return false;
        }
    }
    return true;
}

void outcome_set_compare(OutcomeSet *set, const double *tolerance) {
    set->different = 0;
    for (int i = 0; i < set->count; i++) {
        int other = 0;
        while (other < i && !is_same(set, i, other, tolerance)) {
            other++;
        }
        set->different += other == i;
    }
}
