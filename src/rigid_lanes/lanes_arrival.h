/* Arrival at zero slip: the expansion about the invariant direction ahead, z from 1 to 0.
 *
 * The target is a zero x = 1/t of the reversed quartic of outlook.h, found by Halley's method. On a
 * line on which the other zeros of G lie around it as evenly as possible (docs/theory.md,
 * "Arrival") r = z^q sum_n c_n z^n, and the integrals from z = 0 to 1 are, with U = z^(q-1) sum_n
 * u_n z^n and pi and V from series.h,
 *
 *   M_j = sum_n u_n/(n + j + q),   V = z^q sum_n kappa_n z^n/(n + q),   alpha = sum_n c_n/(n + 2q)
 *
 * so the state at zero slip takes no power of z. It is used if q > 0.05 and no event comes before;
 * otherwise regular stretches lead on. */
#ifndef CAROM_LANES_ARRIVAL_H
#define CAROM_LANES_ARRIVAL_H

#include "math/many_power.h"
#include "rigid_lanes/lanes_curve.h"
#include "rigid_lanes/lanes_outlook.h"

#ifdef CAROM_LANES

/* As SERIES_CUT; here the terms count in full over the whole stretch. */
static const double STOP_CUT = 2e-15;

/* No other zero of G may lie closer than this, relative to the length of the stretch. */
static const double STOP_FAR = 2.5;

/* Slower targets are not for this expansion. */
static const double ARRIVAL_SLOWEST = 1e-10;

/* The target as seen from the slip: x, and the form of G = g z (h0 + h2 z^2 + h3 z^3) on the line
 * (1 - z) k (x xi + side xi_perp) + z xi. */
typedef struct ManyTarget {
    Many x, k, side, h0, h2, h3;
    ManyMask suits;
} ManyTarget;

static inline void target_find(const ManyGap *gap, ManyTarget *target) {
    Many inverse = 1 / gap->g, size = many_abs(inverse);
    Many c1 = gap->c[1] * size, c2 = gap->c[2] * inverse, c3 = gap->c[3] * size,
         c4 = gap->c[4] * inverse;
    Many x = (gap->sum + many_sqrt(gap->square)) * 0.5 * size, step = x;
    for (int i = 0; i < 4; i++) {
        Many square = x * x, f = ((x + c1) * x + c2) * square + (c3 * x + c4);
        Many slope = (4 * x + 3 * c1) * square + (2 * c2 * x + c3);
        Many bend = (6 * x + 3 * c1) * x + c2;
        step = f * slope / (slope * slope - f * bend);
        x -= step;
    }
    Many q1 = ((4 * x + 3 * c1) * x + 2 * c2) * x + c3, q2 = (6 * x + 3 * c1) * x + c2,
         q3 = 4 * x + c1, k = q2 / (3 * q1), kq = k * q2;
    target->x = x;
    target->k = k;
    target->side = many_choose(gap->g > 0, many_all(1), many_all(-1));
    target->h0 = k * kq * (1.0 / 3);
    target->h2 = k * (q3 - kq);
    target->h3 = 1 - k * (q3 - kq * (2.0 / 3));
    /* Halley's method converges cubically */
    target->suits =
        (gap->sum > 0) & (many_abs(step) <= 5e-6 * many_abs(x)) & (x > 0) & (k > 0) &
        (STOP_FAR * STOP_FAR * (many_abs(target->h2) + STOP_FAR * many_abs(target->h3)) <
         target->h0);
}

/* The slip there. */
INLINE void target_slip(const ManyProblem *problem, const Many s[2], const ManyTarget *target,
                        ManySlip *there) {
    Many xi[2];
    spinor_of(s, xi);
    Many a = target->x * xi[0] - target->side * xi[1], b = target->x * xi[1] + target->side * xi[0];
    Many inverse = 1 / (a * a + b * b);
    slip_at(problem, (a * a - b * b) * inverse, 2 * a * b * inverse, many_all(1), many_all(1),
            there);
}

/* About the rate at which the terms fall, to the eighth power: q and a lower cut lengthen the
 * series. */
INLINE Many target_rate(const ManyTarget *target) {
    Many inverse = 1 / target->h0, two = many_abs(target->h2 * inverse),
         three = many_abs(target->h3 * inverse), four = two * two;
    return many_most(four * four, three * three * (two + three));
}

