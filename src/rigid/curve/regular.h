/* Regular curve: the expansion about the middle of a stretch, z = x from -1 to 1.
 *
 *   U = sum_n u_n x^n,   N_j = x^(j+1) sum_n u_n x^n/(n + j + 1),   F = x f(x)
 *
 * (moments.h), each counted from the middle. Where mu F is large beside A, so that A would be a
 * small difference, the stretch has a series of A's own: A = -v_n p - x a(x) + const with v_n in
 * the middle. */
#ifndef CAROM_RIGID_REGULAR_H
#define CAROM_RIGID_REGULAR_H

#include "math/functions.h"
#include "rigid/curve/moments.h"
#include "rigid/curve/sector.h"

typedef struct RegularCurve {
    CurveSpan span;
    MomentSeries moments;
    int has_own_work;
    double vn, a; /* if so: v_n in the middle, and the rest of A at the start */
} RegularCurve;

/* The points at x, with direction and speed of slip. */
static inline void regular_at(const RegularCurve *curve, const Slip *slip, Pair x, PointPair *at) {
    const MomentSeries *moments = &curve->moments;
    Pair sum[4], xx = pair_times(x, x);
    four_series_at(&moments->series, x, sum);
    at->x = at->z = x;
    at->y = both(1);
    const Pair N[3] = {pair_times(x, sum[0]), pair_times(xx, sum[1]),
                       pair_times(pair_times(x, xx), sum[2])};
    moments_state(moments, &curve->span, slip, N, at);
    if (curve->has_own_work) {
        at->A = pair_minus(pair_minus(both(curve->a), pair_times(x, sum[3])),
                           pair_times(both(curve->vn), at->p));
    } else {
        moments_work(moments, &curve->span, slip, pair_times(x, sum[3]), at);
    }
}

/* dx/dp and its derivative: theta' = g/r, dtheta/dx = k/D, dg/dtheta = -f - across. */
static inline void regular_pace(const RegularCurve *curve, PointPair *at) {
    const Rates *rates = &at->rates;
    Pair slope, size = moments_size(&curve->moments, at->z, &slope);
    Pair pace =
        pair_times(pair_times(both(curve->moments.spinor.inverse_k), rates->inverse), rates->g);
    at->x1 = pair_times(size, pace);
    at->x2 = pair_times(at->x1, pair_minus(pair_times(pace, slope),
                                           pair_times(rates->inverse, pair_join(both(2), rates->f,
                                                                                rates->across))));
}

/* A has its own series where mu F is this many times as large. */
static const double LARGE_F = 2;
/* F, which is then not needed, must still agree with A to this part. */
static const double SAME_WORK = 1e-12;

/* The recurrence about a regular point, G_0 != 0. */
static void begin_regular(const Spinor *s, Recurrence *next) {
    double inverse = 1 / s->G[0];
    for (int j = 0; j < 4; j++) {
        next->g[j] = both(s->G[j + 1] * inverse);
        next->a[j] = pair_times(pair_make(1, 2), both(s->N[j] * inverse));
    }
}

/* Make the terms. Returns the last one of Y and Z2. */
static Pair regular_series(const Filter *filter, Recurrence next, MomentSeries *moments,
                           SeriesSums *sums) {
    RecurrenceTerms terms;
    int n = 0, more = 1;
    recurrence_clear(&terms, sums);
    recurrence_first(&next, terms.w);
    for (;;) {
        const double *by = RECIPROCAL + n + 1;
        Quad by0 = quad_load(by);
        const Quad factors[4] = {by0, quad_load(by + 1), quad_load(by + 2), by0};
        Quad f = recurrence_integrate(filter, &terms, factors, n, moments, sums);
        n += 4;
        if (n == CURVE_TERMS || (!more && recurrence_is_small(filter, f))) {
            break;
        }
        recurrence_next(&next, 4, n, terms.w);
        more = !recurrence_is_below(terms.w, RECURRENCE_CUT);
    }
    recurrence_sum(moments, n, &terms, sums);
    return terms.w[0];
}

/* Zeros before the first term of dp/dx: the loop below reads up to three of them. */
enum { PADDING = 4 };

