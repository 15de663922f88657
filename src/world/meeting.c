/* The first root of a gap, by closed form for parabolas and by marching (math/jet.c) for the
 * squared distance, a polynomial of degree 4:
 *
 *   |d + v t + a t^2/2|^2 - R^2 = (|d| - R)(|d| + R) + 2 d.v t + (v.v + d.a) t^2 + v.a t^3 + a.a/4
 * t^4 */
#include "world/meeting.h"

#include <float.h>
#include <stdbool.h>

#include "flight/descent.h"
#include "math/functions.h"
#include "math/jet.h"
#include "math/vec3.h"

/* The speed at which a pressed contact counts as closing. Less than rest: such an impact must not
 * lose, or the contact would get deeper with each. */
static double hold_speed(double c, const MeetingRule *rule) {
    return c < 0 ? fmin(rule->rest / 2, sqrt(-2 * c * rule->depth)) : 0;
}

/* A contact that touches: false if it opens, and has to come back; else *time. */
static bool meets_in_touch(double s, double c, const MeetingRule *rule, double *time) {
    double hold = hold_speed(c, rule);
    *time = 0;
    if (s <= -hold && s < -rule->creep) {
        return true;
    }
    if (c < 0 && s < hold) {
        *time = fmax((s + hold) / -c, 0);
        return true;
    }
    return false;
}

/* How long a contact that closes at a speed is left alone. */
static double hold_time(double closing, double c, const MeetingRule *rule) {
    double hold = hold_speed(c, rule);
    return closing < hold ? (hold - fmax(closing, 0)) / -c : 0;
}

double crm_meeting_parabola(double g, double s, double c, const MeetingRule *rule) {
    double time;
    if (g <= rule->touch) {
        if (meets_in_touch(s, c, rule, &time)) {
            return time;
        }
        g = 0;
        s = fmax(s, 0);
    }
    time = crm_descent_parabola(g, s, c);
    return time < INFINITY ? time + hold_time(-(s + c * time), c, rule) : time;
}

/* Rate and second derivative of the distance |d|. */
static void distance_rates(const double d[3], const double v[3], const double a[3], double *s,
                           double *c) {
    double length = sqrt(vec3_dot(d, d));
    *s = vec3_dot(d, v) / length;
    *c = (fmax(vec3_dot(v, v) - *s * *s, 0) + vec3_dot(d, a)) / length;
}

/* All real roots are below this: twice the largest of |p_k/p_4|^(1/(4 - k)). */
static double root_bound(const double p[5]) {
    double bound = fabs(p[3] / p[4]);
    bound = fmax(bound, sqrt(fabs(p[2] / p[4])));
    bound = fmax(bound, cbrt(fabs(p[1] / p[4])));
    return 2 * fmax(bound, sqrt(sqrt(fabs(p[0] / p[4]))));
}

/* First zero of the quartic. Where marching does not decide, the curve grazes zero within rounding:
 * no touch. */
static double distance_quartic_zero(const double p[5], double until) {
    double bound = root_bound(p), time, slope;
    until = fmin(until, bound);
    if (!(until > 0 && until < INFINITY)) {
        return INFINITY;
    }
    time = crm_jet_polynomial_zero(p, 4, until);
    if (!isnan(time)) {
        return time;
    }
    const DescentSlack slack = {.value = 16 * DBL_EPSILON * fabs(p[0])};
    return crm_descent_polynomial(p, 4, until, &slack, &time, &slope) == DESCENT_FOUND ? time
                                                                                       : INFINITY;
}

/* First zero of the squared distance less reach^2, from a start that is open or opens. */
static double distance_zero(const double d[3], const double v[3], const double a[3], double g,
                            double reach, double until) {
    double dv = vec3_dot(d, v), aa = vec3_dot(a, a);
    const double p[5] = {g * (g + 2 * reach), 2 * (g > 0 ? dv : fmax(dv, 0)),
                         vec3_dot(v, v) + vec3_dot(d, a), vec3_dot(v, a), aa / 4};
    return aa > 0 ? distance_quartic_zero(p, until) : crm_descent_parabola(p[0], p[1], 2 * p[2]);
}

double crm_meeting_distance(const double d[3], const double v[3], const double a[3], double reach,
                            double until, const MeetingRule *rule) {
    double g = sqrt(vec3_dot(d, d)) - reach, s, c, time, then[3], fast[3];
    /* too far to arrive in time */
    double speed = sqrt(vec3_dot(v, v)), push = sqrt(vec3_dot(a, a));
    if (g > rule->touch && until < INFINITY && g > 1.0001 * until * (speed + until * push / 2)) {
        return INFINITY;
    }
    distance_rates(d, v, a, &s, &c);
    if (g <= rule->touch) {
        if (meets_in_touch(s, c, rule, &time)) {
            return time;
        }
        g = 0;
    }
    time = distance_zero(d, v, a, g, reach, until);
    if (!(time < INFINITY)) {
        return INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        then[k] = d[k] + time * (v[k] + time * a[k] / 2);
        fast[k] = v[k] + time * a[k];
    }
    distance_rates(then, fast, a, &s, &c);
    return time + hold_time(-s, c, rule);
}
