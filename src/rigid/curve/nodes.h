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
#include "rigid/curve/node_sums.h"

/* A fade below e^-FADE_LINE of its speed, and an arrival below z = ARRIVAL_LINE, is a line. */
static const double FADE_LINE = 26, ARRIVAL_LINE = 1e-9;

/* A piece of an arrival goes over a factor of 8 in z, and of e^ARRIVAL_FALL in r = z^q if that is
 * less, q > ARRIVAL_STEEP: 20 nodes integrate r^2 to rounding. */
static const double ARRIVAL_FALL = 8, ARRIVAL_STEEP = 3.847;

/* A rest of p below this part of it is rounding. */
static const double NODES_ROUNDING = 1e-15;

/* The points of a pair of nodes of a curve that is not regular. Returns (g/r) dp/dt for the
 * parameter t of the piece; as dp is (r/g) dtheta, this is dtheta/dt. */
static inline Pair nodes_at(const SlipCurve *curve, const Slip *slip, Pair t, PointPair *at) {
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
    return room > 2.6 ? &GAUSS_8 : room > 1.6 ? &GAUSS_12 : room > 1.35 ? &GAUSS_16 : &GAUSS_20;
}

/* The rule for z: there is a singularity at 0, and r = z^q may be steep. */
static const Gauss *arrival_rule(double q, double from, double to) {
    double room = (from + to) / fabs(to - from), fall = fabs(q) / room;
    if (fall > 1) {
        return &GAUSS_20;
    }
    return room > 2.6 ? &GAUSS_8 : room > 1.6 ? &GAUSS_12 : room > 1.35 ? &GAUSS_16 : &GAUSS_20;
}

/* The rule down to z = 0, with weights that are powers of z: exact for half as many terms. */
static const Gauss *stopping_rule(const SlipCurve *curve, double start) {
    double x = 31.0 / curve->arrival.moments.series.terms, radius = 1 + x + x * x / 2;
    double room = 2 * radius / start - 1;
    return room > 4.5 ? &GAUSS_12 : room > 2.9 ? &GAUSS_16 : &GAUSS_20;
}

/* An arrival at zero slip: z runs from start down to 0. */
static void nodes_arrive(const SlipCurve *curve, const Slip *slip, double start, NodeSums *sums) {
    const ArrivalCurve *arrival = &curve->arrival;
    const Gauss *rule = stopping_rule(curve, start);
    double upper[2][GAUSS_MOST / 2], lower[2][GAUSS_MOST / 2], q = arrival->q;
    double scale = exp(q * log(start));
    gauss_power(rule, q, upper[0], lower[0]);
    gauss_power(rule, 2 * q, upper[1], lower[1]);
    for (int i = 0; i < rule->count / 2; i += 2) {
        PointPair at[2];
        Pair weight[2], weight_r[2];
        for (int j = 0; j < 2; j++) {
            double node = rule->node[i + j];
            Pair z = pair_times(both(start / 2), pair_make(1 - node, 1 + node));
            Pair turn = arrival_from_end(arrival, slip, z, &at[j]), y = at[j].y;
            /* without z^(q-1); where that underflows nothing is left to count */
            Pair slope =
                pair_where(y, 1e-140, pair_over(pair_times(pair_times(both(-scale), turn), z), y));
            Pair again = pair_where(y, 1e-140, pair_over(pair_times(both(scale), slope), y));
            weight[j] = pair_times(slope, pair_make(lower[0][i + j], upper[0][i + j]));
            weight_r[j] = pair_times(again, pair_make(lower[1][i + j], upper[1][i + j]));
        }
        NodeFour four;
        node_four(&at[0], &at[1], &four);
        node_sums_add(sums, &four, quad_of(weight[0], weight[1]),
                      quad_of(weight_r[0], weight_r[1]));
    }
}

/* Between two other values of the parameter. Returns the sum of the weights. */
static double nodes_pass(const SlipCurve *curve, const Slip *slip, double start, double end,
                         NodeSums *sums) {
    const Gauss *rule = curve->kind == CURVE_REGULAR   ? regular_rule(curve, start, end)
                        : curve->kind == CURVE_ARRIVAL ? arrival_rule(curve->arrival.q, start, end)
                                                       : &GAUSS_12;
    double middle = (start + end) / 2, reach = (end - start) / 2;
    Quad all = quad_all(0);
    for (int i = 0; i < rule->count / 2; i += 2) {
        const double *node = rule->node + i, *weight = rule->weight + i;
        NodeFour four;
        Quad turn, t = quad_join(quad_all(reach), quad_make(node[0], -node[0], node[1], -node[1]),
                                 quad_all(middle));
        if (curve->kind == CURVE_REGULAR) {
            turn = node_regular(&curve->regular, slip, t, &four);
        } else {
            PointPair at[2];
            Pair first = nodes_at(curve, slip, quad_low(t), &at[0]);
            turn = quad_of(first, nodes_at(curve, slip, quad_high(t), &at[1]));
            node_four(&at[0], &at[1], &four);
        }
        Quad by = quad_times(
            quad_times(quad_all(reach), quad_make(weight[0], weight[0], weight[1], weight[1])),
            turn);
        all = quad_plus(all, node_sums_add(sums, &four, by, by));
    }
    return quad_sum(all);
}

/* The parameter of an event has a rounding error above that of p: add what is left there. */
static void nodes_close(const CurvePoint *to, double rest, NodeSums *sums) {
    double r = norm2(to->gamma), rate[2];
    const NodeFour at = {{quad_all(to->s[0]), quad_all(to->s[1])},
                         quad_all(r),
                         quad_all(to->p),
                         {quad_all(to->J[0]), quad_all(to->J[1])},
                         quad_all(to->A)};
    slip_rate(sums->slip, to->s, rate);
    Quad weight = quad_make(rest * cross2(to->s, rate) / r, 0, 0, 0);
    node_sums_add(sums, &at, weight, weight);
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
        /* its mean: the direction still turns a little */
        piece.J[0] = piece.p > 0 ? piece.J[0] / piece.p : -slip->mu * from->s[0];
        piece.J[1] = piece.p > 0 ? piece.J[1] / piece.p : -slip->mu * from->s[1];
    } else if (piece.p > 0) {
        static const CurvePoint zero = {.vn = 0};
        NodeSums sums;
        node_sums_begin(slip, piece.stops ? &zero : from, &sums);
        if (piece.stops) {
            nodes_arrive(curve, slip, start, &sums);
        } else {
            double all = nodes_pass(curve, slip, start, end, &sums);
            double rest = piece.p - all;
            piece.missed = event ? 0 : fabs(rest);
            if (event && fabs(rest) > NODES_ROUNDING * piece.p) {
                nodes_close(to, rest, &sums);
            }
        }
        node_sums_total(&sums, &total);
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
    double q = fabs(curve->arrival.q), by = q < ARRIVAL_STEEP ? 8 : exp(ARRIVAL_FALL / q);
    double next = end < start ? start / by : start * by;
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
