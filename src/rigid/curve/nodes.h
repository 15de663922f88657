/* Integrals over p on a curve, for visitors (rigid/rigid_visit.h).
 *
 * Each kind of curve has a parameter in which the process is smooth: x of regular curves and
 * log-time, z of fades and arrivals. A curve is cut into pieces on which Gauss's rule of at most 20
 * nodes is exact to rounding; an arrival at zero slip, where dp ~ z^(q-1) dz and r ~ z^q, has rules
 * with these weights. Slip whose turn no longer matters is passed on as a line. */
#ifndef CAROM_RIGID_NODES_H
#define CAROM_RIGID_NODES_H

#include "math/functions.h"
#include "math/gauss.h"
#include "rigid/curve/curve.h"
#include "rigid/rigid_visit.h"

/* A fade below e^-FADE_LINE of its speed, and an arrival below z = ARRIVAL_LINE, is a line. */
static const double FADE_LINE = 26, ARRIVAL_LINE = 1e-9;

/* A rest of p below this part of it is rounding. */
static const double NODES_ROUNDING = 1e-15;

/* The points of a pair of nodes. Returns (g/r) dp/dt for the parameter t of the piece; as dp is
 * (r/g) dtheta, this is dtheta/dt. */
static inline Pair nodes_at(const SlipCurve *curve, const Slip *slip, Pair t, PointPair *at) {
    if (curve->kind == CURVE_REGULAR) {
        Pair slope, size = moments_size(&curve->regular.moments, t, &slope);
        regular_at(&curve->regular, slip, t, at);
        return pair_over(both(curve->regular.moments.spinor.k), size);
    }
    if (curve->kind == CURVE_ARRIVAL) {
        const ArrivalCurve *arrival = &curve->arrival;
        Pair x = both(0), y = x, slope, size = moments_size(&arrival->moments, t, &slope);
        for (int i = 0; i < 2; i++) {
            double power = arrival->q * log(LANE(t, i));
            LANE(y, i) = exp(power);
            LANE(x, i) = (fabs(power) < 0.1 ? -expm1(power) : 1 - LANE(y, i)) / arrival->q;
        }
        arrival_at_power(arrival, slip, x, y, t, at);
        return pair_over(both(arrival->moments.spinor.k), size);
    }
    double time;
    if (curve->kind == CURVE_FADE) {
        fade_at(&curve->fade, slip,
                pair_minus(both(1), pair_make(exp(-LANE(t, 0)), exp(-LANE(t, 1)))), at);
        time = curve->fade.time;
    } else {
        logtime_at(&curve->logtime, slip, t, at);
        time = curve->logtime.time;
    }
    slip_rates(slip, &at->rates);
    return pair_times(both(time), at->rates.g);
}

/* The rule for x from -1 to 1 or a part of it, from the number of terms of the series: their radius
 * of convergence is about e^(31/terms). */
static const Gauss *regular_rule(const SlipCurve *curve, double from, double to) {
    double x = 31.0 / curve->regular.moments.series.terms, radius = 1 + x + x * x / 2;
    double room = (radius - fabs(from + to) / 2) / (fabs(to - from) / 2);
    return room > 4.5 ? &GAUSS_6 : room > 2.6 ? &GAUSS_8 : room > 1.6 ? &GAUSS_12 : &GAUSS_20;
}

/* The rule for z: there is a singularity at 0. */
static const Gauss *arrival_rule(double from, double to) {
    double room = (from + to) / fabs(to - from);
    return room > 2.6 ? &GAUSS_8 : room > 1.6 ? &GAUSS_12 : &GAUSS_20;
}

/* The sums of a piece. Speed: two nodes at a time. */
typedef struct NodeSums {
    const Slip *slip;
    const CurvePoint *base; /* from which p, J and A count */
    double K[2], k;
    Pair sum[3][3][2], gamma[2];
} NodeSums;

/* Add two nodes, with weights dtheta; weight_r is for functions with the factor r. Returns the
 * weights dp. */
