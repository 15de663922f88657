/* The normal process along a curve: finds the events on a stretch and runs the phases.
 *
 * Between the directions at which v_n' vanishes v_n is monotone, and where v_n has one sign E is
 * monotone: every event is the only root of a monotone function on a known interval, so that none
 * can be missed. */
#ifndef CAROM_RIGID_WALK_H
#define CAROM_RIGID_WALK_H

#include <math.h>

#include "rigid/curve/curve.h"
#include "rigid/curve/event.h"
#include "rigid/curve/nodes.h"
#include "rigid/process/normal.h"

/* Speed: points are pointed at, not copied, because a copy waits until its source is stored. */
typedef struct Walk {
    Impact *impact;
    const SlipCurve *curve;
    CurvePoint *at;      /* where the process is */
    double friction;     /* work of friction from the start to there */
    CurvePoint found[3]; /* the last events */
    int next;
} Walk;

/* Room for an event; the two before it stay. */
static CurvePoint *walk_room(Walk *walk) {
    walk->next = walk->next == 2 ? 0 : walk->next + 1;
    return &walk->found[walk->next];
}

/* The quantity whose target value is an event. */
typedef enum Goal { GOAL_VN, GOAL_E, GOAL_P } Goal;

/* The goal minus its target at a point with rates; without the third derivative of v_n. */
static EventValue goal_value(const Walk *walk, Goal goal, double target, const CurvePoint *at) {
    switch (goal) {
    case GOAL_P:
        return (EventValue){walk->curve->span.start.p + at->p - target, 1, 0, 0};
    case GOAL_E:
        return (EventValue){walk->impact->E + (at->A - walk->at->A) - target, -at->vn, -at->a,
                            -at->da};
    default:
        return (EventValue){at->vn - target, at->a, at->da, 0};
    }
}

/* Two points as one, without J and gamma, with rates. */
static inline void walk_join(const SlipCurve *curve, const Slip *slip, const CurvePoint *first,
                             const CurvePoint *second, PointPair *points) {
    points->x = pair_make(first->x, second->x);
    points->p = pair_make(first->p, second->p);
    points->A = pair_make(first->A, second->A);
    points->vn = pair_make(first->vn, second->vn);
    points->y = pair_make(first->y, second->y);
    points->z = pair_make(first->z, second->z);
    points->rates.s[0] = pair_make(first->s[0], second->s[0]);
    points->rates.s[1] = pair_make(first->s[1], second->s[1]);
    points->rates.inverse = pair_make(first->inverse, second->inverse);
    curve_rates(curve, slip, points);
}

/* A first guess of the x with f = 0 between two points, from f and two derivatives at both: x as a
 * quintic of w, the part of the change of f, or of its square root if f is extremal at `near`. */
static double walk_guess(const CurvePoint *near, const EventValue *at_near, const CurvePoint *far,
                         const EventValue *at_far) {
    double change = at_far->f - at_near->f, w = -at_near->f / change;
    /* dp/dw and half of d2p/dw2 at both */
    double inverse = 1 / at_far->first, p1 = change * inverse, p2 = 0, n1, n2;
    if (at_near->first == 0) {
        double first = 1 / at_near->second;
        w = sqrt(w);
        n1 = sqrt(2 * change * first);
        n2 = -n1 * n1 * at_near->third * first / 6;
        p1 *= 2;
        p2 = p1;
    } else {
        double first = 1 / at_near->first;
        n1 = change * first;
        n2 = -n1 * n1 * at_near->second * first / 2;
    }
    p2 = (p2 - p1 * p1 * at_far->second * inverse) / 2;
    const Quintic x =
        quintic_between(near->x, near->x1 * n1, near->x1 * n2 + near->x2 * n1 * n1 / 2, far->x,
                        far->x1 * p1, far->x1 * p2 + far->x2 * p1 * p1 / 2);
    return quintic_value(&x, w);
}

/* The point where the goal is met, between the present point and `far` (included): a good guess,
 * then steps with a quadratic model inside a shrinking bracket. */
