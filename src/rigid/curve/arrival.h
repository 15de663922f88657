/* Arrival: the expansion about the invariant direction ahead, where r ~ z^q.
 *
 * The target is at z = 0, the start at z = 1. With y = z^q = 1 - q x the parameter x = (1 - z^q)/q
 * runs from 0 to 1/q, zero slip, if q > 0, and with U = z^(q-1) sum_n u_n z^n
 *
 *   N_0 = -u_0 x + y sum_(n>0) u_n z^n/(n + q)
 *   N_j = y z^j sum_n u_n z^n/(n + j + q) for j = 1, 2
 *   F   = -f_0 x (1 + y)/2 + y^2 f(z)
 *
 * (moments.h): nothing is divided by q, which may be small. Terms are divided by n + q and n + 2q,
 * so q and 2q must not be close to negative integers. A departure is the same expansion about the
 * direction behind, from a small z to z = 1, x = 0. */
#ifndef CAROM_RIGID_ARRIVAL_H
#define CAROM_RIGID_ARRIVAL_H

#include "math/functions.h"
#include "rigid/curve/moments.h"
#include "rigid/curve/sector.h"

typedef struct ArrivalCurve {
    CurveSpan span;
    MomentSeries moments;
    double u0, f0, q;
} ArrivalCurve;

/* y and z at x; exact at zero slip. */
static inline void arrival_power(const ArrivalCurve *curve, double x, double *y, double *z) {
    int zero = curve->span.ending == CURVE_STOPS && x >= curve->span.end;
    *y = zero ? 0 : 1 - curve->q * x;
    *z = zero ? 0 : exp(log1p(-curve->q * x) / curve->q);
}

/* The points at x, where y and z are known, with direction and speed of slip. */
static inline void arrival_at_power(const ArrivalCurve *curve, const Slip *slip, Pair x, Pair y,
                                    Pair z, PointPair *at) {
    const MomentSeries *moments = &curve->moments;
    Pair sum[4] = {both(0), both(0), both(0), both(0)}, zy = pair_times(z, y);
    at->x = x;
    at->y = y;
    at->z = z;
    /* at zero slip all sums have the factor y = 0 */
    if (LANE(y, 0) > 0 || LANE(y, 1) > 0) {
        four_series_at(&moments->series, z, sum);
    }
    const Pair N[3] = {pair_minus(pair_times(y, sum[0]), pair_times(both(curve->u0), x)),
                       pair_times(zy, sum[1]), pair_times(pair_times(z, zy), sum[2])};
    moments_state(moments, &curve->span, slip, N, at);
    moments_work(
        moments, &curve->span, slip,
        pair_minus(pair_times(pair_times(y, y), sum[3]),
                   pair_times(pair_times(both(0.5 * curve->f0), x), pair_plus(both(1), y))),
        at);
}

static inline void arrival_at(const ArrivalCurve *curve, const Slip *slip, Pair x, PointPair *at) {
    double y0, y1, z0, z1;
    arrival_power(curve, LANE(x, 0), &y0, &z0);
    y1 = y0;
    z1 = z0;
    if (LANE(x, 1) != LANE(x, 0)) {
        arrival_power(curve, LANE(x, 1), &y1, &z1);
    }
    arrival_at_power(curve, slip, x, pair_make(y0, y1), pair_make(z0, z1), at);
}

/* Two points z > 0, where y = z^q is known, with p, J and A counted from the end at zero slip, to
 * its own rounding: without x and gamma. Returns dtheta/dz. */
