/* The normal process along a curved stretch.
 *
 * Between the directions at which v_n' vanishes v_n is monotone, and where v_n has one sign E is
 * monotone: every event is the only root of a monotone function on a known interval, so that none
 * can be missed. */
#include "rigid/points.h"

#include <math.h>

#include "math/quintic.h"

/* Points are not copied, they are pointed at: a copy of what was just computed would have to wait
 * until it has reached memory. */
typedef struct Walk {
    Impact *impact;
    const Curve *curve;
    Point *at;       /* where the process is */
    double friction; /* what friction has taken from the start to there */
    Point found[3];  /* the last events */
    int next;
} Walk;

/* Room for an event; the two before it stay. */
static Point *other_point(Walk *walk) {
    walk->next = walk->next == 2 ? 0 : walk->next + 1;
    return &walk->found[walk->next];
}

/* What is sought: v_n, E or p with a given value. */
typedef enum Goal { GOAL_VN, GOAL_E, GOAL_P } Goal;

/* F - target, and its first three derivatives in p. */
typedef struct Value {
    double f, first, second, third;
} Value;

/* With the rates of the point; the third derivative of v_n is left out. */
static Value goal_value(const Walk *walk, Goal goal, double target, const Point *at) {
    switch (goal) {
    case GOAL_P:
        return (Value){walk->curve->start.p + at->p - target, 1, 0, 0};
    case GOAL_E:
        return (Value){walk->impact->E + (at->A - walk->at->A) - target, -at->vn, -at->a, -at->da};
    default:
        return (Value){at->vn - target, at->a, at->da, 0};
    }
}

/* Give one of two points the rates that events need. */
static void set_rates(const Points *points, int i, Point *point) {
    point->a = points->rates.a[i];
    point->da = points->rates.da[i];
    point->x1 = points->x1[i];
    point->x2 = points->x2[i];
}

/* Two points as one, without J and gamma, with rates. */
static inline void join(const Curve *curve, const Slip *slip, const Point *first,
                        const Point *second, Points *points) {
    points->x = (Pair){first->x, second->x};
    points->p = (Pair){first->p, second->p};
    points->A = (Pair){first->A, second->A};
    points->vn = (Pair){first->vn, second->vn};
    points->y = (Pair){first->y, second->y};
    points->z = (Pair){first->z, second->z};
    points->rates.s[0] = (Pair){first->s[0], second->s[0]};
    points->rates.s[1] = (Pair){first->s[1], second->s[1]};
    points->rates.inverse = (Pair){first->inverse, second->inverse};
    curve_rates(curve, slip, points);
}

/* A step in p. */
typedef struct Step {
    double dp;
    double newton; /* Newton's */
    double bend;   /* how much the first derivative changes on the way, relative */
} Step;

/* What `bend` may be for a step to be the last: its fourth power is below rounding then. */
static const double STRAIGHT = 1e-4;

/* The step to the nearest zero: if it is small, with the third derivative; else that of the
 * quadratic model, Newton's if it has none. With 1/first. */
static inline Step next_step(const Value *value, double inverse) {
    double dp = -value->f * inverse, bend = value->second * inverse * dp;
    if (fabs(bend) <= STRAIGHT) {
        double third = value->third * inverse * (dp * dp);
        return (Step){dp * (1 - (bend * (1 - bend) * 0.5 + third * (1.0 / 6))), dp, bend};
    }
    double square = 1 + 2 * bend;
    return (Step){square < 0 ? dp : 2 * dp / (1 + sqrt(square)), dp, bend};
}

/* Is a step so small that the process needs no more than its cube? */
static inline int is_last(const Slip *slip, const Points *at, int i, Step step) {
    return fabs(step.dp) * slip->rate <= 2e-4 * at->rates.r[i] && fabs(step.bend) <= STRAIGHT;
}

/* The process close to points: a step dp takes mu dp (s (1 - along dp^2) + s_perp dp (aside - bend
 * dp)) off J; dda is the third derivative of v_n. */
typedef struct Nearby {
    Pair along, aside, bend, dda;
} Nearby;

static inline Nearby look_nearby(const Slip *slip, const Rates *rates) {
    const double sixth = 1.0 / 6, *d = slip->d;
    const Pair *s = rates->s;
    /* theta' = g/r, theta'' = -theta' (2 f + across)/r */
    Pair turn = rates->g * rates->inverse;
    Nearby near = {.along = turn * turn * sixth,
                   .aside = turn * 0.5,
                   .bend = turn * (2 * rates->f + rates->across) * rates->inverse * sixth};
    near.dda = 6 * slip->mu *
               (near.along * (d[0] * s[0] + d[1] * s[1]) + near.bend * (d[1] * s[0] - d[0] * s[1]));
    return near;
}

