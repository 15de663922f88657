/* The part that all kinds of curve share: start, end, last point; and points on a curve.
 *
 * On a stretch the state is a function of the curve's parameter x:
 *   p, J    impulses since its start
 *   A       normal work since its start, -int v_n dp
 *   F       int r dp; friction takes mu F. The work of all forces is I.(v- + v)/2 = -A - mu F
 *   gamma, v_n   from p and J by W
 *
 * Speed: two points are computed at once (PointPair), because a Pair costs no more than one number;
 * and points are filled field by field, because a copied struct waits until it has been stored. */
#ifndef CAROM_RIGID_SPAN_H
#define CAROM_RIGID_SPAN_H

#include "math/functions.h"
#include "rigid/process/impact.h"

/* Largest relative disagreement in the checks of a curve at its end. */
#define CURVE_AGREES 2e-14

/* Below this e, E in restitution (e^2 of its peak) is expanded anew from the end of compression:
 * as a difference of sums the size of the peak it would lose a factor 1/e of accuracy. */
#define CURVE_SMALL_E 0.1

/* A deferred division. Speed: chains of divisions wait for each other; a fraction is divided once,
 * or compared without any division. */
typedef struct Fraction {
    double above, below;
} Fraction;

/* tanh(w x)/w with w^2 = square, from its continued fraction, to some per cent up to w x = 3. */
static inline Fraction fraction_tanh(Fraction x, double square) {
    double t = square * (x.above * x.above), u = 15 * (x.below * x.below);
    return (Fraction){x.above * (u + t), x.below * (u + 6 * t)};
}

/* The slip at the end of a curve: another stretch follows, zero slip, straight to rounding. */
typedef enum CurveEnding { CURVE_GOES_ON, CURVE_STOPS, CURVE_STRAIGHT } CurveEnding;

typedef struct CurvePoint {
    double x;
    double p, J[2], A, friction; /* friction: mu F */
    double gamma[2], vn;
    double y, z, s[2];    /* arguments of the series; direction of slip */
    double inverse;       /* 1/|gamma|, 0 at zero slip */
    double a, da, x1, x2; /* v_n', v_n'', dx/dp, d2x/dp2; only where point_set_rates() was called */
} CurvePoint;

typedef struct PointPair {
    Pair x;
    Pair p, J[2], A;
    Pair gamma[2], vn;
    Pair y, z;
    Rates rates;
    Pair x1, x2;
} PointPair;

typedef struct CurveSpan {
    ImpactState start;
    double begin, end; /* first and last x */
    double y, z;       /* at the beginning */
    CurvePoint last;   /* without rates */
    CurveEnding ending;
    double mismatch; /* largest disagreement in the checks at the end */
} CurveSpan;

/* The defaults of a curve that starts at z = x. */
static inline void span_begin(CurveSpan *span, const ImpactState *start, double x) {
    span->start = *start;
    span->begin = span->z = x;
    span->y = 1;
    span->ending = CURVE_GOES_ON;
}

/* Fill p, J, gamma, vn of two points. */
static inline void span_state(const CurveSpan *span, const Slip *slip, Pair p, Pair jx, Pair jy,
                              PointPair *at) {
    const ImpactState *start = &span->start;
    const double *B = slip->B, *d = slip->d;
    at->p = p;
    at->J[0] = jx;
    at->J[1] = jy;
    at->gamma[0] =
        pair_plus(both(start->gamma[0]),
                  pair_join(both(d[0]), p, pair_join(both(B[1]), jy, pair_times(both(B[0]), jx))));
    at->gamma[1] =
        pair_plus(both(start->gamma[1]),
                  pair_join(both(d[1]), p, pair_join(both(B[2]), jy, pair_times(both(B[1]), jx))));
    at->vn = pair_plus(both(start->vn),
                       pair_plus(p, pair_join(both(d[1]), jy, pair_times(both(d[0]), jx))));
}

/* The work of all forces since the start, -A - mu F. */
static inline Pair span_work(const CurveSpan *span, const PointPair *at) {
    const ImpactState *start = &span->start;
    return pair_times(
        both(0.5),
        pair_join(at->p, pair_plus(both(start->vn), at->vn),
                  pair_join(at->J[1], pair_plus(both(start->gamma[1]), at->gamma[1]),
                            pair_times(at->J[0], pair_plus(both(start->gamma[0]), at->gamma[0])))));
}

/* Take one of two points, without rates. */
static inline void span_point(const CurveSpan *span, const PointPair *at, int i,
                              CurvePoint *point) {
    Pair friction = pair_negate(pair_plus(span_work(span, at), at->A));
    point->x = LANE(at->x, i);
    point->p = LANE(at->p, i);
    point->J[0] = LANE(at->J[0], i);
    point->J[1] = LANE(at->J[1], i);
    point->A = LANE(at->A, i);
    point->friction = LANE(friction, i);
    point->gamma[0] = LANE(at->gamma[0], i);
    point->gamma[1] = LANE(at->gamma[1], i);
    point->vn = LANE(at->vn, i);
    point->y = LANE(at->y, i);
    point->z = LANE(at->z, i);
    point->s[0] = LANE(at->rates.s[0], i);
    point->s[1] = LANE(at->rates.s[1], i);
    point->inverse = LANE(at->rates.inverse, i);
}

/* Add the rates. */
static inline void point_set_rates(const PointPair *at, int i, CurvePoint *point) {
    point->a = LANE(at->rates.a, i);
    point->da = LANE(at->rates.da, i);
    point->x1 = LANE(at->x1, i);
    point->x2 = LANE(at->x2, i);
}

/* The state at a point. */
static inline void span_set_state(const CurveSpan *span, double p, double jx, double jy, double gx,
                                  double gy, double vn, ImpactState *state) {
    const ImpactState *start = &span->start;
    state->p = start->p + p;
    state->J[0] = start->J[0] + jx;
    state->J[1] = start->J[1] + jy;
    state->gamma[0] = gx;
    state->gamma[1] = gy;
    state->vn = vn;
}

/* First check of a curve: the relative disagreement of gamma at its end, known from p and J, with
 * speed r in the direction there. */
static inline Fraction span_mismatch(const CurveSpan *span, const Slip *slip, double r) {
    const CurvePoint *last = &span->last;
    const ImpactState *start = &span->start;
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    return (Fraction){fabs(last->gamma[0] - r * last->s[0]) + fabs(last->gamma[1] - r * last->s[1]),
                      size};
}

#endif