/* Terms n to n + 3 of v_n dp/dx. */
static inline Quad work_terms(const double *v, const double *p, int n) {
    Quad even = quad_all(0), odd = even;
    for (int i = 0; i < n + 4; i += 2) {
        even = quad_join(quad_all(v[i]), quad_load(p + n - i), even);
        odd = quad_join(quad_all(v[i + 1]), quad_load(p + n - i - 1), odd);
    }
    return quad_plus(even, odd);
}

/* Replace the series of F by that of A = -int v_n dp. The stretch ends at p = end; returns A there.
 * v_n and dp/dx follow from the terms of U; their product takes as many multiplications as there
 * are pairs of terms, but nothing cancels, however fast the slip. */
static double expand_own_work(const Slip *slip, double end, RegularCurve *curve) {
    MomentSeries *moments = &curve->moments;
    const double *origin = moments->origin, *d = slip->d;
    int terms = moments->series.terms;
    double v[CURVE_TERMS + 1], padded[PADDING + CURVE_TERMS], *p = padded + PADDING;
    Quad P[3], V[3], last = quad_all(0), sum = last;
    for (int i = 0; i < 3; i++) {
        const double *map = moments->map[i];
        P[i] = quad_all(map[0]);
        V[i] = quad_all(map[0] + (d[0] * map[1] + d[1] * map[2]));
    }
    /* v_n at x = 0 is kept apart */
    curve->vn = curve->span.start.vn - (origin[0] + (d[0] * origin[1] + d[1] * origin[2]));
    v[0] = 0;
    quad_store(padded, quad_all(0));
    for (int n = 0; n < terms; n += 4) {
        Quad u = quad_load(moments->u + n), u2 = quad_two_back(last, u), u1 = quad_one_back(u2, u);
        Quad speed = quad_join(V[0], u, quad_join(V[1], u1, quad_times(V[2], u2)));
        quad_store(v + n + 1, quad_times(speed, quad_load(RECIPROCAL + n + 1)));
        quad_store(p + n, quad_join(P[0], u, quad_join(P[1], u1, quad_times(P[2], u2))));
        last = u;
    }
    for (int n = 0; n < terms; n += 4) {
        Quad c = quad_times(work_terms(v, p, n), quad_load(RECIPROCAL + n + 1));
        quad_store(moments->series.c[3] + n, c);
        sum = quad_plus(sum, c);
    }
    Pair half = quad_halves(sum);
    curve->a = LANE(half, 1) - LANE(half, 0);
    return -2 * LANE(half, 0) - curve->vn * end;
}

/* Fill the last point, and choose where A comes from. Returns 0 if A and F disagree. */
static int set_last(const Slip *slip, Quad to, Quad P, double over, double friction,
                    RegularCurve *curve) {
    CurveSpan *span = &curve->span;
    PointPair last;
    moments_last(span, slip, to, P, over, 1, &last);
    double p = LANE(last.p, 0), size = p * (fabs(span->start.vn) + fabs(LANE(last.vn, 0)));
    curve->has_own_work = friction > LARGE_F * size;
    last.A = curve->has_own_work ? both(expand_own_work(slip, p, curve))
                                 : pair_minus(pair_negate(span_work(span, &last)), both(friction));
    span_point(span, &last, 0, &span->last);
    return !curve->has_own_work || fabs(span->last.friction - friction) <= SAME_WORK * friction;
}

/* Expansion on the line m0 + x m1 that the slip follows from x = -1 to 1. If the series does not
 * converge there, *radius is an estimate of its radius. Even and odd terms are summed apart: both
 * ends for the price of one. */
