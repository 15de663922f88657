/* Jumps of the outcome near the input. Each end of compression takes a share 1 - e^2 of what the
 * spring holds, so the outcome jumps where one more comes or goes: where v_n, at an extreme, just
 * reaches 0 while the contact presses. The size of this extreme, relative to the largest v_n of
 * the contact, is about how far away in the input that is. Late bounces have small extremes but
 * little energy; a jump that is smaller than its distance is none.
 *
 * A contact that touches and is left before the load reaches it is another case. An impact of its
 * own there, however weak, makes its spring stiffer for the load that comes (k/e^2; held, if
 * e = 0), so the outcome jumps where its speed of approach passes 0. So does a contact that the
 * load reaches late: where v_n of the load is less than that of the approach when compression of
 * its own impact ends. Far along a row v_n grows like a high power of the time. */
#ifndef CAROM_MULTIPLE_GRAZE_H
#define CAROM_MULTIPLE_GRAZE_H

#include "multiple/network.h"

/* A speed that stays above this is far from a jump, and jumps of less energy do not count. */
static const double GRAZE_NEAR = 0.01, GRAZE_LEAST = 3e-4;

/* N^2/k of a link at the start of a piece in which an end of compression may take that much;
 * INFINITY: it takes nothing. */
static inline double graze_least(const Material *material) {
    return GRAZE_LEAST / (4 * (1 - material->e * material->e));
}

/* Has the speed of link i an extreme over the piece, up to x? */
int crm_graze_may(Network *network, int i, const double speed[TERMS], double x);

/* Look at that extreme; force: of the link. */
void crm_graze_at(Network *network, int i, const double speed[TERMS], const double force[TERMS],
                  double x);

/* Links that touch at rest, as the impact begins: which does the load reach late? */
void crm_graze_begin(Network *network);

/* Compression of link i ends now: with a speed of its own that is small? */
void crm_graze_ends(Network *network, int i);

/* Link i touched, and is left without having acted. */
void crm_graze_left(Network *network, int i);

/* The links that touched early, once all impulses are known. */
void crm_graze_finish(Network *network);

/* Look at all links of a piece whose events are known. */
void crm_graze(Network *network);

#endif