/* Move points by small steps dp. */
static inline void settle(const Walk *walk, const Nearby *near, Pair dp, Points *at) {
    const Slip *slip = &walk->impact->slip;
    const Rates *rates = &at->rates;
    const Pair *s = rates->s;
    Pair push = -slip->mu * dp, straight = push * (1 - near->along * (dp * dp));
    Pair aside = push * dp * (near->aside - near->bend * dp);
    at->A -= dp * (at->vn + dp * (0.5 * rates->a + dp * (rates->da * (1.0 / 6))));
    curve_state(walk->curve, slip, at->p + dp, at->J[0] + (straight * s[0] - aside * s[1]),
                at->J[1] + (straight * s[1] + aside * s[0]), at);
}

/* x after a step dp, to second order, unless that would turn the step. */
static inline double advance(const Points *at, int i, double dp) {
    double dx = at->x1[i] * dp, bend = at->x2[i] * dp * dp / 2;
    return at->x[i] + (fabs(bend) < 0.5 * fabs(dx) ? dx + bend : dx);
}

/* A first guess of where f = 0 between two points, from f and two derivatives at both: x as a
 * polynomial of w, f's way from near to far, or, from an extremum of f, of the square root of it.
 */
static double guess(const Point *near, const Value *at_near, const Point *far,
                    const Value *at_far) {
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
static void seek(const Walk *walk, Goal goal, double target, const Point *far, Point *point) {
    const Curve *curve = walk->curve;
    const Slip *slip = &walk->impact->slip;
    const Point *from = walk->at;
    Value value = goal_value(walk, goal, target, from), end = goal_value(walk, goal, target, far);
    if (value.f == 0) {
        *point = *from;
        return;
    }
    double lo = from->x, hi = far->x, x = guess(from, &value, far, &end);
    int sign = value.f > 0;
    Points at;
    for (int i = 0; i < 64; i++) {
        if (!((x - lo) * (x - hi) < 0)) {
            x = (lo + hi) / 2;
            if (i > 0 && (x == lo || x == hi)) {
                break;
            }
        }
        curve_at(curve, slip, both(x), &at);
        curve_rates(curve, slip, &at);
        curve_point(curve, &at, 0, point);
        set_rates(&at, 0, point);
        value = goal_value(walk, goal, target, point);
        if ((value.f > 0) == sign) {
            lo = x;
        } else {
            hi = x;
        }
        Nearby near = look_nearby(slip, &at.rates);
        value.third = goal == GOAL_VN ? near.dda[0] : value.third;
        Step step = next_step(&value, 1 / value.first);
        x = advance(&at, 0, step.dp);
        if (is_last(slip, &at, 0, step)) {
            settle(walk, &near, both(step.dp), &at);
            at.x = both(x);
            curve_point(curve, &at, 0, point);
            set_rates(&at, 0, point);
            break;
        }
    }
    /* where restitution is too short for p to notice, p must not seem to fall */
    if (point->p < from->p) {
        *point = *from;
    }
}

/* The state at a point; one by one, since what is copied at once waits until all of it has reached
 * memory. */
static inline void set_state(const Curve *curve, double p, double jx, double jy, double gx,
                             double gy, double vn, State *state) {
    const State *start = &curve->start;
    state->p = start->p + p;
    state->J[0] = start->J[0] + jx;
    state->J[1] = start->J[1] + jy;
    state->gamma[0] = gx;
    state->gamma[1] = gy;
    state->vn = vn;
}

static void state_at(const Curve *curve, const Point *at, State *state) {
    set_state(curve, at->p, at->J[0], at->J[1], at->gamma[0], at->gamma[1], at->vn, state);
}

static void sample(Walk *walk, const Point *to) {
    Impact *impact = walk->impact;
    Sampler *sampler = impact->sampler;
    double unit = impact->units.impulse, end = walk->curve->start.p + to->p;
    while (sampler_is_due(sampler, unit * end)) {
        Point point;
        State state;
        seek(walk, GOAL_P, sampler->next * sampler->step / unit, to, &point);
        state_at(walk->curve, &point, &state);
        impact_sample(impact, &state, impact->E + (point.A - walk->at->A));
    }
}

static void move(Walk *walk, Point *to) {
    Impact *impact = walk->impact;
    if (impact->sampler) {
        sample(walk, to);
    }
    impact_book(impact, to->A - walk->at->A);
    state_at(walk->curve, to, &impact->now);
    walk->at = to;
    walk->friction = to->friction;
}

/* Move to one of two points, with the normal work that this takes. */
static inline void move_to(Walk *walk, const Points *at, int i, double work) {
    if (walk->impact->sampler) {
        Point *to = other_point(walk);
        curve_point(walk->curve, at, i, to);
        set_rates(at, i, to);
        sample(walk, to);
        walk->at = to;
    }
    impact_book(walk->impact, work);
    set_state(walk->curve, at->p[i], at->J[0][i], at->J[1][i], at->gamma[0][i], at->gamma[1][i],
              at->vn[i], &walk->impact->now);
}

/* What ends restitution. */
static inline Goal last_goal(const Impact *impact, double *target) {
    *target = impact->law == CAROM_LAW_ENERGETIC ? 0 : impact->stop;
    return impact->law == CAROM_LAW_ENERGETIC ? GOAL_E
           : impact->law == CAROM_LAW_POISSON ? GOAL_P
                                              : GOAL_VN;
}

/* Restitution on a stretch with monotone v_n that ends at `far`. Returns 1 to go on from there. */
static int restitution(Walk *walk, Point *far) {
    Impact *impact = walk->impact;
    int falls = far->vn < 0;
    double target;
    Goal goal = last_goal(impact, &target);
    if (falls) {
        Point *zero = other_point(walk);
        seek(walk, GOAL_VN, 0, far, zero);
        zero->vn = 0;
        far = zero;
    }
    /* nothing but v_n >= 0 lies between */
    double value = goal_value(walk, goal, target, far).f;
    if (goal == GOAL_E ? value <= 0 : value >= 0) {
        Point *last = other_point(walk);
        seek(walk, goal, target, far, last);
        move(walk, last);
        if (goal == GOAL_VN) {
            impact->now.vn = target;
        }
        impact_end(impact);
        return 0;
    }
    move(walk, far);
    if (falls) {
        impact_restart_compression(impact);
    }
    return !falls;
}

/* What is sought at the second point, where restitution ends, if compression ends a step after the
 * first one. */
static inline Value last_value(const Walk *walk, const Points *ends, const Points *at, Step step,
                               double dda) {
    const Impact *impact = walk->impact;
    const Rates *rates = &at->rates;
    double e = impact->e, a = rates->a[1], da = rates->da[1], before = walk->curve->start.p;
    if (impact->law == CAROM_LAW_ENERGETIC) {
        /* A is at an extremum there: to the fourth power of the step */
        double A = at->A[0] - at->vn[0] * step.newton * (0.5 - step.bend * (1.0 / 6));
        double E = e * e * (impact->E + (A - ends->A[0]));
        return (Value){E + (at->A[1] - A), -at->vn[1], -a, -da};
    }
    if (impact->law == CAROM_LAW_POISSON) {
        return (Value){at->p[1] + before - (1 + e) * (before + at->p[0] + step.dp), 1, 0, 0};
    }
    return (Value){at->vn[1] - e, a, da, dda};
}

/* The end of compression and that of restitution, sought at once: what is done at the one need not
 * wait for the other, and two points cost no more than one. Returns 0, and has done nothing, if
 * they are not both found. */
static int land(Walk *walk, const Points *ends) {
    Impact *impact = walk->impact;
    const Curve *curve = walk->curve;
    const Slip *slip = &impact->slip;
    double near = ends->x[0], far = ends->x[1];
    Points at;
    Pair x;
    if (!curve_forecast(impact, curve, ends, &x)) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        if (!((x[0] - near) * (x[0] - far) < 0 && (x[1] - x[0]) * (x[1] - far) < 0)) {
            return 0;
        }
        curve_at(curve, slip, x, &at);
        curve_rates(curve, slip, &at);
        Nearby by = look_nearby(slip, &at.rates);
        Value value = {at.vn[0], at.rates.a[0], at.rates.da[0], by.dda[0]};
        Step step = next_step(&value, 1 / value.first);
        value = last_value(walk, ends, &at, step, by.dda[1]);
        Step last = next_step(&value, 1 / value.first);
        if (is_last(slip, &at, 0, step) && is_last(slip, &at, 1, last)) {
            if (impact->sampler) {
                at.x = (Pair){advance(&at, 0, step.dp), advance(&at, 1, last.dp)};
            }
            settle(walk, &by, (Pair){step.dp, last.dp}, &at);
            Pair taken = curve_work(curve, &at) + at.A;
            walk->friction = -taken[1];
            move_to(walk, &at, 0, at.A[0] - ends->A[0]);
            impact_end_compression(impact);
            move_to(walk, &at, 1, at.A[1] - at.A[0]);
            if (impact->law == CAROM_LAW_NEWTON) {
                impact->now.vn = impact->stop;
            }
            impact_end(impact);
            return 1;
        }
        x = (Pair){advance(&at, 0, step.dp), advance(&at, 1, last.dp)};
    }
    return 0;
}