static inline Pair arrival_from_end(const ArrivalCurve *curve, const Slip *slip, Pair z, Pair y,
                                    PointPair *at) {
    const MomentSeries *moments = &curve->moments;
    const double *B = slip->B, *d = slip->d, q = curve->q;
    Pair sum[4];
    Pair zy = pair_times(z, y), slope, size = moments_size(moments, z, &slope);
    spinor_direction(&moments->spinor, z, at->rates.s);
    four_series_at(&moments->series, z, sum);
    at->y = y;
    const Pair N[3] = {pair_times(y, pair_plus(sum[0], both(curve->u0 / q))),
                       pair_times(zy, sum[1]), pair_times(pair_times(z, zy), sum[2])};
    const double(*map)[4] = moments->map;
    Pair p = pair_join(both(map[2][0]), N[2],
                       pair_join(both(map[1][0]), N[1], pair_times(both(map[0][0]), N[0])));
    Pair x = pair_join(both(map[2][1]), N[2],
                       pair_join(both(map[1][1]), N[1], pair_times(both(map[0][1]), N[0])));
    Pair w = pair_join(both(map[2][2]), N[2],
                       pair_join(both(map[1][2]), N[1], pair_times(both(map[0][2]), N[0])));
    Pair F = pair_times(pair_times(pair_times(y, y), pair_plus(sum[3], both(0.5 * curve->f0 / q))),
                        both(moments->square));
    Pair vn = pair_plus(p, pair_join(both(d[1]), w, pair_times(both(d[0]), x)));
    Pair gx = pair_join(both(B[1]), w, pair_join(both(B[0]), x, pair_times(both(d[0]), p))),
         gy = pair_join(both(B[2]), w, pair_join(both(B[1]), x, pair_times(both(d[1]), p)));
    at->p = p;
    at->J[0] = x;
    at->J[1] = w;
    at->rates.r = pair_join(gy, at->rates.s[1], pair_times(gx, at->rates.s[0]));
    /* as if v_n were 0 at the end: A of the order of r^2 keeps its digits */
    at->A =
        pair_minus(pair_times(both(-0.5), pair_join(p, vn, pair_join(w, gy, pair_times(x, gx)))),
                   pair_times(both(slip->mu), F));
    return pair_over(both(moments->spinor.k), size);
}

/* dx/dp and its derivative, as regular_pace() with dz/dx = -z/y and D^2 g = G, from which the
 * factor z is taken out. */
static inline void arrival_pace(const ArrivalCurve *curve, PointPair *at) {
    const Spinor *spinor = &curve->moments.spinor;
    const double *G = spinor->G, *N = spinor->N;
    Pair z = at->z, y = at->y, slope, size = moments_size(&curve->moments, z, &slope);
    Pair pace = pair_times(both(spinor->inverse_k), at->rates.inverse);
    Pair h =
        pair_join(z, pair_join(z, pair_join(z, both(G[4]), both(G[3])), both(G[2])), both(G[1]));
    Pair n =
        pair_join(z, pair_join(z, pair_join(z, both(N[3]), both(N[2])), both(N[1])), both(N[0]));
    Pair m = pair_join(
        z, pair_join(z, pair_join(z, both(4 * G[4]), both(3 * G[3])), both(2 * G[2])), both(G[1]));
    at->x1 = pair_over(pair_times(pair_times(pair_negate(h), y), pace), size);
    at->x2 = pair_over(
        pair_times(
            pair_times(at->x1, at->x1),
            pair_minus(
                pair_plus(pair_plus(pair_over(pair_times(pair_times(both(2), z), slope), size),
                                    pair_over(pair_minus(n, m), h)),
                          both(1)),
                both(curve->q))),
        y);
    for (int i = 0; i < 2; i++) {
        if (LANE(y, i) == 0) {
            LANE(at->x1, i) = -1 / (curve->moments.map[0][0] * curve->u0);
            LANE(at->x2, i) = 0;
        }
    }
}

static inline double arrival_locate(const ArrivalCurve *curve, const double s[2]) {
    return -expm1(log(spinor_locate(&curve->moments.spinor, s)) * curve->q) / curve->q;
}

/* As RECURRENCE_CUT; here the terms count in full over the whole stretch. */
static const double ARRIVAL_CUT = 2e-15;

/* The recurrence about a zero of G: Y = z^(q-1) y(z), Z2 = z^(2q-1) z(z). */
static void begin_arrival(const Spinor *s, double q, Recurrence *next) {
    double inverse = 1 / s->G[1];
    for (int j = 0; j < 3; j++) {
        next->g[j] = both(s->G[j + 2] * inverse);
        next->a[j] = pair_times(pair_make(1, 2), both((s->N[j + 1] - q * s->G[j + 2]) * inverse));
    }
}

/* Speed: 1/a and 1/b with one division. */
static inline void inverses(Quad a, Quad b, Quad *by_a, Quad *by_b) {
    Quad both_of = quad_inverse(quad_times(a, b));
    *by_a = quad_times(both_of, b);
    *by_b = quad_times(both_of, a);
}

