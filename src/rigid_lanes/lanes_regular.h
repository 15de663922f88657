/* Regular stretches: expansions about the middle of a stretch, x from -1 to 1.
 *
 *   U = sum_n u_n x^n,   M_j = x^(j+1) sum_n u_n x^n/(n + j + 1)
 *   v_n = unit V,   V = V_0 + sum_n V_n x^n,   A = -unit^2 alpha,   alpha = x sum_n c_n x^n/(n + 1)
 *
 * Even and odd terms are summed apart, which gives both ends at once. Checks at the end, as for one
 * impact: the slip velocity from p and J by W against r = G U, and the rate of the normal work from
 * its terms against V pi in closed form. alpha has a further factor 1/n, so that its error is the
 * latter disagreement over the number of terms. */
#ifndef CAROM_LANES_REGULAR_H
#define CAROM_LANES_REGULAR_H

#include "rigid_lanes/lanes_curve.h"
#include "rigid_lanes/lanes_outlook.h"

#ifdef CAROM_LANES

/* Sums of even and of odd terms. */
typedef struct ManySums {
    Many u[2], M[3][2], c[2], alpha[2];
} ManySums;

/* The line for slip in direction s: half as long as `far` says, its middle shifted by bias. */
INLINE void regular_line(const ManyProblem *problem, const ManySlip *now, const ManyGap *gap,
                         Many far, ManyLine *line) {
    /* the terms fall faster if the middle lies where r dp/dtheta is larger; found by trial */
    Many bias = 0.045 * 8 * far * (3 * now->f + now->across), xi[2];
    bias = many_most(many_least(bias, many_all(0.1)), many_all(-0.1));
    Many along = 2 * far / (1 + far * gap->sum);
    Many shift = (gap->sum + far * gap->square) * 0.5 * along + bias,
         aside = gap->g * along * (1 + bias);
    spinor_of(now->s, xi);
    line->m0[0] = xi[0] - aside * xi[1];
    line->m0[1] = xi[1] + aside * xi[0];
    line->m1[0] = shift * xi[0] - aside * xi[1];
    line->m1[1] = shift * xi[1] + aside * xi[0];
    line_build(problem, line);
}

/* The terms of u, V and pi, and the sums that belong to u. */
static inline void regular_terms(const ManyLine *line, ManySeries *series, ManySums *sums) {
    const Many *D = line->D, *K = line->K, none = many_all(0);
    Many *pi = series->padded + SERIES_PAD, inverse = 1 / line->G[0];
    ManyRecurrence next;
    ManySums sum = {
        {none, none}, {{none, none}, {none, none}, {none, none}}, {none, none}, {none, none}};
    for (int j = 0; j < 4; j++) {
        next.g[j] = line->G[j + 1] * inverse;
        next.a[j] = line->N[j] * inverse;
        series->padded[j] = none;
    }
    recurrence_begin(&next);
    series->length = none;
    int n = 0;
    while (n < SERIES_TERMS && many_any(next.active)) {
        Many u[4];
        recurrence_four(line, &next, n, u);
        for (int j = 0; j < 4; j++) {
            const double *by = RECIPROCAL + n + j + 1;
            int odd = j & 1;
            series->u[n + j] = u[j];
            pi[n + j] = D[0] * u[j] + (D[1] * next.u[0] + D[2] * next.u[1]);
            series->V[n + j + 1] = by[0] * (K[0] * u[j] + (K[1] * next.u[0] + K[2] * next.u[1]));
            sum.u[odd] += u[j];
            for (int i = 0; i < 3; i++) {
                sum.M[i][odd] += u[j] * by[i];
            }
            next.u[1] = next.u[0];
            next.u[0] = u[j];
        }
        n += 4;
        recurrence_cut(&next, SERIES_CUT, n, &series->length);
    }
    series->count = n;
    series->short_enough = ~next.active;
    *sums = sum;
}

/* The terms of alpha. */
static inline void regular_work(ManySeries *series, ManySums *sums) {
    const Many *pi = series->padded + SERIES_PAD;
    for (int n = 0; n < series->count; n += 4) {
        Many term[4];
        product_four(series->V, pi, n, term);
        ManyMask on = series->length > n;
        for (int j = 0; j < 4; j++) {
            Many now = many_where(on, term[j]), part = now * RECIPROCAL[n + j + 1];
            sums->c[j & 1] += now;
            sums->alpha[j & 1] += part;
            series->alpha[n + j] = part;
        }
    }
}

