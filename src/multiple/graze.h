/* Jumps of the outcome near the input. Each end of compression takes a share 1 - e^2 of what the
 * spring holds, so the outcome jumps where one more comes or goes: where v_n, at an extreme, just
 * reaches 0 while the contact presses. The size of this extreme, relative to the largest v_n of
 * the contact, is about how far away in the input that is. Late bounces have small extremes but
 * little energy; a jump that is smaller than its distance is none. */
#ifndef CAROM_MULTIPLE_GRAZE_H
#define CAROM_MULTIPLE_GRAZE_H

#include "multiple/network.h"

/* The speed of a link in a piece: its values and rates at both ends, and the time between. */
typedef struct GrazeSpeed {
    double start, end, rate, rate_end, time;
} GrazeSpeed;

/* May it have an extreme near 0? E: the normal energy, of which an end of compression takes its
 * share. */
static inline int may_graze(const Material *material, Link *link, double E,
                            const GrazeSpeed *speed) {
    link->fastest = fmax(link->fastest, fmax(fabs(speed->start), fabs(speed->end)));
    if (speed->rate * speed->rate_end >= 0) {
        return 0;
    }
    double x = speed->rate / (speed->rate - speed->rate_end);
    double extreme = fabs(speed->start + speed->rate * speed->time * x / 2);
    return extreme < 20 * (1 - material->e * material->e) * E * link->fastest ||
           extreme > link->fastest;
}

/* The speed of link i over the piece, up to x. */
void crm_graze_at(Network *network, int i, const double series[TERMS], double x, double E);

/* Look at all links, in the piece that has just been passed. */
void crm_graze(Network *network);

#endif
