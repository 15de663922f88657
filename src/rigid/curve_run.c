/* The normal process along a curved stretch.
 *
 * Between the directions at which v_n' vanishes v_n is monotone, and where v_n has one sign E is
 * monotone: every event is the only root of a monotone function on a known interval, so that none
 * can be missed. Roots by Newton's method inside a shrinking bracket. */
#include "rigid/curve.h"

#include <float.h>
#include <math.h>

/* Below this e, E in restitution (e^2 of its peak) is expanded anew from the end of compression:
 * as a difference of sums the size of the peak it would lose a factor 1/e of accuracy. */
static const double SMALL_E = 0.1;

typedef struct Walk {
    Impact *impact;
    const Curve *curve;
    Point at; /* where the process is */
} Walk;

/* What is sought: the function's value and derivative in p at a point. */
typedef enum Goal { GOAL_VN, GOAL_E, GOAL_P } Goal;

static double goal_value(const Walk *walk, Goal goal, double target, const Point *point,
                         double *derivative) {
    switch (goal) {
    case GOAL_VN: {
        const double *d = walk->impact->slip.d;
        *derivative = 1 - walk->impact->slip.mu * dot2(d, point->gamma) / point->r;
        return point->vn - target;
    }
    case GOAL_E:
        *derivative = -point->vn;
        return walk->impact->E + (point->A - walk->at.A) - target;
    default:
        *derivative = 1;
        return walk->curve->start.p + point->p - target;
    }
}

/* The point where the goal is met, between the present point and `far` (included). */
static Point seek(const Walk *walk, Goal goal, double target, const Point *far) {
    double slope, lo = walk->at.x, hi = far->x;
    double f_lo = goal_value(walk, goal, target, &walk->at, &slope);
    double f_hi = goal_value(walk, goal, target, far, &slope);
    if (f_lo == 0) {
        return walk->at;
    }
    Point point = *far;
    double x = hi - f_hi * (hi - lo) / (f_hi - f_lo);
    for (int i = 0; i < 64; i++) {
        curve_at(walk->curve, &walk->impact->slip, x, &point);
        double f = goal_value(walk, goal, target, &point, &slope);
        if ((f > 0) == (f_lo > 0)) {
            lo = x;
        } else {
            hi = x;
        }
        double step = f / (slope * curve_slope(walk->curve, &point));
        double next = x - step;
        if (fabs(step) <= 2 * DBL_EPSILON * fabs(x) || f == 0) {
            break;
        }
        if (!((next - lo) * (next - hi) < 0)) {
            next = (lo + hi) / 2;
            if (fabs(hi - lo) <= 2 * DBL_EPSILON * fabs(x)) {
                break;
            }
        }
        x = next;
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
    impact_book(impact, to->A - walk->at.A, impact->slip.mu * (to->F - walk->at.F));
    impact->now = state_at(walk->curve, to);
    walk->at = *to;
}

/* Does restitution end at or before the point? Nothing but v_n >= 0 lies between. */
static int ends_before(const Walk *walk, const Point *point, Goal *goal, double *target) {
    const Impact *impact = walk->impact;
    double derivative;
    *goal = impact->law == CAROM_ENERGETIC ? GOAL_E
            : impact->law == CAROM_POISSON ? GOAL_P
                                           : GOAL_VN;
    *target = impact->law == CAROM_ENERGETIC ? 0 : impact->stop;
    double value = goal_value(walk, *goal, *target, point, &derivative);
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
    double from[2], to[2], cut[3];
    int count = 0;
    Walk walk = {.impact = impact, .curve = curve};
    walk.at.x = curve->kind == CURVE_ARRIVAL ? 1 : 0;
    walk.at.gamma[0] = curve->start.gamma[0];
    walk.at.gamma[1] = curve->start.gamma[1];
    walk.at.vn = curve->start.vn;
    walk.at.r = hypot(walk.at.gamma[0], walk.at.gamma[1]);
    impact->work++;
    impact->mismatch = fmax(impact->mismatch, curve->mismatch);
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
    cut[count++] = curve->end;
    for (int i = 0; i < count; i++) {
        Point far = curve->last;
        if (i < count - 1) {
            curve_at(curve, slip, cut[i], &far);
        }
        if (!monotone_run(&walk, &far)) {
            return 0;
        }
    }
    return 1;
}
