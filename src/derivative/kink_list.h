/* Kinks of several contacts: their distance, and their order. */
#ifndef CAROM_DERIVATIVE_KINK_LIST_H
#define CAROM_DERIVATIVE_KINK_LIST_H

#include <carom/derivative.h>

#include "contact/check.h"
#include "math/functions.h"

/* The value of input j. */
static inline double kink_input(const CaromProblem *problem, const CaromInputs *inputs, int j) {
    int m = inputs->rows;
    if (j >= inputs->contact) {
        const CaromContact *contact =
            &problem->contacts[(j - inputs->contact) / CAROM_COEFFICIENT_COUNT];
        const double values[CAROM_COEFFICIENT_COUNT] = {contact->mu, 0, contact->e,
                                                        contact_stiffness(contact),
                                                        contact_stiffness_ratio(contact)};
        return values[(j - inputs->contact) % CAROM_COEFFICIENT_COUNT];
    }
    if (j >= inputs->v) {
        return problem->velocity[j - inputs->v];
    }
    int row = 0;
    while (j >= m - row) {
        j -= m - row++;
    }
    return problem->inverse_inertia[row * m + row + j];
}

/* How far it is to phi = 0: the smallest change of one input, relative. What has no derivative does
 * not count. */
static inline double kink_distance(const CaromProblem *problem, const CaromInputs *inputs,
                                   double phi, const double *gradient) {
    double reach = 0;
    for (int j = 0; j < inputs->count; j++) {
        double change = gradient[j] == 0 ? 0 : gradient[j] * kink_input(problem, inputs, j);
        reach = isfinite(change) ? fmax(reach, fabs(change)) : reach;
    }
    return phi == 0 ? 0 : reach > 0 ? fabs(phi) / reach : INFINITY;
}

/* Add a kink in order of distance. */
static inline void kink_insert(CaromDerivative *derivative, CaromKink kink) {
    int count = derivative->kink_count++, room = derivative->kink_capacity;
    int at = count < room ? count : room - 1;
    if (room < 1 || !derivative->kinks ||
        (count >= room && derivative->kinks[at].distance <= kink.distance)) {
        return;
    }
    for (; at > 0 && derivative->kinks[at - 1].distance > kink.distance; at--) {
        derivative->kinks[at] = derivative->kinks[at - 1];
    }
    derivative->kinks[at] = kink;
}

#endif
