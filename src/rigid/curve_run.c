/* The normal process along a curved stretch.
 *
 * Between the directions at which v_n' vanishes v_n is monotone, and where v_n has one sign E is
 * monotone: every event is the only root of a monotone function on a known interval, so that none
 * can be missed. */
#include "rigid/curve.h"

#include <math.h>

#include "math/quintic.h"

/* Points are not copied, they are pointed at: a copy of what was just computed would have to wait
 * until it has reached memory. */
typedef struct Walk {
    Impact *impact;
    const Curve *curve;
    const Point *at; /* where the process is */
    Point found[3];  /* the last events */
    int next;
    Point *ahead; /* near the end of restitution, or NULL */
} Walk;

/* Room for an event; the two before it stay. */
static Point *other_point(Walk *walk) {
    walk->next = walk->next == 2 ? 0 : walk->next + 1;
    return &walk->found[walk->next];
}

/* What is sought: v_n, E or p with a given value. */
typedef enum Goal { GOAL_VN, GOAL_E, GOAL_P } Goal;

/* F - target, and its first three derivatives in p; the third only where it is asked for, at an
 * extremum of E. */
typedef struct Value {
    double f, first, second, third;
} Value;

/* With the rates of the point. */
static inline Value goal_value(const Walk *walk, Goal goal, double target, const Point *point) {
    const Rates *rates = &point->rates;
    switch (goal) {
    case GOAL_P:
        return (Value){walk->curve->start.p + point->p - target, 1, 0, 0};
    case GOAL_E:
        return (Value){walk->impact->E + (point->A - walk->at->A) - target, -point->vn, -rates->a,
                       -rates->da};
    default:
        return (Value){point->vn - target, rates->a, rates->da, 0};
    }
}

/* The step in p to the nearest zero of the quadratic model, Newton's if it has none; with
 * 1/first. */
static double model_step(const Value *value, double inverse) {
    double step = -value->f * inverse, bend = value->second * inverse * step;
    if (fabs(bend) < 0.01) {
        return step * (1 - bend * (1 - bend) / 2);
    }
    double square = 1 + 2 * bend;
    return square < 0 ? step : 2 * step / (1 + sqrt(square));
}

/* Move a point by a step in p so small that its fourth power is below rounding, and then to where
 * the goal is met: what is left is the model's cubic error. */
