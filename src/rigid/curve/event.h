/* Steps in p towards an event, the process close to a point, and a forecast of events.
 *
 * A quantity f(p) with three known derivatives is sought at 0. Far from it a quadratic model gives
 * the next x; once the slip turns by less than 2e-4 and f' changes by less than 1e-4 on the way, a
 * Taylor step of the process of third order is exact to rounding, and needs no series. */
#ifndef CAROM_RIGID_EVENT_H
#define CAROM_RIGID_EVENT_H

#include <math.h>

#include "math/quintic.h"
#include "rigid/curve/span.h"

/* f and its first three derivatives by p. */
typedef struct EventValue {
    double f, first, second, third;
} EventValue;

typedef struct EventStep {
    double dp;
    double newton; /* Newton's dp */
    double bend;   /* relative change of the first derivative on the way */
} EventStep;

/* Largest `bend` of a last step: its fourth power is below rounding. */
#define EVENT_BEND 1e-4

/* The step to the nearest zero: if it is small, with the third derivative; else that of the
 * quadratic model, or Newton's if the model has no zero. */
static inline EventStep event_step(const EventValue *value) {
    double inverse = 1 / value->first;
    double dp = -value->f * inverse, bend = value->second * inverse * dp;
    if (fabs(bend) <= EVENT_BEND) {
        double third = value->third * inverse * (dp * dp);
        return (EventStep){dp * (1 - (bend * (1 - bend) * 0.5 + third * (1.0 / 6))), dp, bend};
    }
    double square = 1 + 2 * bend;
    return (EventStep){square < 0 ? dp : 2 * dp / (1 + sqrt(square)), dp, bend};
}

/* Is the step small enough for the Taylor step of the process? */
static inline int event_is_last(const Slip *slip, const PointPair *at, int i, EventStep step) {
    return fabs(step.dp) * slip->rate <= 2e-4 * LANE(at->rates.r, i) &&
           fabs(step.bend) <= EVENT_BEND;
}

/* x after a step dp, to second order unless that would turn the step back. */
static inline double event_x(const PointPair *at, int i, double dp) {
    double dx = LANE(at->x1, i) * dp, bend = LANE(at->x2, i) * dp * dp / 2;
    return LANE(at->x, i) + (fabs(bend) < 0.5 * fabs(dx) ? dx + bend : dx);
}

/* The process close to two points: a step dp changes J by
 * -mu dp (s (1 - along dp^2) + s_perp dp (aside - bend dp)); dda is the third derivative of v_n. */
typedef struct Nearby {
    Pair along, aside, bend, dda;
} Nearby;

static inline Nearby event_nearby(const Slip *slip, const Rates *rates) {
    const double sixth = 1.0 / 6, *d = slip->d;
    const Pair *s = rates->s;
    /* theta' = g/r, theta'' = -theta' (2 f + across)/r */
    Pair turn = pair_times(rates->g, rates->inverse);
    Nearby near = {
        .along = pair_times(pair_times(turn, turn), both(sixth)),
        .aside = pair_times(turn, both(0.5)),
        .bend = pair_times(pair_times(pair_times(turn, pair_join(both(2), rates->f, rates->across)),
                                      rates->inverse),
                           both(sixth))};
    near.dda = pair_times(
        both(6 * slip->mu),
        pair_join(
            near.bend, pair_minus(pair_times(both(d[1]), s[0]), pair_times(both(d[0]), s[1])),
            pair_times(near.along, pair_join(both(d[1]), s[1], pair_times(both(d[0]), s[0])))));
    return near;
}

/* Move two points by small steps dp. */
static inline void event_taylor(const CurveSpan *span, const Slip *slip, const Nearby *near,
                                Pair dp, PointPair *at) {
    const Rates *rates = &at->rates;
    const Pair *s = rates->s;
    Pair push = pair_times(both(-slip->mu), dp),
         straight =
             pair_times(push, pair_minus(both(1), pair_times(near->along, pair_times(dp, dp))));
    Pair aside =
        pair_times(pair_times(push, dp), pair_minus(near->aside, pair_times(near->bend, dp)));
    at->A = pair_minus(at->A,
                       pair_times(dp, pair_join(dp,
                                                pair_join(dp, pair_times(rates->da, both(1.0 / 6)),
                                                          pair_times(both(0.5), rates->a)),
                                                at->vn)));
    span_state(span, slip, pair_plus(at->p, dp),
               pair_plus(at->J[0], pair_minus(pair_times(straight, s[0]), pair_times(aside, s[1]))),
               pair_plus(at->J[1], pair_join(aside, s[0], pair_times(straight, s[1]))), at);
}