static int make_regular(const Impact *impact, double r, RegularCurve *curve, double *radius) {
    const Slip *slip = &impact->slip;
    CurveSpan *span = &curve->span;
    MomentSeries *moments = &curve->moments;
    const Spinor *s = &moments->spinor;
    const double *G = s->G;
    Filter filter;
    Recurrence next;
    SeriesSums sums;
    Quad map[3];
    recurrence_filter(s, G[0], &filter);
    begin_regular(s, &next);
    Pair rest = magnitude(regular_series(&filter, next, moments, &sums));
    if (moments->series.terms == CURVE_TERMS) {
        double left = LANE(rest, 0) + LANE(rest, 1);
        if (!(left < 10 * RECURRENCE_CUT)) {
            *radius = exp(log(RECURRENCE_CUT / left) / CURVE_TERMS);
            return 0;
        }
    }
    span_begin(span, &impact->now, -1);
    span->end = 1;
    /* the sums of even and of odd terms */
    Pair u = quad_halves(sums.u), c0 = quad_halves(sums.c[0]), c1 = quad_halves(sums.c[1]);
    Pair c2 = quad_halves(sums.c[2]), c3 = quad_halves(sums.c[3]);
    double even = G[0] + G[2] + G[4], odd = G[1] + G[3];
    /* r = G U at both ends, but for the scale */
    double first = (even - odd) * (LANE(u, 0) - LANE(u, 1)),
           last = (even + odd) * (LANE(u, 0) + LANE(u, 1));
    double scale = r / first, over = first / (r * last);
    const double begin[3] = {LANE(c0, 1) - LANE(c0, 0), LANE(c1, 0) - LANE(c1, 1),
                             LANE(c2, 1) - LANE(c2, 0)};
    const double whole[3] = {2 * LANE(c0, 0), 2 * LANE(c1, 1), 2 * LANE(c2, 0)};
    moments_map(slip, s, map);
    moments_keep(map, moments_mapped(map, begin), scale, moments);
    Quad to = quad_times(quad_all(scale), moments_mapped(map, whole));
    moments->F = (LANE(c3, 1) - LANE(c3, 0)) * moments->square;
    Quad P = quad_plus(quad_plus(quad_load(s->P[0]), quad_load(s->P[1])), quad_load(s->P[2]));
    double sum = LANE(u, 0) + LANE(u, 1), kDUU = s->k * LANE(quad_low(P), 0) * sum * sum;
    double friction = slip->mu * 2 * LANE(c3, 0) * moments->square;
    return set_last(slip, to, P, over, friction, curve) &&
           recurrence_agrees(slip, span, scale * last, quad_halves(sums.f), even + odd, G[0], kDUU);
}

/* The makers return 0 and leave *curve unusable if the series does not converge or fails its
 * checks. The slip starts now, with speed r. */

/* Expansion in the middle of a gap that is not divided by g, for slip in direction s. turn: an
 * eighth of the expected log-time; bias: shift of the middle, in half stretches. */
static int regular_direct(const Impact *impact, const double s[2], double r, const Gap *gap,
                          Fraction turn, double bias, RegularCurve *curve) {
    const Slip *slip = &impact->slip;
    const double longest = 0.3;
    Spinor *spinor = &curve->moments.spinor;
    double *m0 = spinor->m0, *m1 = spinor->m1, radius;
    Fraction far = fraction_tanh(turn, gap->square);
    double above = far.above, below = far.below;
    if (!(gap->square * (above * above) < longest * longest * (below * below))) {
        return 0;
    }
    /* the line of regular_middle() over (a + b)/2, with target = a xi + xi_perp and
     * behind = b xi + xi_perp */
    double reach = above / below, along = 2 * above / (below + above * gap->sum);
    double shift = (gap->sum + reach * gap->square) / 2 * along + bias,
           aside = gap->g * along * (1 + bias);
    /* the length of xi does not matter */
    double large = 1 + fabs(s[0]), xi[2] = {s[0] >= 0 ? large : s[1], s[0] >= 0 ? s[1] : large};
    m0[0] = xi[0] - aside * xi[1];
    m0[1] = xi[1] + aside * xi[0];
    m1[0] = shift * xi[0] - aside * xi[1];
    m1[1] = shift * xi[1] + aside * xi[0];
    spinor_build(slip, spinor);
    return make_regular(impact, r, curve, &radius);
}

/* Expansion in the middle of a sector, from u = 1 to ((1 - reach)/(1 + reach))^2 or less. */
static int regular_middle(const Impact *impact, double r, const Sector *sector, double reach,
                          RegularCurve *curve) {
    double radius = 0.25;
    /* once more with the radius that the first attempt found */
    for (int attempt = 0; attempt < 2; attempt++) {
        double centre = (1 - reach) / (1 + reach);
        const double t[2] = {1, reach}, u[2] = {centre, -reach * centre};
        sector_line(&impact->slip, sector, t, u, &curve->moments.spinor);
        if (make_regular(impact, r, curve, &radius)) {
            return 1;
        }
        reach *= 0.85 * radius;
    }
    return 0;
}

#endif
