/* The normal process along a curved stretch.
 *
 * Between the directions at which v_n' vanishes v_n is monotone, and where v_n has one sign E is
 * monotone: every event is the only root of a monotone function on a known interval, so that none
 * can be missed. */
#include "rigid/curve.h"

#include <math.h>

/* Below this e, E in restitution (e^2 of its peak) is expanded anew from the end of compression:
 * as a difference of sums the size of the peak it would lose a factor 1/e of accuracy. */
static const double SMALL_E = 0.1;

typedef struct Walk {
    Impact *impact;
    const Curve *curve;
    Point at; /* where the process is */
} Walk;

/* What is sought: v_n, E or p with a given value. */
typedef enum Goal { GOAL_VN, GOAL_E, GOAL_P } Goal;

/* F - target, and its first two derivatives in p. */
typedef struct Value {
    double f, first, second;
} Value;

static Value goal_value(const Walk *walk, Goal goal, double target, const Point *point) {
    const Slip *slip = &walk->impact->slip;
    if (goal == GOAL_P) {
        return (Value){walk->curve->start.p + point->p - target, 1, 0};
    }
    double inverse = 1 / point->r, rate[2];
    double s[2] = {point->gamma[0] * inverse, point->gamma[1] * inverse};
    double a = 1 - slip->mu * dot2(slip->d, s); /* dv_n/dp */
    if (goal == GOAL_E) {
        return (Value){walk->impact->E + (point->A - walk->at.A) - target, -point->vn, -a};
    }
    /* da/dp = -mu d.s_perp theta', theta' = g/r */
    slip_rate(slip, s, rate);
    return (Value){point->vn - target, a,
                   -slip->mu * cross2(s, slip->d) * cross2(s, rate) * inverse};
}

/* The step in p to the nearest zero of the quadratic model; Newton's if it has none. */
static double model_step(Value value) {
    double square = value.first * value.first - 2 * value.f * value.second;
    if (square < 0) {
        return -value.f / value.first;
    }
    return -2 * value.f / (value.first + copysign(sqrt(square), value.first));
}

/* Move a point by a step in p so small that its fourth power is below rounding. */
static void nudge(const Curve *curve, const Slip *slip, Point *point, double dp, double dx) {
    const double *b = slip->b;
    double inverse = 1 / point->r, rate[2];
    double s[2] = {point->gamma[0] * inverse, point->gamma[1] * inverse};
    slip_rate(slip, s, rate);
    /* theta' = g/r, theta'' = -theta' (2 f + s_perp.b s_perp)/r */
    double along = b[0] * s[1] * s[1] - 2 * b[1] * s[0] * s[1] + b[2] * s[0] * s[0];
    double turn = cross2(s, rate) * inverse * dp;
    double bend = -turn * (2 * dot2(s, rate) + along) * inverse * dp;
    double straight = -slip->mu * dp * (1 - turn * turn / 6);
    double aside = -slip->mu * dp * (turn / 2 + bend / 6);
    double jx = straight * s[0] - aside * s[1], jy = straight * s[1] + aside * s[0];
    /* v_n and A to the same order */
    double a = 1 - slip->mu * dot2(slip->d, s), da = -slip->mu * cross2(s, slip->d) * turn;
    double A = -dp * (point->vn + dp * (a / 2 + da / 6));
    Lanes lanes = lanes_make(point->p + dp, point->J[0] + jx, point->J[1] + jy, point->A + A);
    curve_point(curve, slip, point->x + dx, &lanes, point);
}

/* Move a point by a step in p so small that its square is below rounding. */
static void shift(const Slip *slip, Point *point, double dp) {
    double by = -slip->mu * dp / point->r, jx = by * point->gamma[0], jy = by * point->gamma[1];
    point->p += dp;
    point->J[0] += jx;
    point->J[1] += jy;
    point->A -= point->vn * dp;
    point->vn += dp + (slip->d[0] * jx + slip->d[1] * jy);
    point->gamma[0] += slip->d[0] * dp + (slip->B[0] * jx + slip->B[1] * jy);
    point->gamma[1] += slip->d[1] * dp + (slip->B[1] * jx + slip->B[2] * jy);
}

/* A first guess of where f = 0 between two points, from f and its slope in x at both: x as a cubic
 * of f, or, from an extremum of f, of the square root of its change. */
static double guess(const Curve *curve, const Slip *slip, const Point *near, Value at_near,
                    const Point *far, Value at_far) {
    double range = far->x - near->x, slope, bend;
    double w, w_near, w_far; /* f's way from near to far, and 1/range times dx/dw at both */
    curve_slope(curve, slip, far, &slope, &bend);
    w_far = (at_far.f - at_near.f) / (at_far.first * slope * range);
    curve_slope(curve, slip, near, &slope, &bend);
    if (at_near.first == 0) {
        w = sqrt(at_near.f / (at_near.f - at_far.f));
        w_near = sqrt(2 * (at_far.f - at_near.f) / (at_near.second * slope * slope)) / fabs(range);
        w_far *= 2;
    } else {
        w = at_near.f / (at_near.f - at_far.f);
        w_near = (at_far.f - at_near.f) / (at_near.first * slope * range);
    }
    double v = 1 - w;
    return near->x + range * w * (w * (3 - 2 * w) + v * (v * w_near - w * w_far));
}

