/* Integrals over p on the stretches of lanes, as rigid/curve/nodes.h has them for one impact.
 *
 * Nodes lie in x on a regular stretch, in log z on an arrival, so that one rule does for all: with
 * the shortest radius of convergence that a stretch may have, 12 nodes are exact to rounding. Only
 * down to zero slip elements need different rules; both are gone through, each for its elements. */
#ifndef CAROM_DERIVATIVE_LANES_NODES_H
#define CAROM_DERIVATIVE_LANES_NODES_H

#include "derivative/lanes_path.h"
#include "math/gauss.h"

#ifdef CAROM_LANES

/* A stretch with what its points need: terms of the integrals of U, x U and x^2 U. */
typedef struct ManyTrack {
    const ManySetting *setting;
    const ManyState *from;
    const ManyCurve *curve;
    ManyKind kind;
    int count;
    Many moment[3][SERIES_TERMS];
    const Many *alpha, *u;
} ManyTrack;

static inline void track_begin(const ManySetting *setting, const ManyState *from,
                               const ManyCurve *curve, ManyKind kind, ManyTrack *track) {
    const ManySeries *series = &curve->series;
    track->setting = setting;
    track->from = from;
    track->curve = curve;
    track->kind = kind;
    track->count = series->count;
    track->alpha = series->alpha;
    track->u = series->u;
    for (int n = 0; n < series->count; n++) {
        for (int j = 0; j < 3; j++) {
            track->moment[j][n] =
                series->u[n] *
                (kind == MANY_REGULAR ? many_all(RECIPROCAL[n + j + 1]) : series->by[n + j]);
        }
    }
}

/* The four series at two points. Speed: eight chains. */
INLINE void track_series(const ManyTrack *track, Many x, Many y, Many sum[2][4]) {
    int n = track->count - 1;
    const Many(*c)[SERIES_TERMS] = track->moment;
    Many a0 = c[0][n], a1 = c[1][n], a2 = c[2][n], a3 = track->alpha[n];
    Many b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    for (n--; n >= 0; n--) {
        a0 = a0 * x + c[0][n];
        b0 = b0 * y + c[0][n];
        a1 = a1 * x + c[1][n];
        b1 = b1 * y + c[1][n];
        a2 = a2 * x + c[2][n];
        b2 = b2 * y + c[2][n];
        a3 = a3 * x + track->alpha[n];
        b3 = b3 * y + track->alpha[n];
    }
    sum[0][0] = a0;
    sum[0][1] = a1;
    sum[0][2] = a2;
    sum[0][3] = a3;
    sum[1][0] = b0;
    sum[1][1] = b1;
    sum[1][2] = b2;
    sum[1][3] = b3;
}

/* Fill direction, p, J, gamma, v_n of a point from its moments since the start. */
INLINE void mark_state(const ManyTrack *track, Many z, const Many M[3], ManyMark *at) {
    const ManyLine *line = &track->curve->line;
    ManyPoint point;
    Many inverse = 1 / quadratic(line->D, z);
    curve_state(track->setting->problem, track->from, track->curve, M, &point);
    at->z = z;
    at->p = point.p;
    at->vn = point.vn;
    for (int i = 0; i < 2; i++) {
        at->J[i] = point.J[i];
        at->gamma[i] = point.gamma[i];
    }
    at->s[0] = quadratic(line->A, z) * inverse;
    at->s[1] = quadratic(line->C, z) * inverse;
}

/* The sums of the series at a point of a regular stretch as the point. */
INLINE void mark_regular(const ManyTrack *track, Many x, const Many sum[4], ManyMark *at) {
    const ManyCurve *curve = track->curve;
    Many xx = x * x;
    const Many M[3] = {x * sum[0] - curve->begin[0], xx * sum[1] - curve->begin[1],
                       x * xx * sum[2] - curve->begin[2]};
    mark_state(track, x, M, at);
    at->A = -(curve->unit * curve->unit) * (x * sum[3] - curve->alpha);
}

