/* The mechanics of slip at one contact, in the impact's own units (process/impact.h).
 *
 * With gamma = r s, s = (cos theta, sin theta), s_perp = (-s_y, s_x) and ' = d/dp
 *
 *   gamma' = d - mu B s:   r' = f = s.gamma',   r theta' = g = s_perp.gamma'
 *   v_n'   = 1 - mu d.s = a,   v_n'' = -mu (d.s_perp) g/r
 *
 * v_n is monotone between the directions with mu d.s = 1 ("turns"); there are none or two. */
#ifndef CAROM_RIGID_SLIP_H
#define CAROM_RIGID_SLIP_H

#include "math/lanes.h"
#include "math/vec2.h"

typedef struct Slip {
    double mu;
    double B[3]; /* B11, B12, B22 */
    double d[2];
    double b[3];       /* mu B */
    double rate;       /* |b| + |d|, the scale of gamma' */
    int turn_count;    /* 0 or 2 */
    double turn[2][2]; /* directions at which v_n' vanishes */
} Slip;

/* Fill the turns: s = (h, -+k) relative to the direction of d, with h = 1/|mu d|. */
static inline void slip_find_turns(Slip *slip) {
    double square = slip->mu * slip->mu * dot2(slip->d, slip->d);
    slip->turn_count = 0;
    if (!(square > 1)) {
        return;
    }
    double h = 1 / sqrt(square), k = sqrt((1 - h) * (1 + h));
    double along[2] = {slip->mu * slip->d[0] * h, slip->mu * slip->d[1] * h};
    for (int i = 0; i < 2; i++) {
        double side = i ? k : -k;
        slip->turn[i][0] = h * along[0] - side * along[1];
        slip->turn[i][1] = h * along[1] + side * along[0];
    }
    slip->turn_count = 2;
}

/* Fill b, rate and the turns from mu, B and d. */
static inline void slip_complete(Slip *slip) {
    double b0 = slip->mu * slip->B[0], b1 = slip->mu * slip->B[1], b2 = slip->mu * slip->B[2];
    slip->b[0] = b0;
    slip->b[1] = b1;
    slip->b[2] = b2;
    slip->rate = (fabs(slip->d[0]) + fabs(slip->d[1])) + (fabs(b0) + fabs(b1) + fabs(b2));
    slip_find_turns(slip);
}

/* x = B^-1 y by Cramer's rule; det B > 0. */
static inline void slip_solve(const double B[3], const double y[2], double x[2]) {
    double det = B[0] * B[2] - B[1] * B[1];
    Pair out =
        pair_over(pair_make(B[2] * y[0] - B[1] * y[1], B[0] * y[1] - B[1] * y[0]), both(det));
    x[0] = LANE(out, 0);
    x[1] = LANE(out, 1);
}

/* gamma' for slip in direction s. */
static inline void slip_rate(const Slip *slip, const double s[2], double rate[2]) {
    rate[0] = slip->d[0] - slip->b[0] * s[0] - slip->b[1] * s[1];
    rate[1] = slip->d[1] - slip->b[1] * s[0] - slip->b[2] * s[1];
}

/* The rates of slip at two points at once: a Pair costs no more than one number. */
typedef struct Rates {
    Pair s[2], r;
    Pair inverse; /* 1/r, 0 at zero slip */
    Pair f, g, a, da;
    Pair across; /* s_perp.b s_perp */
} Rates;

/* Fill the rates from s and inverse; r is left alone. */
static inline void slip_rates(const Slip *slip, Rates *rates) {
    const double *d = slip->d, *b = slip->b;
    Pair x = rates->s[0], y = rates->s[1];
    Pair along = pair_join(y, both(d[1]), pair_times(x, both(d[0]))),
         aside = pair_minus(pair_times(x, both(d[1])), pair_times(y, both(d[0])));
    Pair rate0 = pair_minus(both(d[0]), pair_join(both(b[1]), y, pair_times(both(b[0]), x))),
         rate1 = pair_minus(both(d[1]), pair_join(both(b[2]), y, pair_times(both(b[1]), x)));
    rates->f = pair_join(y, rate1, pair_times(x, rate0));
    rates->g = pair_minus(pair_times(x, rate1), pair_times(y, rate0));
    rates->a = pair_minus(both(1), pair_times(both(slip->mu), along));
    rates->da =
        pair_times(pair_times(pair_times(both(-slip->mu), aside), rates->g), rates->inverse);
    rates->across = pair_plus(rates->f, pair_minus(both(b[0] + b[2]), along));
}

#endif