static void walk_seek(const Walk *walk, Goal goal, double target, const CurvePoint *far,
                      CurvePoint *point) {
    const SlipCurve *curve = walk->curve;
    const Slip *slip = &walk->impact->slip;
    const CurvePoint *from = walk->at;
    EventValue value = goal_value(walk, goal, target, from),
               end = goal_value(walk, goal, target, far);
    if (value.f == 0) {
        *point = *from;
        return;
    }
    double lo = from->x, hi = far->x, x = walk_guess(from, &value, far, &end);
    int sign = value.f > 0;
    PointPair at;
    for (int i = 0; i < 64; i++) {
        if (!((x - lo) * (x - hi) < 0)) {
            x = (lo + hi) / 2;
            if (i > 0 && (x == lo || x == hi)) {
                break;
            }
        }
        curve_points(curve, slip, both(x), &at);
        curve_rates(curve, slip, &at);
        span_point(&curve->span, &at, 0, point);
        point_set_rates(&at, 0, point);
        value = goal_value(walk, goal, target, point);
        if ((value.f > 0) == sign) {
            lo = x;
        } else {
            hi = x;
        }
        Nearby near = event_nearby(slip, &at.rates);
        value.third = goal == GOAL_VN ? LANE(near.dda, 0) : value.third;
        EventStep step = event_step(&value);
        x = event_x(&at, 0, step.dp);
        if (event_is_last(slip, &at, 0, step)) {
            event_taylor(&curve->span, slip, &near, both(step.dp), &at);
            at.x = both(x);
            span_point(&curve->span, &at, 0, point);
            point_set_rates(&at, 0, point);
            break;
        }
    }
    /* p must not fall where restitution is shorter than its rounding */
    if (point->p < from->p) {
        *point = *from;
    }
}

static void walk_state(const SlipCurve *curve, const CurvePoint *at, ImpactState *state) {
    span_set_state(&curve->span, at->p, at->J[0], at->J[1], at->gamma[0], at->gamma[1], at->vn,
                   state);
}

static void walk_sample(Walk *walk, const CurvePoint *to) {
    Impact *impact = walk->impact;
    Sampler *sampler = impact->sampler;
    double unit = impact->units.impulse, end = walk->curve->span.start.p + to->p;
    if (sampler->visitor) {
        nodes_visit(sampler->visitor, walk->curve, &impact->slip, walk->at, to);
    }
    while (sampler_is_due(sampler, unit * end)) {
        CurvePoint point;
        ImpactState state;
        walk_seek(walk, GOAL_P, sampler->next * sampler->step / unit, to, &point);
        walk_state(walk->curve, &point, &state);
        normal_sample(impact, &state, impact->E + (point.A - walk->at->A));
    }
}

static void walk_move(Walk *walk, CurvePoint *to) {
    Impact *impact = walk->impact;
    if (impact->sampler) {
        walk_sample(walk, to);
    }
    normal_book(impact, to->A - walk->at->A);
    walk_state(walk->curve, to, &impact->now);
    walk->at = to;
    walk->friction = to->friction;
}

/* Move to one of two points. Speed: without a CurvePoint, unless samples are taken. */
static inline void walk_move_to(Walk *walk, const PointPair *at, int i, double work) {
    if (walk->impact->sampler) {
        CurvePoint *to = walk_room(walk);
        span_point(&walk->curve->span, at, i, to);
        point_set_rates(at, i, to);
        walk_sample(walk, to);
        walk->at = to;
    }
    normal_book(walk->impact, work);
    span_set_state(&walk->curve->span, LANE(at->p, i), LANE(at->J[0], i), LANE(at->J[1], i),
                   LANE(at->gamma[0], i), LANE(at->gamma[1], i), LANE(at->vn, i),
                   &walk->impact->now);
}

/* The goal that ends restitution. */
static inline Goal walk_goal(const Impact *impact, double *target) {
    *target = impact->law == CAROM_LAW_ENERGETIC ? 0 : impact->stop;
    return impact->law == CAROM_LAW_ENERGETIC ? GOAL_E
           : impact->law == CAROM_LAW_POISSON ? GOAL_P
                                              : GOAL_VN;
}