/* All phases on a part of the curve with monotone v_n, from the present point to `far`. Returns 0
 * if the curve is to be left. */
static int monotone_run(Walk *walk, Point *far) {
    Impact *impact = walk->impact;
    Points ends;
    int rises = impact->phase == COMPRESSION && far->vn > 0;
    if (impact->phase == COMPRESSION && !rises && !impact->sampler) {
        move(walk, far);
        return 1;
    }
    join(walk->curve, &impact->slip, walk->at, far, &ends);
    if (impact->sampler) {
        set_rates(&ends, 0, walk->at);
    }
    if (rises && land(walk, &ends)) {
        return 0;
    }
    set_rates(&ends, 0, walk->at);
    set_rates(&ends, 1, far);
    /* v_n crosses 0 at most once, so at most: restitution, restart, compression */
    for (;;) {
        if (impact->phase == COMPRESSION) {
            if (far->vn <= 0) {
                move(walk, far);
                return 1;
            }
            Point *zero = other_point(walk);
            seek(walk, GOAL_VN, 0, far, zero);
            zero->vn = 0;
            move(walk, zero);
            impact_end_compression(impact);
            if (impact->done || (impact->e < CURVE_SMALL_E && impact->law == CAROM_LAW_ENERGETIC)) {
                return 0;
            }
        } else if (restitution(walk, far)) {
            return 1;
        } else if (impact->done) {
            return 0;
        }
    }
}