/* Expand slip that starts now, on the line; fills all but the line. */
static inline void regular_expand(const ManyProblem *problem, const ManyState *from,
                                  const ManySlip *now, ManyCurve *curve) {
    const ManyLine *line = &curve->line;
    const Many *G = line->G, *D = line->D, *K = line->K;
    ManySums sums;
    regular_terms(line, &curve->series, &sums);
    Many even = G[0] + G[2] + G[4], odd = G[1] + G[3];
    Many(*M)[2] = sums.M, *u = sums.u, *c = sums.c;
    const Many U[2] = {u[0] - u[1], u[0] + u[1]};
    Many scale = now->r / ((even - odd) * U[0]), unit = scale * line->k;
    curve->unit = unit;
    curve->begin[0] = M[0][1] - M[0][0];
    curve->begin[1] = M[1][0] - M[1][1];
    curve->begin[2] = M[2][1] - M[2][0];
    /* with V_0, V is v_n itself */
    curve->series.V[0] = from->vn / unit - mapped(K, curve->begin);
    regular_work(&curve->series, &sums);
    curve->alpha = sums.alpha[1] - sums.alpha[0];
    const Many whole[3] = {2 * M[0][0], 2 * M[1][1], 2 * M[2][0]},
               last[3] = {M[0][0] + M[0][1], M[1][0] + M[1][1], M[2][0] + M[2][1]};
    curve_state(problem, from, curve, whole, &curve->end);
    curve->A = -2 * unit * unit * sums.alpha[0];
    curve->from = many_all(-1);
    curve->to = many_all(1);
    const Many at[2] = {D[0] - D[1] + D[2], D[0] + D[1] + D[2]};
    Many V = curve->series.V[0] + mapped(K, last), pi = at[1] * U[1];
    curve->v[0] = from->vn;
    curve->v[1] = curve->end.vn;
    curve->dv[0] = unit * (K[0] - K[1] + K[2]) * U[0];
    curve->dv[1] = unit * (K[0] + K[1] + K[2]) * U[1];
    curve->dp[0] = unit * at[0] * U[0];
    curve->dp[1] = unit * pi;
    /* the two checks */
    Many r = scale * (even + odd) * U[1], differs = many_abs(c[0] + c[1] - V * pi),
         terms = many_abs(c[0]) + many_abs(c[1]) + many_abs(V * pi);
    curve->good =
        curve->series.short_enough & (r > 0) &
        curve_agrees(problem, from, &curve->end, r, at[1], line->A[0] + line->A[1] + line->A[2],
                     line->C[0] + line->C[1] + line->C[2]) &
        (differs <= WORK_AGREES * curve->series.length * terms);
}

/* v_n and its slope, and A, at x. */
INLINE void regular_values(const ManyCurve *curve, Many x, Many *v, Many *dv, Many *A) {
    const ManySeries *series = &curve->series;
    Many by = -curve->unit * curve->unit;
    /* the constant term of V is apart: the number of terms is even */
    Many V = series_slope(series->V + 1, series->count, x, dv);
    *v = curve->unit * (series->V[0] + x * V);
    *dv = curve->unit * (V + x * *dv);
    *A = by * (x * series_sum(series->alpha, series->count, x) - curve->alpha);
}

/* A and its slope at x. */
INLINE Many regular_work_at(const ManyCurve *curve, Many x, Many *slope) {
    const ManySeries *series = &curve->series;
    Many by = -curve->unit * curve->unit, rise;
    Many sum = series_slope(series->alpha, series->count, x, &rise);
    *slope = by * (sum + x * rise);
    return by * (x * sum - curve->alpha);
}

/* The moments at x, since the start. */
INLINE void regular_moments(const ManyCurve *curve, Many x, Many M[3]) {
    Many sum[3] = {many_all(0), many_all(0), many_all(0)}, xx = x * x;
    for (int n = curve->series.count - 1; n >= 0; n--) {
        for (int j = 0; j < 3; j++) {
            sum[j] = sum[j] * x + curve->series.u[n] * RECIPROCAL[n + j + 1];
        }
    }
    M[0] = x * sum[0] - curve->begin[0];
    M[1] = xx * sum[1] - curve->begin[1];
    M[2] = x * xx * sum[2] - curve->begin[2];
}

#endif

#endif