/* Make the terms. Returns 0 if the series converges slowly, or if its terms are so much larger than
 * their sum that digits are lost. */
static int arrival_series(const Filter *filter, Recurrence next, double q, MomentSeries *moments,
                          SeriesSums *sums) {
    RecurrenceTerms terms;
    int n = 0, more = 1, converged = 0;
    /* n + q and n + 2 q, and one over them, without n = 0 */
    Quad from_u = quad_make(q, 1 + q, 2 + q, 3 + q), four = quad_all(4), by_u, by_f;
    Quad from_f = quad_plus(from_u, quad_all(q)), no_first = quad_make(0, 1, 1, 1);
    Quad squares_u = quad_all(0), squares_f = squares_u;
    inverses(from_u, from_f, &by_u, &by_f);
    by_u = quad_times(by_u, no_first);
    by_f = quad_times(by_f, no_first);
    recurrence_clear(&terms, sums);
    recurrence_first(&next, terms.w);
    for (;;) {
        Quad next_u, next_f;
        from_u = quad_plus(from_u, four);
        from_f = quad_plus(from_f, four);
        inverses(from_u, from_f, &next_u, &next_f);
        Quad by2 = quad_two_back(by_u, next_u);
        const Quad factors[4] = {by_u, quad_one_back(by_u, by2), by2, by_f};
        Quad f = recurrence_integrate(filter, &terms, factors, n, moments, sums);
        squares_f = quad_join(f, f, squares_f);
        by_u = next_u;
        by_f = next_f;
        n += 4;
        converged = !more && recurrence_is_small(filter, f);
        if (converged || n == CURVE_TERMS) {
            break;
        }
        recurrence_next(&next, 3, n, terms.w);
        more = !recurrence_is_below(terms.w, ARRIVAL_CUT);
    }
    recurrence_sum(moments, n, &terms, sums);
    for (int i = 0; i < n; i += 4) {
        Quad u = quad_load(moments->u + i);
        squares_u = quad_join(u, u, squares_u);
    }
    double u = quad_sum(sums->u), f = quad_sum(sums->f);
    return converged && quad_sum(squares_u) < 400 * u * u && quad_sum(squares_f) < 400 * f * f;
}

/* Is n + q next to 0 for some n = 1, 2, ...? The terms there would be divided by it. */
static int resonates(double q) {
    return q < -0.9 && fabs(q - nearbyint(q)) < 0.02;
}

/* r = G U at z, where y = z^q, but for its scale. */
static double arrival_speed(const MomentSeries *moments, double y, double z) {
    const double *G = moments->spinor.G;
    double U = y > 0 ? y * series_at(moments->u, moments->series.terms, z) : 0;
    return (G[1] + z * (G[2] + z * (G[3] + z * G[4]))) * U;
}

/* Set p, J and F at the beginning; the series at z = 1 are summed. */
static void set_origin(const Slip *slip, ArrivalCurve *curve, const SeriesSums *sums,
                       double scale) {
    MomentSeries *moments = &curve->moments;
    const FourSeries *series = &moments->series;
    double x = curve->span.begin, y = curve->span.y, z = curve->span.z, at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = z < 1 ? series_at(series->c[i], series->terms, z) : quad_sum(sums->c[i]);
    }
    double N[3] = {y * at[0] - curve->u0 * x, y * z * at[1], y * z * z * at[2]};
    Quad map[3];
    moments_map(slip, &moments->spinor, map);
    moments_keep(map, moments_mapped(map, N), scale, moments);
    moments->F = (y * y * at[3] - curve->f0 * x * (1 + y) / 2) * moments->square;
}

/* Choose where the curve begins and ends, for slip that starts at z = from. */
static void set_range(double from, ArrivalCurve *curve) {
    CurveSpan *span = &curve->span;
    double q = curve->q;
    span->z = from;
    if (from < 1) {
        span->y = exp(q * log(from));
        span->begin = -expm1(q * log(from)) / q;
        span->end = 0;
    } else if (q > 0.05) {
        span->ending = CURVE_STOPS;
        span->end = 1 / q;
    } else {
        /* a centrifugal target is never reached: as far as z = 0.01. Towards a slow centripetal one
         * the slip is straight long before it ends */
        span->ending = q > 0 ? CURVE_STRAIGHT : CURVE_GOES_ON;
        span->end = -expm1(q * log(q > 0 ? 1e-18 : 0.01)) / q;
    }
}