static inline Pair nodes_add(NodeSums *sums, const PointPair *at, Pair weight, Pair weight_r) {
    const double *d = sums->slip->d, *b = sums->slip->b, *K = sums->K;
    const CurvePoint *base = sums->base;
    Pair s0 = at->rates.s[0], s1 = at->rates.s[1], r = at->rates.r,
         p = pair_minus(at->p, both(base->p));
    Pair rate0 = pair_minus(both(d[0]), pair_join(both(b[1]), s1, pair_times(both(b[0]), s0))),
         rate1 = pair_minus(both(d[1]), pair_join(both(b[2]), s1, pair_times(both(b[1]), s0)));
    Pair over = pair_over(
        both(1), pair_minus(pair_times(s0, rate1),
                            pair_times(s1, rate0))); /* dp = (r/g) dtheta, 1/det X = -1/(r g) */
    /* K.Xi: K.(gamma - gamma_0) = d.J + K.d p, and the integral of gamma from that of v_n */
    Pair push = pair_join(both(d[1]), pair_minus(at->J[1], both(base->J[1])),
                          pair_times(both(d[0]), pair_minus(at->J[0], both(base->J[0]))));
    Pair change = pair_join(both(1 - sums->k), p, push);
    Pair area = pair_join(p, pair_join(both(0.5 * sums->k), p, both(base->vn)),
                          pair_minus(at->A, both(base->A)));
    Pair xi0 = change,
         xi1 = pair_minus(
             pair_times(p, pair_minus(both(K[0] * base->gamma[0] + K[1] * base->gamma[1]), change)),
             pair_times(both(2), area));
    Pair X[3][2] = {{pair_minus(pair_times(r, s1), pair_times(p, rate1)),
                     pair_minus(pair_times(p, rate0), pair_times(r, s0))},
                    {pair_negate(rate1), rate0}};
    X[2][0] = pair_join(xi1, X[1][0], pair_times(xi0, X[0][0]));
    X[2][1] = pair_join(xi1, X[1][1], pair_times(xi0, X[0][1]));
    Pair by[3] = {pair_negate(pair_times(pair_times(weight, over), over)),
                  pair_negate(pair_times(pair_times(weight, over), over)),
                  pair_negate(pair_times(pair_times(weight_r, over), over))};
    Pair dp = pair_times(pair_times(weight_r, over), r);
    for (int i = 0; i < 3; i++) {
        const Pair part[3] = {by[i], pair_times(by[i], s0), pair_times(by[i], s1)};
        for (int j = 0; j < 3; j++) {
            sums->sum[i][j][0] = pair_join(part[j], X[i][0], sums->sum[i][j][0]);
            sums->sum[i][j][1] = pair_join(part[j], X[i][1], sums->sum[i][j][1]);
        }
    }
    sums->gamma[0] = pair_join(pair_times(dp, r), s0, sums->gamma[0]);
    sums->gamma[1] = pair_join(pair_times(dp, r), s1, sums->gamma[1]);
    return dp;
}

static inline double pair_sum(Pair x) {
    return LANE(x, 0) + LANE(x, 1);
}

static void nodes_total(const NodeSums *sums, RigidSums *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->sum[i][j][0] = pair_sum(sums->sum[i][j][0]);
            out->sum[i][j][1] = pair_sum(sums->sum[i][j][1]);
        }
    }
    out->gamma[0] = pair_sum(sums->gamma[0]);
    out->gamma[1] = pair_sum(sums->gamma[1]);
}

/* An arrival at zero slip: z runs from start down to 0. */
static void nodes_arrive(const SlipCurve *curve, const Slip *slip, double start, NodeSums *sums) {
    const ArrivalCurve *arrival = &curve->arrival;
    const Gauss *rule = &GAUSS_20;
    double upper[2][GAUSS_MOST / 2], lower[2][GAUSS_MOST / 2], q = arrival->q;
    double scale = exp(q * log(start));
    gauss_power(rule, q, upper[0], lower[0]);
    gauss_power(rule, 2 * q, upper[1], lower[1]);
    for (int i = 0; i < rule->count / 2; i++) {
        PointPair at;
        Pair t = pair_times(both(start / 2), pair_make(1 - rule->node[i], 1 + rule->node[i]));
        Pair turn = nodes_at(curve, slip, t, &at);
        arrival_back(arrival, slip, &at);
        /* without z^(q-1); where that underflows nothing is left to count */
        Pair slope = pair_where(at.y, 1e-140,
                                pair_over(pair_times(pair_times(both(-scale), turn), t), at.y));
        Pair weight = pair_times(slope, pair_make(lower[0][i], upper[0][i]));
        Pair weight_r = pair_where(at.y, 1e-140,
                                   pair_over(pair_times(pair_times(both(scale), slope),
                                                        pair_make(lower[1][i], upper[1][i])),
                                             at.y));
        nodes_add(sums, &at, weight, weight_r);
    }
}

/* Between two other values of the parameter. Returns the sum of the weights. */
static double nodes_pass(const SlipCurve *curve, const Slip *slip, double start, double end,
                         NodeSums *sums) {
    const Gauss *rule = curve->kind == CURVE_REGULAR   ? regular_rule(curve, start, end)
                        : curve->kind == CURVE_ARRIVAL ? arrival_rule(start, end)
                                                       : &GAUSS_12;
    double middle = (start + end) / 2, reach = (end - start) / 2;
    Pair all = pair_make(0, 0);
    for (int i = 0; i < rule->count / 2; i++) {
        PointPair at;
        Pair t = pair_join(both(reach), pair_make(rule->node[i], -rule->node[i]), both(middle));
        Pair weight = pair_times(both(reach * rule->weight[i]), nodes_at(curve, slip, t, &at));
        all = pair_plus(all, nodes_add(sums, &at, weight, weight));
    }
    return pair_sum(all);
}

