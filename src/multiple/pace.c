/* The clock of a piece: even, or one that stretches the end of a slip.
 *
 * Close to N = 0 the direction of slip contains the power q = |V|/rho' of the time that is left. If
 * that time goes like (1 - x/PACE_ROOT)^PACE_ROOT instead of 1 - x the power is PACE_ROOT q, so
 * smooth that the series hold almost to the end. With dt = unit pace(x) dx, velocities and forces
 * times the pace take the place of velocities and forces wherever something is integrated. */
#include <math.h>

#include "math/vec2.h"
#include "multiple/terms.h"

_Static_assert(PACE_ROOT == 3, "the pace has three terms");

/* What is left of a slip, in units of the fastest swing, below which its end is stretched, and how
 * far a piece goes towards it. */
static const double PACE_CLOSING = 0.5, CLOSED = 0.9;

void crm_pace_even(Network *network) {
    network->closing = 0;
    network->terms_travel = network->terms_v;
    network->terms_push = network->terms_f;
}

/* The time that is left of slip at this link if v_n' stays as it is; INFINITY: its end is none that
 * turns the direction fast. */
static double slip_left(const Network *network, const Link *link) {
    int n = normal_row(network, link);
    double vn = network->v[n], rise = 0;
    if (!link->rough || link->phase != LINK_RESTITUTION || link->mode != CAROM_MODE_SLIP ||
        link->frozen || vn <= 0) {
        return INFINITY;
    }
    for (const Link *other = network->links; other < network->links + network->count; other++) {
        const double *W = &network->W[(size_t)n * (size_t)network->size];
        int t = other->row;
        if (is_sprung(other)) {
            rise += W[normal_row(network, other)] * other->N - W[t] * other->f[0] -
                    W[t + 1] * other->f[1];
        }
    }
    if (link->kt * norm2(&network->v[n - 2]) > link->mu * link->k * vn) {
        return INFINITY; /* q > 1: smooth enough */
    }
    double square = vn * vn + 2 * rise * link->N / link->k;
    return square > 0 ? 2 * link->N / (link->k * (vn + sqrt(square))) : INFINITY;
}

void crm_pace_choose(Network *network) {
    double left = INFINITY;
    int rigid = 0;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        double time = network->rows > 2 && !network->mono ? slip_left(network, link) : INFINITY;
        left = time < left ? time : left;
        rigid |= link->rigid;
    }
    network->closing = left < PACE_CLOSING * network->unit && !rigid;
    if (network->closing) {
        network->terms_travel = network->paced_v;
        network->terms_push = network->paced_f;
        network->unit = left;
        network->pace[0] = 1;
        for (int j = 1; j < PACE_ROOT; j++) {
            network->pace[j] = -network->pace[j - 1] * (PACE_ROOT - j) / (j * (double)PACE_ROOT);
        }
    }
}

double crm_pace_reach(const Network *network) {
    return network->closing ? CLOSED * PACE_ROOT : INFINITY;
}

/* Order g times the pace. */
void crm_pace_apply(const Network *network, const double *terms, int g, double *paced) {
    int half = network->stride / 2;
    const Pair *from = (const Pair *)terms + g * half;
    Pair *to = (Pair *)paced + g * half;
    /* the terms of the two orders before, if there are any */
    const Pair *one = g > 0 ? from - half : from, *two = g > 1 ? from - 2 * half : from;
    double a = g > 0 ? network->pace[1] : 0, b = g > 1 ? network->pace[2] : 0;
    for (int i = 0; i < half; i++) {
        to[i] = from[i] + both(a) * one[i] + both(b) * two[i];
    }
}

double crm_pace_at(const Network *network, double x) {
    double sum = 0, y = network->scale[1] * x;
    for (int j = PACE_ROOT - 1; j >= 0; j--) {
        sum = sum * y + network->pace[j];
    }
    return network->closing ? sum : 1;
}