/* P of an arrival: int D U from its moments. */
INLINE Many arrival_P(const ManyCurve *curve, Many z, const Many sum[4]) {
    const Many *D = curve->line.D;
    return D[0] * sum[0] + z * (D[1] * sum[1] + z * (D[2] * sum[2]));
}

/* The same of an arrival at z, y = z^q = 1 - q x. */
INLINE void mark_arrival(const ManyTrack *track, Many x, Many y, Many z, const Many sum[4],
                         ManyMark *at) {
    const ManyCurve *curve = track->curve;
    Many zy = z * y;
    const Many M[3] = {(y * sum[0] - curve->series.u[0] * x) - curve->begin[0],
                       zy * sum[1] - curve->begin[1], z * zy * sum[2] - curve->begin[2]};
    mark_state(track, z, M, at);
    at->A = arrival_work(curve, x, y, arrival_P(curve, z, sum), sum[3]);
}

/* x of an arrival where y = e^power: without a difference of close numbers. */
INLINE Many arrival_x_of(Many power, Many y, Many q) {
    Many sum = 1 + power * RECIPROCAL[11];
    for (int n = 10; n >= 2; n--) {
        sum = 1 + power * RECIPROCAL[n] * sum;
    }
    return many_choose(many_abs(power) < 0.1, -(power * sum), 1 - y) / q;
}

/* Two points of a stretch at once: x, or log z of an arrival. */
INLINE void track_marks(const ManyTrack *track, Many s, Many t, ManyMark at[2]) {
    Many sum[2][4], z[2] = {s, t};
    if (track->kind == MANY_ARRIVAL) {
        z[0] = many_exp(s);
        z[1] = many_exp(t);
    }
    track_series(track, z[0], z[1], sum);
    for (int i = 0; i < 2; i++) {
        if (track->kind == MANY_REGULAR) {
            mark_regular(track, z[i], sum[i], &at[i]);
        } else {
            Many q = track->curve->q, power = q * (i ? t : s), y = many_exp(power);
            mark_arrival(track, arrival_x_of(power, y, q), y, z[i], sum[i], &at[i]);
        }
        at[i].t = i ? t : s;
    }
}

/* ---- sums ---- */

/* What the sums of a piece count from: p, d.J, A, v_n and K.gamma. */
typedef struct ManyBase {
    Many p, push, A, vn, along;
} ManyBase;

/* Add a node with weights dtheta, the second for functions with the factor r; p, push and A are
 * those since the base. */
INLINE void sums_add(const ManySetting *setting, const ManyBase *base, const Many s[2], Many r,
                     Many p, Many push, Many A, Many weight, Many weight_r, ManyIntegrals *sums) {
    Many rate[2], x = s[0], y = s[1];
    path_rate(setting->problem, s, rate);
    /* dp = (r/g) dtheta, 1/det X = -1/(r g) */
    Many over = 1 / (x * rate[1] - y * rate[0]);
    Many change = (1 - setting->k) * p + push;
    Many area = p * (0.5 * setting->k * p + base->vn) + A;
    Many scaling = p * (base->along - change) - 2 * area;
    Many dp = weight_r * over * r, flow = dp * r;
    Many first = -(weight * over * over), last = -(weight_r * over * over);
    const Many X[3][2] = {{r * y - p * rate[1], p * rate[0] - r * x}, {-rate[1], rate[0]}};
    for (int i = 0; i < 3; i++) {
        Many *sum = sums->sum[i], by = i < 2 ? first : last;
        Many u = by * (i < 2 ? X[i][0] : change * X[0][0] + scaling * X[1][0]),
             v = by * (i < 2 ? X[i][1] : change * X[0][1] + scaling * X[1][1]);
        sum[0] += u;
        sum[1] += v;
        sum[2] -= u * x;
        sum[3] -= u * y + v * x;
        sum[4] -= v * y;
    }
    sums->gamma[0] += flow * x;
    sums->gamma[1] += flow * y;
    sums->p += dp;
}