/* The parameter of an event has a rounding error above that of p: add what is left there. */
static void nodes_close(const CurvePoint *to, double rest, NodeSums *sums) {
    PointPair at;
    double r = norm2(to->gamma), rate[2];
    at.p = both(to->p);
    at.A = both(to->A);
    at.J[0] = both(to->J[0]);
    at.J[1] = both(to->J[1]);
    at.rates.s[0] = both(to->s[0]);
    at.rates.s[1] = both(to->s[1]);
    at.rates.r = both(r);
    slip_rate(sums->slip, to->s, rate);
    Pair weight = pair_make(rest * cross2(to->s, rate) / r, 0);
    nodes_add(sums, &at, weight, weight);
}

/* One piece between two points. */
static void nodes_piece(const RigidVisitor *visitor, const SlipCurve *curve, const Slip *slip,
                        const CurvePoint *from, double start, const CurvePoint *to, double end,
                        int line, int event) {
    RigidSums total;
    RigidPiece piece = {.kind = line ? RIGID_PIECE_LINE : RIGID_PIECE_CURVE,
                        .gamma = {{from->gamma[0], from->gamma[1]}, {to->gamma[0], to->gamma[1]}},
                        .vn = {from->vn, to->vn},
                        .s = {{from->s[0], from->s[1]}, {to->s[0], to->s[1]}},
                        .J = {to->J[0] - from->J[0], to->J[1] - from->J[1]},
                        .p = to->p - from->p,
                        .A = to->A - from->A,
                        .stops = !event && to->inverse == 0,
                        .sums = &total};
    if (line) {
        piece.J[0] = -slip->mu * from->s[0];
        piece.J[1] = -slip->mu * from->s[1];
    } else if (piece.p > 0) {
        const CurvePoint zero = {.vn = 0};
        NodeSums sums = {.slip = slip, .base = piece.stops ? &zero : from};
        slip_solve(slip->B, slip->d, sums.K);
        sums.k = 1 - dot2(sums.K, slip->d);
        if (piece.stops) {
            nodes_arrive(curve, slip, start, &sums);
        } else {
            double all = nodes_pass(curve, slip, start, end, &sums);
            double rest = piece.p - all;
            if (event && fabs(rest) > NODES_ROUNDING * piece.p) {
                nodes_close(to, rest, &sums);
            }
        }
        nodes_total(&sums, &total);
    }
    visitor->piece(visitor->context, &piece);
}

static void point_turn(CurvePoint *point) {
    double r = norm2(point->gamma);
    point->s[0] = point->gamma[0] / r;
    point->s[1] = point->gamma[1] / r;
}

/* The parameter of the pieces at a point; events have their x, not their z. */
static double nodes_parameter(const SlipCurve *curve, const CurvePoint *point) {
    double y, z;
    if (curve->kind == CURVE_ARRIVAL) {
        arrival_power(&curve->arrival, point->x, &y, &z);
        return z;
    }
    if (curve->kind == CURVE_FADE) {
        return point->x < 1 ? -log1p(-point->x) : FADE_ALL;
    }
    return point->x;
}

/* Where the piece from `start` ends, if `end` is too far. */
static double nodes_next(const SlipCurve *curve, double start, double end) {
    if (curve->kind == CURVE_FADE) {
        return end > start + 3 ? start + 3 : end;
    }
    if (curve->kind != CURVE_ARRIVAL || end == 0) {
        return end;
    }
    double next = end < start ? start / 8 : start * 8;
    return fabs(end - start) > 1.0001 * fabs(next - start) ? next : end;
}

/* Is the rest a line? */
static int nodes_are_over(const SlipCurve *curve, double start, double end) {
    return curve->kind == CURVE_FADE
               ? start >= FADE_LINE
               : curve->kind == CURVE_ARRIVAL && end < start && start < ARRIVAL_LINE;
}

/* Report the curve between two points. */
static void nodes_visit(const RigidVisitor *visitor, const SlipCurve *curve, const Slip *slip,
                        const CurvePoint *from, const CurvePoint *to) {
    double start = nodes_parameter(curve, from), end = nodes_parameter(curve, to);
    CurvePoint points[2], begin = *from, last = *to;
    int event = to != &curve->span.last;
    /* events have moved gamma, but not its direction */
    point_turn(&begin);
    if (event) {
        point_turn(&last);
    }
    from = &begin;
    for (int i = 0;; i = !i) {
        double next = nodes_next(curve, start, end);
        int line = nodes_are_over(curve, start, end);
        if (line || next == end) {
            nodes_piece(visitor, curve, slip, from, start, &last, end, line, event);
            return;
        }
        PointPair at;
        nodes_at(curve, slip, both(next), &at);
        span_point(&curve->span, &at, 0, &points[i]);
        nodes_piece(visitor, curve, slip, from, start, &points[i], next, 0, 0);
        from = &points[i];
        start = next;
    }
}

#endif