INLINE void arrival_line(const ManyProblem *problem, const Many s[2], Many g,
                         const ManyTarget *target, ManyLine *line) {
    Many xi[2], k = target->k, across = target->side * k;
    spinor_of(s, xi);
    line->m0[0] = k * target->x * xi[0] - across * xi[1];
    line->m0[1] = k * target->x * xi[1] + across * xi[0];
    line->m1[0] = xi[0] - line->m0[0];
    line->m1[1] = xi[1] - line->m0[1];
    line_build(problem, line);
    /* G from its zeros, so that next to them it keeps its digits */
    Many D = xi[0] * xi[0] + xi[1] * xi[1], size = g * D * D;
    line->G[0] = line->G[2] = many_all(0);
    line->G[1] = size * target->h0;
    line->G[3] = size * target->h2;
    line->G[4] = size * target->h3;
}

/* Sums at z = 1. */
typedef struct ManyArrival {
    Many u, squares, M[3], V, P, S, product[2];
} ManyArrival;

/* 1/a, 1/(a + 1), 1/(a + 2), 1/(a + 3). Speed: one division. */
INLINE void reciprocals_four(Many a, Many by[4]) {
    Many b = a + 1, c = a + 2, d = a + 3, ab = a * b, cd = c * d, inverse = 1 / (ab * cd);
    ab *= inverse;
    cd *= inverse;
    by[0] = b * cd;
    by[1] = a * cd;
    by[2] = d * ab;
    by[3] = c * ab;
}

/* The terms; their first ones, which would be divided by q, are taken apart. */
static inline void arrival_terms(const ManyLine *line, Many q, ManySeries *series,
                                 ManyArrival *sums) {
    const Many *D = line->D, *K = line->K, none = many_all(0);
    Many *pi = series->padded + SERIES_PAD, inverse = 1 / line->G[1];
    ManyRecurrence next;
    ManyArrival sum = {none, none, {none, none, none}, none, none, none, {none, none}};
    for (int j = 0; j < 3; j++) {
        next.g[j] = line->G[j + 2] * inverse;
        next.a[j] = (line->N[j + 1] - q * line->G[j + 2]) * inverse;
    }
    next.a[3] = next.g[3] = none;
    for (int j = 0; j < SERIES_PAD; j++) {
        series->padded[j] = none;
    }
    recurrence_begin(&next);
    series->length = none;
    int n = 0;
    Many *by = series->by;
    by[0] = none;
    by[1] = 1 / (1 + q);
    while (n < SERIES_TERMS && many_any(next.active)) {
        Many u[4];
        reciprocals_four(n + 2 + q, by + n + 2);
        recurrence_four(line, &next, n, u);
        for (int j = 0; j < 4; j++) {
            pi[n + j] = D[0] * u[j] + (D[1] * next.u[0] + D[2] * next.u[1]);
            series->u[n + j] = u[j];
            series->p[n + j] = by[n + j] * pi[n + j];
            series->V[n + j] = by[n + j] * (K[0] * u[j] + (K[1] * next.u[0] + K[2] * next.u[1]));
            sum.V += series->V[n + j];
            sum.P += series->p[n + j];
            sum.u += u[j];
            sum.squares += u[j] * u[j];
            for (int i = 0; i < 3; i++) {
                sum.M[i] += u[j] * by[n + j + i];
            }
            next.u[1] = next.u[0];
            next.u[0] = u[j];
        }
        n += 4;
        recurrence_cut(&next, STOP_CUT, n, &series->length);
    }
    series->count = n;
    series->short_enough = ~next.active;
    *sums = sum;
}