/* ---- forecast: where compression and restitution will end, from the state at both ends ----
 *
 * Here w, a linear function of v_n from 0 to 1, is the clock: p and x are taken for the quintics of
 * w with the right values and first two derivatives at both ends. The energy stored until
 * compression ends is then an integral of p; from there on v_n is taken for a quintic of the root
 * of the energy released. Speed: a forecast of both ends lets them be found at once. */

/* The w with p = (1 + e) p_c, if compression ends at w = c; p_c counts from `before` ahead of p(0).
 */
static inline double poisson_end(const Quintic *p, double before, double e, double c) {
    double first = quintic_value(p, c), target = first + e * (before + first), w = c;
    for (int i = 0; i < 3; i++) {
        w += (target - quintic_value(p, w)) / quintic_slope(p, w);
    }
    return w;
}

/* The w at which E vanishes, if compression ends at w = c; m is dp/dv_n at the far end. */
static inline double energetic_end(const Impact *impact, const PointPair *ends, const Quintic *p,
                                   double m, double c) {
    double v0 = LANE(ends->vn, 0), v1 = LANE(ends->vn, 1), change = v1 - v0, rest = 1 - c,
           e = impact->e;
    double stored = change * quintic_integral(p, c);
    double all = (LANE(ends->A, 0) - LANE(ends->A, 1)) + stored;
    double part = sqrt(e * e * (impact->E + stored) / all);
    /* v_n/v_1 as a function of the root of the released part, to which it is proportional at first
     */
    double run = v1 * rest, by = 1 / (run * quintic_slope(p, c)), square = 2 * all * by;
    double bend = -2.0 / 3 * square * rest * (quintic_half_bend(p, c) * run * by);
    double a = LANE(ends->rates.a, 1), da = LANE(ends->rates.da, 1), fast = 1 / v1;
    double last = 2 * all * a * (fast * fast),
           last_bend = last * (1 - last * (1 - v1 * da * m * m)) / 2;
    const Quintic v = quintic_between(0, sqrt(square), bend, 1, last, last_bend);
    return c + rest * quintic_value(&v, part);
}

/* The approximate x at which compression and then restitution end between two points with rates, on
 * a stretch that starts at p = start. Returns 0 if e is too small. */
static inline int forecast_ends(const Impact *impact, double start, const PointPair *ends,
                                Pair *x) {
    const Rates *rates = &ends->rates;
    double e = impact->e;
    if (e < CURVE_SMALL_E) {
        return 0;
    }
    double change = LANE(ends->vn, 1) - LANE(ends->vn, 0), c = -LANE(ends->vn, 0) / change, r;
    /* dp/dw, half of d2p/dw2, and the same of x */
    Pair m = pair_over(both(1), rates->a), p1 = pair_times(both(change), m),
         p2 = pair_times(pair_times(pair_times(both(-0.5), p1), p1), pair_times(rates->da, m));
    Pair x1 = pair_times(ends->x1, p1),
         x2 = pair_join(ends->x1, p2,
                        pair_times(pair_times(pair_times(both(0.5), ends->x2), p1), p1));
    const Quintic p = quintic_between(
        0, LANE(p1, 0), LANE(p2, 0), LANE(ends->p, 1) - LANE(ends->p, 0), LANE(p1, 1), LANE(p2, 1));
    const Quintic way = quintic_between(LANE(ends->x, 0), LANE(x1, 0), LANE(x2, 0),
                                        LANE(ends->x, 1), LANE(x1, 1), LANE(x2, 1));
    if (impact->law == CAROM_LAW_ENERGETIC) {
        r = energetic_end(impact, ends, &p, LANE(m, 1), c);
    } else if (impact->law == CAROM_LAW_POISSON) {
        r = poisson_end(&p, start + LANE(ends->p, 0), e, c);
    } else {
        r = c + e / change;
    }
    *x = pair_make(quintic_value(&way, c), quintic_value(&way, r));
    return 1;
}

#endif