INLINE void base_make(const ManySetting *setting, const ManyMark *from, ManyBase *base) {
    const Many *d = setting->problem->d, *K = setting->K;
    base->p = from->p;
    base->push = d[0] * from->J[0] + d[1] * from->J[1];
    base->A = from->A;
    base->vn = from->vn;
    base->along = K[0] * from->gamma[0] + K[1] * from->gamma[1];
}

/* The integrals between two points. */
static inline void track_integrate(const ManyTrack *track, const ManyMark *from, const ManyMark *to,
                                   ManyIntegrals *sums) {
    const Gauss *rule = &GAUSS_12;
    const ManySetting *setting = track->setting;
    const Many *d = setting->problem->d;
    Many middle = 0.5 * (from->t + to->t), reach = 0.5 * (to->t - from->t);
    ManyBase base;
    base_make(setting, from, &base);
    *sums = (ManyIntegrals){0};
    for (int i = 0; i < rule->count / 2; i++) {
        ManyMark at[2];
        Many by = reach * rule->weight[i] * track->curve->line.k, step = reach * rule->node[i];
        track_marks(track, middle + step, middle - step, at);
        for (int j = 0; j < 2; j++) {
            const ManyMark *now = &at[j];
            Many r = now->gamma[0] * now->s[0] + now->gamma[1] * now->s[1];
            /* dtheta/dx = k/D */
            Many z = track->kind == MANY_ARRIVAL ? now->z : now->t;
            Many weight = by / quadratic(track->curve->line.D, z);
            weight = track->kind == MANY_ARRIVAL ? weight * z : weight;
            sums_add(setting, &base, now->s, r, now->p - base.p,
                     d[0] * now->J[0] + d[1] * now->J[1] - base.push, now->A - base.A, weight,
                     weight, sums);
        }
    }
}

INLINE void sums_choose(ManyMask where, const ManyIntegrals *yes, ManyIntegrals *no) {
    const Many *from = (const Many *)yes;
    Many *to = (Many *)no;
    for (size_t i = 0; i < sizeof *yes / sizeof(Many); i++) {
        to[i] = many_choose(where, from[i], to[i]);
    }
}

/* ---- down to zero slip ---- */

/* Weights of integrals over (0, 1) of z^(q-1), and of z^(2q-1), times a polynomial, at the nodes
 * (1 +- node)/2: as rigid/curve/power_rule.h. */
typedef struct ManyPowers {
    Many upper[2][GAUSS_MOST / 2], lower[2][GAUSS_MOST / 2];
} ManyPowers;

static inline void powers_make(const Gauss *rule, Many q, ManyPowers *out) {
    double before[GAUSS_MOST / 2], now[GAUSS_MOST / 2];
    Many moment[2] = {1 / q, 0.5 / q};
    int half = rule->count / 2;
    for (int i = 0; i < half; i++) {
        before[i] = 0;
        now[i] = 1;
        for (int m = 0; m < 2; m++) {
            out->upper[m][i] = out->lower[m][i] = moment[m];
        }
    }
    for (int k = 1; k < rule->count; k++) {
        double a = 2 - RECIPROCAL[k], b = 1 - RECIPROCAL[k];
        Many by[2];
        for (int m = 0; m < 2; m++) {
            Many power = m ? 2 * q : q;
            moment[m] *= (power - k) / (power + k);
            by[m] = (2 * k + 1) * moment[m];
        }
        for (int i = 0; i < half; i++) {
            double next = a * rule->node[i] * now[i] - b * before[i],
                   mirrored = k % 2 ? -next : next;
            before[i] = now[i];
            now[i] = next;
            for (int m = 0; m < 2; m++) {
                out->upper[m][i] += by[m] * next;
                out->lower[m][i] += by[m] * mirrored;
            }
        }
    }
    for (int i = 0; i < half; i++) {
        for (int m = 0; m < 2; m++) {
            out->upper[m][i] *= rule->weight[i] / 2;
            out->lower[m][i] *= rule->weight[i] / 2;
        }
    }
}