/* Is direction s strictly between a and b, less than half a turn apart? */
static int between(const double s[2], const double a[2], const double b[2]) {
    double turn = cross2(a, b);
    return cross2(a, s) * turn > 0 && cross2(s, b) * turn > 0;
}

/* The x of the directions at which v_n' vanishes on the curve, which starts in direction `from`, in
 * the order in which they come. */
static int find_cuts(const Slip *slip, const Curve *curve, const double from[2], double cut[2]) {
    const double *to = curve->last.s;
    int count = 0;
    for (int i = 0; i < slip->turn_count; i++) {
        if (between(slip->turn[i], from, to)) {
            cut[count++] = curve_locate(curve, slip->turn[i]);
        }
    }
    if (count == 2 && fabs(cut[1] - curve->begin) < fabs(cut[0] - curve->begin)) {
        double swap = cut[0];
        cut[0] = cut[1];
        cut[1] = swap;
    }
    return count;
}

int curve_run(Impact *impact, Curve *curve, const double s[2], double inverse) {
    const Slip *slip = &impact->slip;
    const State *start = &curve->start;
    double cut[2];
    int onward = 1, count = slip->turn_count ? find_cuts(slip, curve, s, cut) : 0;
    Point begin, at_cut[2];
    Walk walk;
    walk.impact = impact;
    walk.curve = curve;
    walk.at = &begin;
    walk.friction = 0;
    walk.next = 0;
    begin.x = curve->begin;
    begin.y = curve->y;
    begin.z = curve->z;
    begin.p = begin.J[0] = begin.J[1] = begin.A = begin.friction = 0;
    begin.gamma[0] = start->gamma[0];
    begin.gamma[1] = start->gamma[1];
    begin.vn = start->vn;
    begin.s[0] = s[0];
    begin.s[1] = s[1];
    begin.inverse = inverse;
    impact->work++;
    impact->mismatch = most_of(impact->mismatch, curve->mismatch);
    for (int i = 0; i < count && onward; i++) {
        Points at;
        curve_at(curve, slip, both(cut[i]), &at);
        curve_point(curve, &at, 0, &at_cut[i]);
        onward = monotone_run(&walk, &at_cut[i]);
    }
    if (onward) {
        onward = monotone_run(&walk, &curve->last);
    }
    impact->energy.friction_loss += walk.friction;
    return onward;
}