/* Fill the last point. Returns the closed form of r there, but for its scale. */
static double set_last_point(const Slip *slip, ArrivalCurve *curve) {
    CurveSpan *span = &curve->span;
    const MomentSeries *moments = &curve->moments;
    PointPair last;
    if (span->ending == CURVE_STOPS) {
        double x = span->end, F = -curve->f0 * x / 2 * moments->square - moments->F;
        Quad to = quad_join(quad_load(moments->map[0]), quad_all(-curve->u0 * x),
                            quad_times(quad_all(-1), quad_load(moments->origin)));
        moments_last(span, slip, to, quad_load(moments->spinor.P[0]), 0, 0, &last);
        last.A = pair_minus(pair_negate(span_work(span, &last)), both(slip->mu * F));
    } else {
        arrival_at(curve, slip, both(span->end), &last);
    }
    span_point(span, &last, 0, &span->last);
    return arrival_speed(moments, span->last.y, span->last.z);
}

/* Expansion about a zero of G at z = 0, for slip that is at z = from: 1 if it arrives there, less
 * if it departs. */
static int make_arrival(const Impact *impact, double r, double from, ArrivalCurve *curve) {
    const Slip *slip = &impact->slip;
    MomentSeries *moments = &curve->moments;
    const Spinor *s = &moments->spinor;
    double q = spinor_exponent(s);
    if (!(fabs(q) < 1e3) || !(fabs(q) > 1e-12) || resonates(q) || resonates(2 * q)) {
        return 0;
    }
    Filter filter;
    Recurrence next;
    SeriesSums sums;
    recurrence_filter(s, s->G[1], &filter);
    begin_arrival(s, q, &next);
    if (!arrival_series(&filter, next, q, moments, &sums)) {
        return 0;
    }
    double D = s->P[0][0] + s->P[1][0] + s->P[2][0], H = s->G[1] + s->G[2] + s->G[3] + s->G[4];
    double u = quad_sum(sums.u);
    span_begin(&curve->span, &impact->now, 0);
    curve->q = q;
    curve->u0 = LANE(quad_low(filter.U[0]), 0);
    curve->f0 = LANE(quad_low(filter.F[0]), 0);
    set_range(from, curve);
    double first = from < 1 ? arrival_speed(moments, curve->span.y, from) : H * u;
    double scale = r / first;
    set_origin(slip, curve, &sums, scale);
    double last = scale * set_last_point(slip, curve);
    return recurrence_agrees(slip, &curve->span, last, quad_halves(sums.f), H, s->G[1],
                             s->k * D * u * u);
}

/* The makers return 0 and leave *curve unusable if the series converges slowly, cancels, is close
 * to a resonance or fails its checks. The slip starts now, with speed r. */

/* Expansion about the invariant direction ahead of slip in direction s, down to zero slip if it is
 * centripetal. */
static int arrival_make(const Impact *impact, const double s[2], double r, const Gap *gap,
                        ArrivalCurve *curve) {
    return gap_arrival_line(&impact->slip, gap, s, &curve->moments.spinor) &&
           make_arrival(impact, r, 1, curve);
}

/* Expansion about the direction behind, up to u = 1/far of the sector at most. */
static int arrival_make_departure(const Impact *impact, double r, const Sector *sector, double far,
                                  ArrivalCurve *curve) {
    const Slip *slip = &impact->slip;
    Spinor *s = &curve->moments.spinor;
    double t[2] = {0, far}, u[2] = {1, 0};
    sector_line(slip, sector, t, u, s);
    /* r goes like z^q: no further down than it keeps digits */
    double q = spinor_exponent(s), log_r = q * log(far);
    if (!(log_r < 100)) {
        return 0;
    }
    if (log_r < -25) {
        t[1] = exp(-25 / q);
        sector_line(slip, sector, t, u, s);
    }
    return make_arrival(impact, r, 1 / t[1], curve);
}

#endif
