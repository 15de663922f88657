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
#include "math/quad_power.h"
#include "rigid/curve/curve.h"
#include "rigid/curve/node_sums.h"
#include "rigid/curve/power_rule.h"

/* A fade below e^-FADE_LINE of its speed, and an arrival below z = ARRIVAL_LINE, is a line. */
static const double FADE_LINE = 26, ARRIVAL_LINE = 1e-9;

/* A piece of an arrival goes over a factor of 8 in z, and of e^ARRIVAL_FALL in r = z^q if that is
 * less, q > ARRIVAL_STEEP: 20 nodes integrate r^2 to rounding. */
static const double ARRIVAL_FALL = 8, ARRIVAL_STEEP = 3.847;

/* Below this z the other singularities are far in log z, and powers of z all that is left. */
static const double ARRIVAL_ALONE = 0.3;

/* Slip that turns by less than this part of its scale is next to an invariant direction. */
static const double NODES_NEAR = 1e-1;

/* The logarithm of 1e-16. */
static const double NODES_SETTLED = -37;

/* From this q on z^q underflows at nodes near 0, whose weights count. */
static const double STOP_STEEPEST = 40;

/* A rest of p below this part of it is rounding. */
static const double NODES_ROUNDING = 1e-15;

/* x of an arrival where z^q = y = e^power. */
static inline double arrival_x(const ArrivalCurve *arrival, double power, double y) {
    return (fabs(power) < 0.1 ? -expm1(power) : 1 - y) / arrival->q;
}

/* The points of a pair of nodes of a curve that is not regular; power: q log t of an arrival, and
 * y = e^power. Returns (g/r) dp/dt for the parameter t of the piece; as dp is (r/g) dtheta, this is
 * dtheta/dt. */