/* The terms of S, and the check of their sum. */
static inline void arrival_products(const ManyLine *line, Many q, ManySeries *series,
                                    ManyArrival *sums) {
    const Many *pi = series->padded + SERIES_PAD, kappa = line->K[0] * series->u[0];
    Many sum = many_all(0), all = sum;
    for (int n = 0; n < series->count; n += 4) {
        Many term[4], a = n + 1 + 2 * q, b = a + 2, inverse = 1 / (a * b);
        /* 1/(n + 2 q); for even n half of 1/(n/2 + q) */
        const Many over[4] = {0.5 * series->by[n / 2], b * inverse, 0.5 * series->by[n / 2 + 1],
                              a * inverse};
        product_four(series->V, pi, n, term);
        ManyMask on = series->length > n;
        for (int j = 0; j < 4; j++) {
            Many c = many_where(on, term[j]);
            all += c;
            series->alpha[n + j] = (c - kappa * series->p[n + j]) * over[j];
            sum += series->alpha[n + j];
        }
    }
    sums->S = sum;
    sums->product[0] = all;
    sums->product[1] = sums->V * ((line->D[0] + line->D[1] + line->D[2]) * sums->u);
}

/* y = z^q and z at x; y = 0 gives z = 0. */
INLINE void arrival_yz(const ManyCurve *curve, Many x, Many *y, Many *z) {
    *y = 1 - curve->q * x;
    *z = many_where(*y > 0, many_root(x, curve->q));
}

/* A where the series have the sums P and S. */
INLINE Many arrival_work(const ManyCurve *curve, Many x, Many y, Many P, Many S) {
    Many p = y * P - curve->pi * x;
    Many rest = curve->kappa * x * (0.5 * curve->pi * x - y * P) + y * y * S;
    return -curve->unit * (curve->v0 * (p - curve->p) + curve->unit * (rest - curve->alpha));
}

/* v_n and its slope, and A, at x: dz/dx = -z/y. */
static inline void arrival_values(const ManyCurve *curve, Many x, Many *v, Many *dv, Many *A) {
    const ManySeries *series = &curve->series;
    Many y, z, rise;
    arrival_yz(curve, x, &y, &z);
    Many V = series_slope(series->V, series->count, z, &rise);
    *dv = -curve->unit * (curve->kappa + (curve->q * V + z * rise));
    *v = curve->v0 + curve->unit * (y * V - curve->kappa * x);
    *A = arrival_work(curve, x, y, series_sum(series->p, series->count, z),
                      series_sum(series->alpha, series->count, z));
}

/* A and its slope at x. */
static inline Many arrival_work_at(const ManyCurve *curve, Many x, Many *slope) {
    const ManySeries *series = &curve->series;
    Many y, z, rise, P_rise, unit = curve->unit, q = curve->q;
    arrival_yz(curve, x, &y, &z);
    Many P = series_slope(series->p, series->count, z, &P_rise),
         S = series_slope(series->alpha, series->count, z, &rise);
    Many P_slope = q * P + z * P_rise;
    Many rest = curve->kappa * (curve->pi * x - y * P + x * P_slope) - y * (2 * q * S + z * rise);
    *slope = unit * (curve->v0 * (curve->pi + P_slope) - unit * rest);
    return arrival_work(curve, x, y, P, S);
}

/* The moments at x, since the start, and z. */
INLINE void arrival_moments(const ManyCurve *curve, Many x, Many M[3], Many *at) {
    Many sum[3] = {many_all(0), many_all(0), many_all(0)}, y, z;
    arrival_yz(curve, x, &y, &z);
    *at = z;
    for (int n = curve->series.count - 1; n >= 0; n--) {
        Many u = curve->series.u[n];
        for (int j = 0; j < 3; j++) {
            sum[j] = sum[j] * z + u * curve->series.by[n + j];
        }
    }
    M[0] = (y * sum[0] - curve->series.u[0] * x) - curve->begin[0];
    M[1] = y * z * sum[1] - curve->begin[1];
    M[2] = y * z * z * sum[2] - curve->begin[2];
}

/* The end, from the x at which the impact would end if slip were at the target: some more, or zero
 * slip if that is close. */
INLINE void arrival_choose_end(Many x, ManyCurve *curve) {
    Many q = curve->q;
    x = many_most(many_choose(q > 0, many_all(1.3), many_all(1.5)) * x, many_all(0.1));
    /* r grows without limit towards a centrifugal target, but not beyond 1e6 at a time */
    x = many_choose(q > 0, x, many_least(x, 1e6 / many_abs(q)));
    curve->stops = (q > 0) & ~(q * x < 0.85);
    curve->to = many_choose(curve->stops, 1 / q, x);
}