/* The point where the goal is met, between the present point and `far` (included): a good guess,
 * then steps with a quadratic model inside a shrinking bracket. */
static Point seek(const Walk *walk, Goal goal, double target, const Point *far) {
    const Slip *slip = &walk->impact->slip;
    Point point = walk->at;
    Value value = goal_value(walk, goal, target, &point);
    if (value.f == 0) {
        return point;
    }
    double lo = point.x, hi = far->x, from = point.p;
    int sign = value.f > 0;
    double x = guess(walk->curve, slip, &point, value, far, goal_value(walk, goal, target, far));
    for (int i = 0; i < 64; i++) {
        if (!((x - lo) * (x - hi) < 0)) {
            x = (lo + hi) / 2;
            if (x == lo || x == hi) {
                break;
            }
        }
        curve_at(walk->curve, slip, x, &point);
        value = goal_value(walk, goal, target, &point);
        if ((value.f > 0) == sign) {
            lo = x;
        } else {
            hi = x;
        }
        double slope, bend, dp = model_step(value);
        curve_slope(walk->curve, slip, &point, &slope, &bend);
        double dx = dp / slope;
        /* x(p) to second order, unless that would turn the step */
        double factor = 1 - bend * dx / 2;
        dx *= factor > 0.5 && factor < 2 ? factor : 1;
        if (fabs(dp) <= 1e-4 * fabs(point.p - from) && fabs(dp) * slip->rate <= 1e-4 * point.r) {
            nudge(walk->curve, slip, &point, dp, dx);
            /* what is left is the model's cubic error */
            value = goal_value(walk, goal, target, &point);
            shift(slip, &point, -value.f / value.first);
            break;
        }
        x += dx;
    }
    /* where restitution is too short for p to notice, p must not seem to fall */
    return point.p < walk->at.p ? walk->at : point;
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
        Point point = seek(walk, GOAL_P, sampler->next * sampler->step, to);
        State state = state_at(walk->curve, &point);
        impact_sample(impact, &state, impact->E + (point.A - walk->at.A));
    }
}

static void move(Walk *walk, const Point *to) {
    Impact *impact = walk->impact;
    if (impact->sampler) {
        sample(walk, to);
    }
    impact_book(impact, to->A - walk->at.A);
    impact->now = state_at(walk->curve, to);
    walk->at = *to;
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
    Point zero = *far, point;
    int falls = far->vn < 0;
    Goal goal;
    double target;
    if (falls) {
        zero = seek(walk, GOAL_VN, 0, far);
    }
    if (ends_before(walk, &zero, &goal, &target)) {
        point = seek(walk, goal, target, &zero);
        move(walk, &point);
        if (goal == GOAL_VN) {
            impact->now.vn = target;
        }
        impact_end(impact);
        return 0;
    }
    move(walk, &zero);
    if (falls) {
        impact_restart_compression(impact);
        walk->at.vn = 0;
    }
    return !falls;
}

/* All phases on a stretch with monotone v_n. Returns 0 if the curve is to be left. */
static int monotone_run(Walk *walk, const Point *far) {
    Impact *impact = walk->impact;
    /* v_n crosses 0 at most once, so at most: restitution, restart, compression */
    for (;;) {
        if (impact->phase == COMPRESSION) {
            if (far->vn <= 0) {
                move(walk, far);
                return 1;
            }
            Point zero = seek(walk, GOAL_VN, 0, far);
            zero.vn = 0;
            move(walk, &zero);
            impact_end_compression(impact);
            if (impact->done || (impact->e < SMALL_E && impact->law == CAROM_ENERGETIC)) {
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

int curve_run(Impact *impact, const Curve *curve) {
    const Slip *slip = &impact->slip;
    double from[2], to[2], cut[2];
    int count = 0;
    Walk walk = {.impact = impact, .curve = curve};
    walk.at.x = curve->begin;
    walk.at.gamma[0] = curve->start.gamma[0];
    walk.at.gamma[1] = curve->start.gamma[1];
    walk.at.vn = curve->start.vn;
    walk.at.r = norm2(walk.at.gamma);
    impact->work++;
    impact->mismatch = most_of(impact->mismatch, curve->mismatch);
    if (slip->turn_count) {
        curve_direction(curve, walk.at.x, from);
        curve_direction(curve, curve->end, to);
        for (int i = 0; i < slip->turn_count; i++) {
            if (between(slip->turn[i], from, to)) {
                cut[count++] = curve_locate(curve, slip->turn[i]);
            }
        }
        if (count == 2 && fabs(cut[1] - walk.at.x) < fabs(cut[0] - walk.at.x)) {
            double swap = cut[0];
            cut[0] = cut[1];
            cut[1] = swap;
        }
    }
    int onward = 1;
    for (int i = 0; i <= count && onward; i++) {
        Point far = curve->last;
        if (i < count) {
            curve_at(curve, slip, cut[i], &far);
        }
        onward = monotone_run(&walk, &far);
    }
    impact->energy.friction_loss += slip->mu * curve_friction(curve, walk.at.x);
    return onward;
}