/* A node at z = 1 of the whole way down from `start`, y = z^q; p, J and A count from zero slip, as
 * if v_n were 0 there. */
INLINE void sums_arrive(const ManyTrack *track, Many z, Many y, const Many sum[4], Many scale,
                        Many weight, Many weight_r, ManyIntegrals *sums) {
    const ManyCurve *curve = track->curve;
    const ManyLine *line = &curve->line;
    const ManyProblem *problem = track->setting->problem;
    const Many *B = problem->B, *d = problem->d, none = z - z;
    Many unit = curve->unit, q = curve->q, zy = z * y, push = -problem->mu * unit;
    const Many M[3] = {y * (sum[0] + curve->series.u[0] / q), zy * sum[1], z * zy * sum[2]};
    Many D = quadratic(line->D, z), inverse = 1 / D, p = unit * mapped(line->D, M);
    Many J[2] = {push * mapped(line->A, M), push * mapped(line->C, M)};
    Many s[2] = {quadratic(line->A, z) * inverse, quadratic(line->C, z) * inverse};
    Many gamma[2] = {d[0] * p + (B[0] * J[0] + B[1] * J[1]),
                     d[1] * p + (B[1] * J[0] + B[2] * J[1])};
    Many rest = arrival_P(curve, z, sum) + curve->pi / q, uy = unit * y;
    Many A = -(uy * uy) * (curve->kappa / q * (rest - 0.5 * curve->pi / q) + sum[3]);
    /* without z^(q-1); where that underflows nothing is left to count */
    Many slope = many_where(y > 1e-140, -(scale * line->k * inverse * z / y));
    Many again = many_where(y > 1e-140, scale * slope / y);
    const ManyBase base = {none, none, none, none, none};
    sums_add(track->setting, &base, s, gamma[0] * s[0] + gamma[1] * s[1], p,
             d[0] * J[0] + d[1] * J[1], A, slope * weight, again * weight_r, sums);
}

/* By one rule, from z = start down to 0. */
static inline void track_fall(const ManyTrack *track, const Gauss *rule, Many start,
                              ManyIntegrals *sums) {
    Many q = track->curve->q, first = many_log(start), scale = many_exp(q * first);
    ManyPowers powers;
    powers_make(rule, q, &powers);
    *sums = (ManyIntegrals){0};
    for (int i = 0; i < rule->count / 2; i++) {
        Many z[2], sum[2][4], half = 0.5 * start;
        z[0] = half * (1 + rule->node[i]);
        z[1] = half * (1 - rule->node[i]);
        track_series(track, z[0], z[1], sum);
        for (int j = 0; j < 2; j++) {
            Many y = many_exp(q * (first + (j ? rule->log_lower : rule->log_upper)[i]));
            sums_arrive(track, z[j], y, sum[j], scale, (j ? powers.lower : powers.upper)[0][i],
                        (j ? powers.lower : powers.upper)[1][i], sums);
        }
    }
}

/* As stopping_rule() of rigid/curve/nodes.h, for z from `start` down to 0. */
static inline void track_arrive(const ManyTrack *track, ManyMask where, Many start,
                                ManyIntegrals *sums) {
    Many x = 31 / track->curve->series.length, radius = 1 + x + 0.5 * x * x;
    ManyMask far = 2 * radius / start - 1 > 2.9;
    *sums = (ManyIntegrals){0};
    for (int k = 0; k < 2; k++) {
        ManyMask these = where & (k ? ~far : far);
        if (many_any(these)) {
            ManyIntegrals some;
            track_fall(track, k ? &GAUSS_20 : &GAUSS_16, start, &some);
            sums_choose(these, &some, sums);
        }
    }
}

#endif

#endif