/* Restitution on a stretch with monotone v_n that ends at `far`. Returns 1 to go on from there. */
static int walk_restitution(Walk *walk, CurvePoint *far) {
    Impact *impact = walk->impact;
    int falls = far->vn < 0;
    double target;
    Goal goal = walk_goal(impact, &target);
    if (falls) {
        CurvePoint *zero = walk_room(walk);
        walk_seek(walk, GOAL_VN, 0, far, zero);
        zero->vn = 0;
        far = zero;
    }
    /* v_n >= 0 up to there */
    double value = goal_value(walk, goal, target, far).f;
    if (goal == GOAL_E ? value <= 0 : value >= 0) {
        CurvePoint *last = walk_room(walk);
        walk_seek(walk, goal, target, far, last);
        walk_move(walk, last);
        if (goal == GOAL_VN) {
            impact->now.vn = target;
        }
        normal_end(impact);
        return 0;
    }
    walk_move(walk, far);
    if (falls) {
        normal_restart_compression(impact);
    }
    return !falls;
}

/* The quantity that vanishes at the end of restitution, at the second point, if compression ends a
 * step after the first one. */
static inline EventValue walk_last_value(const Walk *walk, const PointPair *ends,
                                         const PointPair *at, EventStep step, double dda) {
    const Impact *impact = walk->impact;
    const Rates *rates = &at->rates;
    double e = impact->e, a = LANE(rates->a, 1), da = LANE(rates->da, 1),
           before = walk->curve->span.start.p;
    if (impact->law == CAROM_LAW_ENERGETIC) {
        /* A is at an extremum there: to the fourth power of the step */
        double A = LANE(at->A, 0) - LANE(at->vn, 0) * step.newton * (0.5 - step.bend * (1.0 / 6));
        double E = e * e * (impact->E + (A - LANE(ends->A, 0)));
        return (EventValue){E + (LANE(at->A, 1) - A), -LANE(at->vn, 1), -a, -da};
    }
    if (impact->law == CAROM_LAW_POISSON) {
        return (EventValue){LANE(at->p, 1) + before - (1 + e) * (before + LANE(at->p, 0) + step.dp),
                            1, 0, 0};
    }
    return (EventValue){LANE(at->vn, 1) - e, a, da, dda};
}

/* Find the ends of compression and of restitution at once. Speed: their computations do not wait
 * for each other, and two points cost no more than one. Returns 0, with nothing changed, if not
 * both are found. */
static int walk_land(Walk *walk, const PointPair *ends) {
    Impact *impact = walk->impact;
    const SlipCurve *curve = walk->curve;
    const Slip *slip = &impact->slip;
    double near = LANE(ends->x, 0), far = LANE(ends->x, 1);
    PointPair at;
    Pair x;
    if (!forecast_ends(impact, curve->span.start.p, ends, &x)) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        if (!((LANE(x, 0) - near) * (LANE(x, 0) - far) < 0 &&
              (LANE(x, 1) - LANE(x, 0)) * (LANE(x, 1) - far) < 0)) {
            return 0;
        }
        curve_points(curve, slip, x, &at);
        curve_rates(curve, slip, &at);
        Nearby by = event_nearby(slip, &at.rates);
        EventValue value = {LANE(at.vn, 0), LANE(at.rates.a, 0), LANE(at.rates.da, 0),
                            LANE(by.dda, 0)};
        EventStep step = event_step(&value);
        value = walk_last_value(walk, ends, &at, step, LANE(by.dda, 1));
        EventStep last = event_step(&value);
        if (event_is_last(slip, &at, 0, step) && event_is_last(slip, &at, 1, last)) {
            if (impact->sampler) {
                at.x = pair_make(event_x(&at, 0, step.dp), event_x(&at, 1, last.dp));
            }
            event_taylor(&curve->span, slip, &by, pair_make(step.dp, last.dp), &at);
            Pair taken = pair_plus(span_work(&curve->span, &at), at.A);
            walk->friction = -LANE(taken, 1);
            walk_move_to(walk, &at, 0, LANE(at.A, 0) - LANE(ends->A, 0));
            normal_end_compression(impact);
            walk_move_to(walk, &at, 1, LANE(at.A, 1) - LANE(at.A, 0));
            if (impact->law == CAROM_LAW_NEWTON) {
                impact->now.vn = impact->stop;
            }
            normal_end(impact);
            return 1;
        }
        x = pair_make(event_x(&at, 0, step.dp), event_x(&at, 1, last.dp));
    }
    return 0;
}

