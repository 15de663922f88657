/* See start.h.
 *
 * With v = sum V_k t^k, F = sum F_k t^k: V_(k+1) = W F_k/(k+1), N_(k+1) = -k V_n,k/(k+1). A contact
 * is undecided as long as its V_n are 0; the first that is not says whether it is pressed. If V_t
 * has a lower order than V_n it slips, with a higher one it sticks, with the same one it slips if
 * |V_t| > mu (k/kt) |V_n|. */
#include "support/multiple/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Orders: a contact pressed through n - 1 others starts like t^(2n-1). */
enum { ORDERS = 2 * MULTIPLE_CONTACTS + 28 };

/* Size of W F if it is 0 but for the rounding of W. */
static const Real NOISE = 1e-13L;

/* Without friction the series is exact: this far, in units of the fastest motion. */
static const Real FAR = 0.05L;

typedef struct Start {
    Motion *m;
    int orders;
    Real V[ORDERS][MULTIPLE_ROWS], F[ORDERS][MULTIPLE_ROWS];
    Real size[ORDERS][MULTIPLE_ROWS]; /* of the terms of V */
    int decided[MULTIPLE_CONTACTS];
    int normal_order[MULTIPLE_CONTACTS], tangent_order[MULTIPLE_CONTACTS]; /* of V; -1: none yet */
    Real direction[MULTIPLE_CONTACTS][2];
} Start;

static void decide(Start *start, int i, int order) {
    Motion *m = start->m;
    const Real *V = start->V[order] + 3 * i, *size = start->size[order] + 3 * i;
    Real along = sqrtl(dot2(V, V)), push = m->mu[i] * m->k[i] / m->kt[i] * fabsl(V[2]);
    if (start->tangent_order[i] < 0 && along > NOISE * hypotl(size[0], size[1])) {
        start->tangent_order[i] = order;
        start->direction[i][0] = V[0] / along;
        start->direction[i][1] = V[1] / along;
    }
    if (!(fabsl(V[2]) > NOISE * size[2])) {
        return;
    }
    start->decided[i] = 1;
    start->normal_order[i] = order;
    int earlier = start->tangent_order[i] >= 0 && start->tangent_order[i] < order;
    int same = start->tangent_order[i] == order;
    m->mode[i] = V[2] > 0                            ? MODE_OPEN
                 : m->mu[i] == 0                     ? MODE_NORMAL
                 : earlier || (same && along > push) ? MODE_SLIP
                                                     : MODE_STICK;
}

/* Forces of one order higher than V. */
static void press(Start *start, int i, int order) {
    const Motion *m = start->m;
    const Real *V = start->V[order] + 3 * i, *s = start->direction[i];
    Real *F = start->F[order + 1] + 3 * i;
    if (!start->decided[i] || m->mode[i] == MODE_OPEN) {
        return;
    }
    F[2] = -m->k[i] * V[2] / (order + 1);
    if (m->mode[i] == MODE_STICK) {
        F[0] = -m->kt[i] * V[0] / (order + 1);
        F[1] = -m->kt[i] * V[1] / (order + 1);
    } else if (m->mode[i] == MODE_SLIP) {
        F[0] = -m->mu[i] * F[2] * s[0];
        F[1] = -m->mu[i] * F[2] * s[1];
    }
}

static void accelerate(Start *start, int order) {
    const Motion *m = start->m;
    int rows = 3 * m->n;
    for (int r = 0; r < m->live_count; r++) {
        int i = m->live[r];
        for (int j = 0; j < rows; j++) {
            Real term = m->W[i * rows + j] * start->F[order][j] / (order + 1);
            start->V[order + 1][i] += term;
            start->size[order + 1][i] += fabsl(term);
        }
    }
}

static void series(Start *start) {
    Motion *m = start->m;
    for (int i = 0; i < 3 * m->n; i++) {
        start->V[0][i] = m->y[i];
    }
    for (int i = 0; i < m->n; i++) {
        start->tangent_order[i] = start->normal_order[i] = -1;
        m->mode[i] = MODE_OPEN;
    }
    for (int order = 0; order + 1 < start->orders; order++) {
        for (int i = 0; i < m->n; i++) {
            if (!start->decided[i]) {
                decide(start, i, order);
            }
            press(start, i, order);
        }
        accelerate(start, order);
    }
}

static Real sum(const Start *start, Real (*of)[MULTIPLE_ROWS], int row, Real t) {
    Real value = 0;
    for (int k = start->orders - 1; k >= 0; k--) {
        value = value * t + of[k][row];
    }
    return value;
}

static Real integral(const Start *start, int row, Real t) {
    Real value = 0;
    for (int k = start->orders - 1; k >= 0; k--) {
        value = value * t + start->F[k][row] / (k + 1);
    }
    return value * t;
}

static void evaluate(Start *start, Real t) {
    Motion *m = start->m;
    Real *y = m->y;
    for (int r = 0; r < m->live_count; r++) {
        y[m->live[r]] = sum(start, start->V, m->live[r], t);
    }
    for (int i = 0; i < m->n; i++) {
        Real *tangent = y + at_tangent(m, i), *s = start->direction[i], N;
        if (!mode_acts(m->mode[i])) {
            continue;
        }
        y[at_force(m, i)] = N = sum(start, start->F, 3 * i + 2, t);
        for (int j = 0; j < 3; j++) {
            y[at_impulse(m, i) + j] = integral(start, 3 * i + j, t);
        }
        if (m->mode[i] == MODE_STICK) {
            tangent[0] = sum(start, start->F, 3 * i, t);
            tangent[1] = sum(start, start->F, 3 * i + 1, t);
        } else if (m->mode[i] == MODE_SLIP) {
            memcpy(tangent, s, 2 * sizeof *s);
            Real speed = motion_sliding_speed(m, y, i);
            int power = start->normal_order[i] + 1 + start->tangent_order[i];
            y[at_work(m)] += m->mu[i] * N * speed * t / (power + 1);
        }
    }
    y[at_time(m)] = t;
}

void motion_start(Motion *m, Real rough_time) {
    Start *start = calloc(1, sizeof *start);
    int rough = 0;
    if (start == NULL) {
        return;
    }
    start->m = m;
    start->orders = 2 * m->n + 28;
    series(start);
    for (int i = 0; i < m->n; i++) {
        rough |= m->mu[i] > 0; /* stick may end soon */
    }
    motion_set_clock(m);
    evaluate(start, (rough ? rough_time : FAR) / m->omega);
    free(start);
}