static inline Pair nodes_at(const SlipCurve *curve, const Slip *slip, Pair t, Pair power, Pair y,
                            PointPair *at) {
    if (curve->kind == CURVE_ARRIVAL) {
        const ArrivalCurve *arrival = &curve->arrival;
        Pair slope, size = moments_size(&arrival->moments, t, &slope);
        Pair x = pair_make(arrival_x(arrival, LANE(power, 0), LANE(y, 0)),
                           arrival_x(arrival, LANE(power, 1), LANE(y, 1)));
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

/* One point, twice. */
static inline void nodes_one(const SlipCurve *curve, const Slip *slip, double t, PointPair *at) {
    double power = curve->kind == CURVE_ARRIVAL ? curve->arrival.q * log(t) : 0;
    nodes_at(curve, slip, both(t), both(power), both(exp(power)), at);
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
    PowerRule power_rule;
    double q = arrival->q;
    double from = log(start), scale = exp(q * from);
    power_rule_make(rule, q, &power_rule);
    for (int i = 0; i < rule->count / 2; i += 2) {
        PointPair at[2];
        Pair weight[2], weight_r[2];
        const double *above = rule->log_upper + i, *below = rule->log_lower + i;
        Quad power =
            quad_times(quad_all(q), quad_plus(quad_all(from),
                                              quad_make(below[0], above[0], below[1], above[1])));
        Quad powers = quad_exp(power);
        for (int j = 0; j < 2; j++) {
            double node = rule->node[i + j];
            Pair upper = power_rule.upper[i + j], lower = power_rule.lower[i + j];
            Pair z = pair_times(both(start / 2), pair_make(1 - node, 1 + node));
            Pair y = j ? quad_high(powers) : quad_low(powers);
            Pair turn = arrival_from_end(arrival, slip, z, y, &at[j]);
            /* without z^(q-1); where that underflows nothing is left to count */
            Pair slope =
                pair_where(y, 1e-140, pair_over(pair_times(pair_times(both(-scale), turn), z), y));
            Pair again = pair_where(y, 1e-140, pair_over(pair_times(both(scale), slope), y));
            weight[j] = pair_times(slope, pair_make(LANE(lower, 0), LANE(upper, 0)));
            weight_r[j] = pair_times(again, pair_make(LANE(lower, 1), LANE(upper, 1)));
        }
        NodeFour four;
        node_four(&at[0], &at[1], &four);
        node_sums_add(sums, &four, quad_of(weight[0], weight[1]),
                      quad_of(weight_r[0], weight_r[1]));
    }
}

/* Four points of a curve that is not regular, as nodes_at(). */
static inline Quad nodes_four(const SlipCurve *curve, const Slip *slip, Quad t, NodeFour *four) {
    PointPair at[2];
    Quad power = t, y = t;
    if (curve->kind == CURVE_ARRIVAL) {
        power = quad_times(quad_all(curve->arrival.q), quad_log(t));
        y = quad_exp(power);
    }
    Pair first = nodes_at(curve, slip, quad_low(t), quad_low(power), quad_low(y), &at[0]);
    Quad turn =
        quad_of(first, nodes_at(curve, slip, quad_high(t), quad_high(power), quad_high(y), &at[1]));
    node_four(&at[0], &at[1], four);
    return turn;
}

/* Between two other values of the parameter. Returns the sum of the weights. */
static double nodes_pass(const SlipCurve *curve, const Slip *slip, double start, double end,
                         NodeSums *sums) {
    const Gauss *rule = curve->kind == CURVE_REGULAR   ? regular_rule(curve, start, end)
                        : curve->kind == CURVE_ARRIVAL ? arrival_rule(curve->arrival.q, start, end)
                                                       : &GAUSS_12;
    double middle = (start + end) / 2, reach = (end - start) / 2;
    Quad all = quad_all(0);
    for (int i = 0; i < rule->count / 2; i += 4) {
        int quads = rule->count / 2 - i < 4 ? 1 : 2;
        Quad t[2], series[2][4];
        for (int j = 0; j < quads; j++) {
            const double *node = rule->node + i + 2 * j;
            t[j] = quad_join(quad_all(reach), quad_make(node[0], -node[0], node[1], -node[1]),
                             quad_all(middle));
        }
        if (curve->kind == CURVE_REGULAR && quads == 2) {
            four_series_eight(&curve->regular.moments.series, t, series);
        } else if (curve->kind == CURVE_REGULAR) {
            four_series_points(&curve->regular.moments.series, t[0], quad_times(t[0], t[0]),
                               series[0]);
        }
        for (int j = 0; j < quads; j++) {
            const double *weight = rule->weight + i + 2 * j;
            NodeFour four;
            Quad turn = curve->kind == CURVE_REGULAR
                            ? node_regular(&curve->regular, slip, t[j], series[j], &four)
                            : nodes_four(curve, slip, t[j], &four);
            Quad by = quad_times(
                quad_times(quad_all(reach), quad_make(weight[0], weight[0], weight[1], weight[1])),
                turn);
            all = quad_plus(all, node_sums_add(sums, &four, by, by));
        }
    }
    return quad_sum(all);
}

/* One end of a piece. The direction of slip is apart: events have moved gamma, so that the point
 * has another one. */
typedef struct NodeEnd {
    const CurvePoint *point;
    double s[2], t; /* t: the parameter of the piece */
} NodeEnd;

/* The parameter of an event has a rounding error above that of p: add what is left there. */
static void nodes_close(const NodeEnd *end, double rest, NodeSums *sums) {
    const CurvePoint *to = end->point;
    double r = norm2(to->gamma), rate[2];
    const NodeFour at = {{quad_all(end->s[0]), quad_all(end->s[1])},
                         quad_all(r),
                         quad_all(to->p),
                         {quad_all(to->J[0]), quad_all(to->J[1])},
                         quad_all(to->A)};
    slip_rate(sums->slip, end->s, rate);
    Quad weight = quad_make(rest * cross2(end->s, rate) / r, 0, 0, 0);
    node_sums_add(sums, &at, weight, weight);
}

/* The integrals of a piece. Returns by how much they miss its p. */
static double nodes_integrate(const SlipCurve *curve, const Slip *slip, const NodeEnd *from,
                              const NodeEnd *to, int stops, int event, RigidSums *total) {
    static const CurvePoint zero = {.vn = 0};
    double p = to->point->p - from->point->p, rest = 0;
    NodeSums sums;
    node_sums_begin(slip, stops ? &zero : from->point, &sums);
    if (stops) {
        nodes_arrive(curve, slip, from->t, &sums);
        rest = curve->arrival.q < STOP_STEEPEST ? 0 : INFINITY;
    } else {
        rest = p - nodes_pass(curve, slip, from->t, to->t, &sums);
        if (event && fabs(rest) > NODES_ROUNDING * p) {
            nodes_close(to, rest, &sums);
        }
    }
    node_sums_total(&sums, total);
    return event ? 0 : fabs(rest);
}

/* Does slip turn so slowly that X^-1 loses digits? */
static int node_is_near(const Slip *slip, const double s[2]) {
    double rate[2];
    slip_rate(slip, s, rate);
    return fabs(cross2(s, rate)) < NODES_NEAR * slip->rate;
}

/* Nodes i to i + 3 of the rule with RIGID_NODES, in order. */
static inline Quad nodes_ordered(int i) {
    double x[4];
    for (int j = 0; j < 4; j++) {
        int at = i + j, low = at < RIGID_NODES / 2;
        x[j] = low ? -GAUSS_16.node[at] : GAUSS_16.node[RIGID_NODES - 1 - at];
    }
    return quad_load(x);
}

/* D and G/z of a line of spinors at z. */
static inline double line_size(const Spinor *spinor, double z) {
    return spinor->P[0][0] + z * (spinor->P[1][0] + z * spinor->P[2][0]);
}
static inline double line_fall(const Spinor *spinor, double z) {
    const double *G = spinor->G;
    return G[1] + z * (G[2] + z * (G[3] + z * G[4]));
}

/* The speed of slip on an arrival at z, from the closed form: it keeps its digits down to 0. */
static double arrival_speed_at(const ArrivalCurve *arrival, double z) {
    const MomentSeries *moments = &arrival->moments;
    return sqrt(moments->square) * fabs(arrival_speed(moments, exp(arrival->q * log(z)), z));
}

/* Fill the nodes of a piece; an arrival is cut in log z. */
static void nodes_fill(const SlipCurve *curve, const Slip *slip, const NodeEnd *from,
                       const NodeEnd *to, RigidNodes *out) {
    int arrives = curve->kind == CURVE_ARRIVAL;
    double start = arrives ? log(from->t) : from->t, end = arrives ? log(to->t) : to->t;
    double middle = (start + end) / 2, reach = (end - start) / 2;
    for (int i = 0; i < RIGID_NODES; i += 4) {
        Quad t = quad_join(quad_all(reach), nodes_ordered(i), quad_all(middle));
        double at[4];
        quad_store(at, t);
        if (curve->kind == CURVE_REGULAR) {
            const MomentSeries *moments = &curve->regular.moments;
            Quad sum[4];
            NodeFour four;
            four_series_points(&moments->series, t, quad_times(t, t), sum);
            node_regular(&curve->regular, slip, t, sum, &four);
            quad_store(out->s[0] + i, four.s[0]);
            quad_store(out->s[1] + i, four.s[1]);
            quad_store(out->r + i, four.r);
            for (int j = 0; j < 4; j++) {
                const Spinor *spinor = &moments->spinor;
                double G = spinor->G[0] + at[j] * line_fall(spinor, at[j]);
                out->pace[i + j] = reach * spinor->k * line_size(spinor, at[j]) / G;
            }
            continue;
        }
        for (int j = 0; j < 4; j++) {
            PointPair point;
            double rate = 0;
            if (arrives) {
                const Spinor *spinor = &curve->arrival.moments.spinor;
                double z = exp(at[j]);
                spinor_direction(spinor, both(z), point.rates.s);
                point.rates.r = both(arrival_speed_at(&curve->arrival, z));
                rate = spinor->k * line_size(spinor, z) / line_fall(spinor, z);
            } else {
                nodes_one(curve, slip, at[j], &point);
                rate = curve->kind == CURVE_FADE ? curve->fade.time : curve->logtime.time;
            }
            out->s[0][i + j] = LANE(point.rates.s[0], 0);
            out->s[1][i + j] = LANE(point.rates.s[1], 0);
            out->r[i + j] = LANE(point.rates.r, 0);
            out->pace[i + j] = reach * rate;
        }
    }
    out->speed = arrives ? arrival_speed_at(&curve->arrival, from->t) : norm2(from->point->gamma);
}

/* One piece. Speed: filled field by field, as points are (span.h). */
static void nodes_piece(const RigidVisitor *visitor, const SlipCurve *curve, const Slip *slip,
                        const NodeEnd *start, const NodeEnd *end, int line, int event) {
    const CurvePoint *from = start->point, *to = end->point;
    int stops = !event && to->inverse == 0;
    int near = visitor->wants_nodes &&
               (node_is_near(slip, start->s) || (!stops && node_is_near(slip, end->s)));
    RigidSums total;
    RigidNodes nodes;
    RigidPiece piece;
    piece.nodes = NULL;
    piece.kind = line ? RIGID_PIECE_LINE : RIGID_PIECE_CURVE;
    for (int i = 0; i < 2; i++) {
        piece.gamma[0][i] = from->gamma[i];
        piece.gamma[1][i] = to->gamma[i];
        piece.s[0][i] = start->s[i];
        piece.s[1][i] = end->s[i];
        piece.J[i] = to->J[i] - from->J[i];
    }
    piece.vn[0] = from->vn;
    piece.vn[1] = to->vn;
    piece.p = to->p - from->p;
    piece.A = to->A - from->A;
    piece.stops = stops;
    piece.missed = 0;
    piece.sums = &total;
    if (line) {
        /* its mean: the direction still turns a little */
        piece.J[0] = piece.p > 0 ? piece.J[0] / piece.p : -slip->mu * start->s[0];
        piece.J[1] = piece.p > 0 ? piece.J[1] / piece.p : -slip->mu * start->s[1];
    } else if (near) {
        nodes_fill(curve, slip, start, end, &nodes);
        piece.nodes = &nodes;
    } else if (piece.p > 0) {
        piece.missed = nodes_integrate(curve, slip, start, end, piece.stops, event, &total);
    }
    visitor->piece(visitor->context, &piece);
}

/* The direction of slip at a point. */
static void node_turn(const CurvePoint *point, double s[2]) {
    double r = norm2(point->gamma);
    s[0] = point->gamma[0] / r;
    s[1] = point->gamma[1] / r;
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

/* Where the piece from `start` ends, if `end` is too far; near: with nodes in log z. */
static double nodes_next(const SlipCurve *curve, double start, double end, int near) {
    if (curve->kind == CURVE_FADE) {
        return end > start + 3 ? start + 3 : end;
    }
    if (curve->kind != CURVE_ARRIVAL || (end == 0 && !near)) {
        return end;
    }
    double q = fabs(curve->arrival.q), by = q < ARRIVAL_STEEP ? 8 : exp(ARRIVAL_FALL / q);
    if (near && start < ARRIVAL_ALONE) {
        by = most_of(by, exp(ARRIVAL_FALL / (2 * most_of(q, 1))));
    }
    double next = end < start ? start / by : start * by;
    return fabs(end - start) > 1.0001 * fabs(next - start) ? next : end;
}

/* Is the rest a line? */
static int nodes_are_over(const SlipCurve *curve, double start, double end) {
    return curve->kind == CURVE_FADE
               ? start >= FADE_LINE
               : curve->kind == CURVE_ARRIVAL && end < start && start < ARRIVAL_LINE;
}

/* The same for visitors that want nodes: what is left to turn, z r, is below rounding. */
static int nodes_have_settled(const SlipCurve *curve, double start, double end) {
    return curve->kind == CURVE_FADE ? start >= FADE_ALL - 1
                                     : curve->kind == CURVE_ARRIVAL && end == 0 &&
                                           (1 + curve->arrival.q) * log(start) < NODES_SETTLED;
}

/* Report the curve between two points. */
static void nodes_visit(const RigidVisitor *visitor, const SlipCurve *curve, const Slip *slip,
                        const CurvePoint *from, const CurvePoint *to) {
    NodeEnd ends[2] = {{.point = from, .t = nodes_parameter(curve, from)}};
    NodeEnd last = {to, {to->s[0], to->s[1]}, nodes_parameter(curve, to)};
    CurvePoint points[2];
    int event = to != &curve->span.last;
    node_turn(from, ends[0].s);
    if (event) {
        node_turn(to, last.s);
    }
    for (int i = 0;; i = !i) {
        int near = visitor->wants_nodes && node_is_near(slip, ends[i].s);
        double t = ends[i].t, next = nodes_next(curve, t, last.t, near);
        int line = near ? nodes_have_settled(curve, t, last.t) : nodes_are_over(curve, t, last.t);
        if (line || next == last.t) {
            nodes_piece(visitor, curve, slip, &ends[i], &last, line, event);
            return;
        }
        PointPair at;
        CurvePoint *point = &points[!i];
        nodes_one(curve, slip, next, &at);
        span_point(&curve->span, &at, 0, point);
        ends[!i] = (NodeEnd){point, {point->s[0], point->s[1]}, next};
        nodes_piece(visitor, curve, slip, &ends[i], &ends[!i], 0, 0);
    }
}

#endif