/* All phases on a part of the curve with monotone v_n, from the present point to `far`. Returns 0
 * if the curve is to be left. */
static int walk_monotone(Walk *walk, CurvePoint *far) {
    Impact *impact = walk->impact;
    PointPair ends;
    int rises = impact->phase == IMPACT_COMPRESSION && far->vn > 0;
    if (impact->phase == IMPACT_COMPRESSION && !rises && !impact->sampler) {
        walk_move(walk, far);
        return 1;
    }
    walk_join(walk->curve, &impact->slip, walk->at, far, &ends);
    if (impact->sampler) {
        point_set_rates(&ends, 0, walk->at);
    }
    if (rises && walk_land(walk, &ends)) {
        return 0;
    }
    point_set_rates(&ends, 0, walk->at);
    point_set_rates(&ends, 1, far);
    /* v_n crosses 0 at most once, so at most: restitution, restart, compression */
    for (;;) {
        if (impact->phase == IMPACT_COMPRESSION) {
            if (far->vn <= 0) {
                walk_move(walk, far);
                return 1;
            }
            CurvePoint *zero = walk_room(walk);
            walk_seek(walk, GOAL_VN, 0, far, zero);
            zero->vn = 0;
            walk_move(walk, zero);
            normal_end_compression(impact);
            if (impact->done || (impact->e < CURVE_SMALL_E && impact->law == CAROM_LAW_ENERGETIC)) {
                return 0;
            }
        } else if (walk_restitution(walk, far)) {
            return 1;
        } else if (impact->done) {
            return 0;
        }
    }
}

/* Is direction s strictly between a and b, less than half a turn apart? */
static int is_between(const double s[2], const double a[2], const double b[2]) {
    double turn = cross2(a, b);
    return cross2(a, s) * turn > 0 && cross2(s, b) * turn > 0;
}

/* The x of the directions at which v_n' vanishes on the curve, which starts in direction `from`, in
 * the order in which they come. */
static int walk_cuts(const Slip *slip, const SlipCurve *curve, const double from[2],
                     double cut[2]) {
    const double *to = curve->span.last.s;
    int count = 0;
    for (int i = 0; i < slip->turn_count; i++) {
        if (is_between(slip->turn[i], from, to)) {
            cut[count++] = curve_locate(curve, slip->turn[i]);
        }
    }
    if (count == 2 && fabs(cut[1] - curve->span.begin) < fabs(cut[0] - curve->span.begin)) {
        double swap = cut[0];
        cut[0] = cut[1];
        cut[1] = swap;
    }
    return count;
}

/* Run the normal process over a curve, on which slip starts in direction s with speed 1/inverse: to
 * its end, the end of the impact, or (small e) an end of compression, after which the series would
 * cancel. Returns 1 if the end of the curve was reached. */
static int walk_curve(Impact *impact, SlipCurve *curve, const double s[2], double inverse) {
    const Slip *slip = &impact->slip;
    const ImpactState *start = &curve->span.start;
    double cut[2];
    int onward = 1, count = slip->turn_count ? walk_cuts(slip, curve, s, cut) : 0;
    CurvePoint begin, at_cut[2];
    Walk walk;
    walk.impact = impact;
    walk.curve = curve;
    walk.at = &begin;
    walk.friction = 0;
    walk.next = 0;
    begin.x = curve->span.begin;
    begin.y = curve->span.y;
    begin.z = curve->span.z;
    begin.p = begin.J[0] = begin.J[1] = begin.A = begin.friction = 0;
    begin.gamma[0] = start->gamma[0];
    begin.gamma[1] = start->gamma[1];
    begin.vn = start->vn;
    begin.s[0] = s[0];
    begin.s[1] = s[1];
    begin.inverse = inverse;
    impact->work++;
    impact->mismatch = most_of(impact->mismatch, curve->span.mismatch);
    for (int i = 0; i < count && onward; i++) {
        PointPair at;
        curve_points(curve, slip, both(cut[i]), &at);
        span_point(&curve->span, &at, 0, &at_cut[i]);
        onward = walk_monotone(&walk, &at_cut[i]);
    }
    if (onward) {
        onward = walk_monotone(&walk, &curve->span.last);
    }
    impact->energy.friction_loss += walk.friction;
    return onward;
}

#endif