static void settle(const Walk *walk, Goal goal, const Value *value, double inverse, double dp,
                   Point *point) {
    const Slip *slip = &walk->impact->slip;
    const Rates *rates = &point->rates;
    const double *s = rates->s, half = 1.0 / 2, sixth = 1.0 / 6;
    /* theta' = g/r, theta'' = -theta' (2 f + across)/r */
    double turn = rates->g * rates->inverse;
    double bend = turn * (2 * rates->f + rates->across) * rates->inverse * sixth;
    double along = turn * turn * sixth, first = turn * half;
    /* J = -mu dp (s (1 - along dp^2) + s_perp dp (first - bend dp)), and v_n' = 1 + d.J' */
    double dda = slip->mu * (along * dot2(slip->d, s) + bend * cross2(s, slip->d));
    double gain = goal == GOAL_E
                      ? -dp * (point->vn + dp * (half * rates->a + dp * (sixth * rates->da)))
                  : goal == GOAL_VN ? dp * (rates->a + dp * (half * rates->da + dp * dda))
                                    : dp;
    dp -= (value->f + gain) * (inverse * (1 - value->second * inverse * dp));
    double push = -slip->mu * dp, straight = push * (1 - along * (dp * dp));
    double aside = push * dp * (first - bend * dp);
    point->A -= dp * (point->vn + dp * (half * rates->a + dp * (sixth * rates->da)));
    curve_state(walk->curve, slip, point->p + dp, point->J[0] + (straight * s[0] - aside * s[1]),
                point->J[1] + (straight * s[1] + aside * s[0]), point);
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

/* The point where the goal is met, between the present point and `far` (included): a good guess, or
 * the point itself if it is known, then steps with a quadratic model inside a shrinking bracket.
 * Rates are known at both. */
static Point *seek(const Walk *walk, Goal goal, double target, const Point *far, Point *point,
                   int known) {
    const Curve *curve = walk->curve;
    const Slip *slip = &walk->impact->slip;
    Value value = goal_value(walk, goal, target, walk->at), end;
    if (value.f == 0) {
        *point = *walk->at;
        return point;
    }
    double lo = walk->at->x, hi = far->x, from = walk->at->p;
    int sign = value.f > 0;
    double x;
    if (known && (point->x - lo) * (point->x - hi) < 0) {
        x = point->x;
    } else {
        known = 0;
        end = goal_value(walk, goal, target, far);
        x = guess(walk->at, &value, far, &end);
    }
    for (int i = 0; i < 64; i++) {
        if (!((x - lo) * (x - hi) < 0)) {
            x = (lo + hi) / 2;
            if (i > 0 && (x == lo || x == hi)) {
                break;
            }
        }
        if (i > 0 || !known) {
            curve_at(curve, slip, x, point);
            curve_rates(curve, slip, point);
        }
        value = goal_value(walk, goal, target, point);
        if ((value.f > 0) == sign) {
            lo = x;
        } else {
            hi = x;
        }
        double inverse = 1 / value.first, dp = model_step(&value, inverse);
        double dx = point->x1 * dp, bend = point->x2 * dp * dp / 2;
        /* x(p) to second order, unless that would turn the step */
        x += fabs(bend) < 0.5 * fabs(dx) ? dx + bend : dx;
        if (fabs(dp) <= 2e-4 * fabs(point->p - from) &&
            fabs(dp) * slip->rate <= 2e-4 * point->rates.r) {
            settle(walk, goal, &value, inverse, dp, point);
            point->x = x;
            break;
        }
    }
    /* where restitution is too short for p to notice, p must not seem to fall */
    if (point->p < from) {
        *point = *walk->at;
    }
    return point;
}

static State state_at(const Curve *curve, const Point *point) {
    State state = {.p = curve->start.p + point->p,
                   .J = {curve->start.J[0] + point->J[0], curve->start.J[1] + point->J[1]},
                   .gamma = {point->gamma[0], point->gamma[1]},
                   .vn = point->vn};
    return state;
}

static void sample(Walk *walk, const Point *to) {
    Impact *impact = walk->impact;
    Sampler *sampler = impact->sampler;
    double end = walk->curve->start.p + to->p;
    while (sampler->next < sampler->trace->capacity - 1 && sampler->next * sampler->step <= end) {
        Point point;
        seek(walk, GOAL_P, sampler->next * sampler->step, to, &point, 0);
        State state = state_at(walk->curve, &point);
        impact_sample(impact, &state, impact->E + (point.A - walk->at->A));
    }
}

static void move(Walk *walk, const Point *to) {
    Impact *impact = walk->impact;
    if (impact->sampler) {
        sample(walk, to);
    }
    impact_book(impact, to->A - walk->at->A);
    impact->now = state_at(walk->curve, to);
    walk->at = to;
}

/* Does restitution end at or before the point? Nothing but v_n >= 0 lies between. */
static int ends_before(const Walk *walk, const Point *point, Goal *goal, double *target) {
    const Impact *impact = walk->impact;
    *goal = impact->law == CAROM_ENERGETIC ? GOAL_E
            : impact->law == CAROM_POISSON ? GOAL_P
                                           : GOAL_VN;
    *target = impact->law == CAROM_ENERGETIC ? 0 : impact->stop;
    double value = goal_value(walk, *goal, *target, point).f;
    return *goal == GOAL_E ? value <= 0 : value >= 0;
}

/* Restitution on a stretch with monotone v_n that ends at `far`. Returns 1 to go on from there. */
static int restitution(Walk *walk, const Point *far) {
    Impact *impact = walk->impact;
    int falls = far->vn < 0;
    Goal goal;
    double target;
    if (falls) {
        Point *zero = seek(walk, GOAL_VN, 0, far, other_point(walk), 0);
        zero->vn = 0;
        far = zero;
    }
    if (ends_before(walk, far, &goal, &target)) {
        int known = walk->ahead != NULL;
        move(walk, seek(walk, goal, target, far, known ? walk->ahead : other_point(walk), known));
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

/* Points near the end of compression and that of restitution, both at once: what is done at the one
 * need not wait for the other. Returns 0 if they are not both foreseen. */
static int foresee(Walk *walk, const Point *far, Point *zero) {
    const Curve *curve = walk->curve;
    const Slip *slip = &walk->impact->slip;
    double x[2];
    if (!curve_forecast(walk->impact, curve, walk->at, far, x)) {
        return 0;
    }
    walk->ahead = other_point(walk);
    curve_at(curve, slip, x[0], zero);
    curve_at(curve, slip, x[1], walk->ahead);
    curve_rates(curve, slip, zero);
    curve_rates(curve, slip, walk->ahead);
    return 1;
}

/* All phases on a stretch with monotone v_n. Returns 0 if the curve is to be left. */
static int monotone_run(Walk *walk, Point *near, Point *far) {
    Impact *impact = walk->impact;
    if (impact->phase == RESTITUTION || far->vn > 0 || impact->sampler) {
        curve_pace(walk->curve, near);
        curve_rates(walk->curve, &impact->slip, far);
    }
    /* v_n crosses 0 at most once, so at most: restitution, restart, compression */
    for (;;) {
        if (impact->phase == COMPRESSION) {
            if (far->vn <= 0) {
                move(walk, far);
                return 1;
            }
            Point *zero = other_point(walk);
            int known = foresee(walk, far, zero);
            zero = seek(walk, GOAL_VN, 0, far, zero, known);
            zero->vn = 0;
            move(walk, zero);
            impact_end_compression(impact);
            if (impact->done || (impact->e < CURVE_SMALL_E && impact->law == CAROM_ENERGETIC)) {
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
    const double *to = curve->last.rates.s;
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

int curve_run(Impact *impact, Curve *curve, const Rates *rates) {
    const Slip *slip = &impact->slip;
    double cut[2];
    Point begin, at_cut[2], *near = &begin;
    int onward = 1, count = slip->turn_count ? find_cuts(slip, curve, rates->s, cut) : 0;
    Walk walk;
    walk.impact = impact;
    walk.curve = curve;
    walk.at = near;
    walk.next = 0;
    walk.ahead = NULL;
    begin.x = curve->begin;
    begin.y = curve->y;
    begin.z = curve->z;
    begin.p = begin.J[0] = begin.J[1] = begin.A = 0;
    begin.gamma[0] = curve->start.gamma[0];
    begin.gamma[1] = curve->start.gamma[1];
    begin.vn = curve->start.vn;
    begin.rates = *rates;
    impact->work++;
    impact->mismatch = most_of(impact->mismatch, curve->mismatch);
    for (int i = 0; i <= count && onward; i++) {
        Point *far = &curve->last;
        if (i < count) {
            far = &at_cut[i];
            curve_at(curve, slip, cut[i], far);
            curve_rates(curve, slip, far);
        }
        onward = monotone_run(&walk, near, far);
        near = far;
    }
    impact->energy.friction_loss -= curve_work(curve, walk.at) + walk.at->A;
    return onward;
}
