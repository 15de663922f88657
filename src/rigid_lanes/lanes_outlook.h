/* How far the slip has to go, and the line of spinors for the next stretch.
 *
 * rest is the normal impulse expected to come if v_n' (or v_n'') stays, tau = int dp/r the log-time
 * it takes if r' stays. With t = tan(angle from the slip/2), g (1 + t^2)^2 is a quartic
 * g + c1 t + c2 t^2 + c3 t^3 + c4 t^4; one step of Laguerre's method from t = 0 estimates the
 * invariant directions ahead and behind (docs/theory.md, "Regular"). */
#ifndef CAROM_LANES_OUTLOOK_H
#define CAROM_LANES_OUTLOOK_H

#include "rigid_lanes/slots.h"

#ifdef CAROM_LANES

typedef struct ManyOutlook {
    ManySlip now;
    Many rest; /* INFINITY if unknown */
    Many tau;  /* INFINITY if the slip stops first */
} ManyOutlook;

/* The coefficients of the quartic; ahead and behind as 1/t, times |g|: their sum, and the square of
 * their difference. */
typedef struct ManyGap {
    Many g, c[5];
    Many sum, square;
    Many limit; /* square, or what takes its place if the zeros are complex or both on one side */
} ManyGap;

INLINE Many outlook_rest(const ManyProblem *problem, const ManyState *state, const ManySlip *now) {
    Many vn = state->vn, E = state->E, a = now->a, e = problem->e;
    ManyMask opening = state->opening > 0;
    Many root = many_sqrt(many_most(vn * vn + 2 * a * E, many_all(0)));
    ManyMask steady = (a > 0) & (-now->da * vn < a * a);
    /* otherwise the quadratic model of v_n; NaN if it has no zero */
    Many bent = a + many_sqrt(a * a - 2 * now->da * vn);
    Many above = many_choose(steady, e * root - vn, (1 + e) * -2 * vn),
         below = many_choose(steady, a, bent);
    above = many_choose(opening, 2 * E, above);
    below = many_choose(opening, vn + root, below);
    Many rest = above / below;
    return many_choose(rest > 0, rest, many_all(INFINITY));
}

INLINE void outlook_make(const ManyProblem *problem, const ManyState *state, ManyOutlook *out) {
    slip_now(problem, state, &out->now);
    out->rest = outlook_rest(problem, state, &out->now);
    /* log(1 + x)/f with x = f rest/r, by its continued fraction */
    Many part = out->rest * out->now.inverse, grow = out->now.f * part;
    Many tau = part * (6 + grow) / (6 + 4 * grow);
    out->tau = many_choose((grow > -0.9) & (part < INFINITY), tau, many_all(INFINITY));
}

/* Is the turn of the slip still to come negligible in its effect on the impulse? */
INLINE ManyMask outlook_straight(const ManyProblem *problem, const ManyState *state,
                                 const ManyOutlook *out) {
    Many f = out->now.f, g = many_abs(out->now.g), r = out->now.r;
    return (g <= 4 * 0x1p-52 * problem->rate) | (g * out->rest <= 1e-17 * r) |
           ((f < 0) & (r * g <= 1e-17 * f * f * state->p));
}

INLINE void gap_make(const ManyProblem *problem, const ManySlip *now, ManyGap *gap) {
    const Many *b = problem->b, *d = problem->d, *s = now->s;
    Many e1 = (b[0] - b[2]) * 0.5, e2 = b[1];
    Many cos2 = s[0] * s[0] - s[1] * s[1], sin2 = 2 * s[0] * s[1];
    Many C = e1 * sin2 - e2 * cos2, E = 4 * (e1 * cos2 + e2 * sin2);
    Many aside = s[0] * d[1] - s[1] * d[0], along = 2 * (s[0] * d[0] + s[1] * d[1]);
    /* g = aside + C, written so that next to the first axis its digits stay even where it vanishes:
     * s_1 = +-(1 - s_2^2/(1 + |s_1|)) */
    Many d2 = many_choose(s[0] >= 0, d[1], -d[1]);
    gap->g =
        (d2 - e2) + s[1] * (2 * e1 * s[0] - d[0] + s[1] * (2 * e2 - d2 / (1 + many_abs(s[0]))));
    gap->c[0] = gap->g;
    gap->c[1] = E - along;
    gap->c[2] = -6 * C;
    gap->c[3] = -E - along;
    gap->c[4] = C - aside;
    Many square = 3 * (3 * gap->c[1] * gap->c[1] - 8 * gap->c[2] * gap->g);
    gap->sum = -0.5 * gap->c[1];
    gap->square = many_most(square, many_all(0)) * 0.25;
    gap->limit = many_most(many_most(many_abs(square) * 0.25, 2.25 * gap->sum * gap->sum),
                           0.2 * many_most(now->f * now->f, now->across * now->across));
}

/* Half the length of the next stretch: tanh(w t)/w with t = 1.15 tau/8 and w^2 = square, but at
 * most `longest`/w. *long_way: the limit applies. */
INLINE Many outlook_reach(const ManyOutlook *out, const ManyGap *gap, Many longest,
                          ManyMask *long_way) {
    Many t = 1.15 / 8 * out->tau, w = gap->square * (t * t);
    Many far = t * (15 + w) / (15 + 6 * w), most = longest / many_sqrt(gap->limit);
    ManyMask within = far < most;
    *long_way = ~within;
    return many_choose(within, far, most);
}

#endif

#endif