/* Fill the end. Returns r there from the closed form, G U. */
static inline Many arrival_end(const ManyProblem *problem, const ManyState *from, ManyCurve *curve,
                               Many *at) {
    const ManyLine *line = &curve->line;
    const ManySeries *series = &curve->series;
    const Many *G = line->G;
    Many M[3] = {-series->u[0] * curve->to - curve->begin[0], -curve->begin[1], -curve->begin[2]};
    Many y = many_all(0), z = y, U = series->u[0];
    if (many_any(~curve->stops)) {
        Many inner[3];
        arrival_moments(curve, curve->to, inner, &z);
        y = many_where(~curve->stops, 1 - curve->q * curve->to);
        z = many_where(~curve->stops, z);
        for (int i = 0; i < 3; i++) {
            M[i] = many_choose(curve->stops, M[i], inner[i]);
        }
        U = series_sum(series->u, series->count, z);
    }
    curve_state(problem, from, curve, M, &curve->end);
    curve->A = arrival_work(curve, curve->to, y, series_sum(series->p, series->count, z),
                            series_sum(series->alpha, series->count, z));
    curve->v[1] = curve->end.vn;
    curve->dv[1] = -curve->unit * quadratic(line->K, z) * U;
    curve->dp[1] = -curve->unit * quadratic(line->D, z) * U;
    *at = z;
    return curve->unit / line->k * (G[1] + z * z * (G[3] + z * G[4])) * y * U;
}

/* Is n + q next to 0 for some n = 1, 2, ...? The terms there would be divided by it. */
INLINE ManyMask many_resonates(Many q) {
    const Many magic = many_all(MANY_WHOLE);
    return (q < -0.9) & (many_abs(q - ((q + magic) - magic)) < 0.02);
}

/* Expand slip that starts now about the target ahead; rest: of p, as far as is known. */
static inline void arrival_expand(const ManyProblem *problem, const ManyState *from,
                                  const ManySlip *now, Many rest, const ManyGap *gap,
                                  ManyCurve *curve) {
    ManyTarget target;
    ManySlip there;
    ManyLine *line = &curve->line;
    ManySeries *series = &curve->series;
    ManyArrival sums;
    target_find(gap, &target);
    target_slip(problem, now->s, &target, &there);
    arrival_line(problem, now->s, gap->g, &target, line);
    Many q = line->N[0] / line->G[1], D = line->D[0] + line->D[1] + line->D[2];
    Many H = line->G[1] + line->G[3] + line->G[4], K = line->K[0] + line->K[1] + line->K[2];
    arrival_terms(line, q, series, &sums);
    arrival_products(line, q, series, &sums);
    Many unit = now->r / (H * sums.u) * line->k;
    curve->q = q;
    curve->unit = unit;
    curve->v0 = from->vn - unit * sums.V;
    for (int i = 0; i < 3; i++) {
        curve->begin[i] = sums.M[i];
    }
    curve->kappa = line->K[0] * series->u[0];
    curve->pi = line->D[0] * series->u[0];
    curve->alpha = sums.S;
    curve->p = sums.P;
    curve->from = many_all(0);
    curve->v[0] = from->vn;
    curve->dv[0] = -unit * K * sums.u;
    curve->dp[0] = -unit * D * sums.u;
    arrival_choose_end(rest * now->inverse * (there.f + there.across), curve);
    Many z, r = arrival_end(problem, from, curve, &z);
    /* the two checks; do terms cancel? */
    const Many *product = sums.product;
    /* v_n = v0 + unit V, so that is what the product is small or large beside */
    Many terms =
        many_abs(product[0]) + many_abs(product[1]) + many_abs(curve->v0 / unit * D * sums.u);
    curve->good = target.suits & (many_abs(q) > ARRIVAL_SLOWEST) & (q < 100) & (q > -20) &
                  ~many_resonates(q) & ~many_resonates(2 * q) & series->short_enough &
                  curve_agrees(problem, from, &curve->end, r, quadratic(line->D, z),
                               quadratic(line->A, z), quadratic(line->C, z)) &
                  (many_abs(product[0] - product[1]) <= WORK_AGREES * series->length * terms) &
                  (sums.squares < 400 * sums.u * sums.u);
}

#endif

#endif
