/* The first descent of a polynomial through zero, from one side.
 *
 * On [t, t + span] the second derivative is at least
 *     a = sum over k >= 2 of k (k - 1) p_k (t + span if p_k < 0, else t)^(k-2),
 * so the function lies above the parabola with its value and slope at t and second derivative a,
 * and cannot reach 0 before the parabola does. Steps to that point skip no root; near a root they
 * converge like Newton's, from the side of the start. A shorter span gives a sharper bound a: it is
 * shortened while that can lengthen the step. */
#include "flight/descent.h"

#include <stdbool.h>

#include "math/functions.h"

double crm_descent_parabola(double g, double r, double a) {
    double square = r * r - 2 * a * g;
    if (r < 0) {
        /* a parabola that opens upwards may turn before it reaches 0 */
        return square > 0 ? 2 * g / (sqrt(square) - r) : g > 0 ? INFINITY : 0;
    }
    return a < 0 ? (r + sqrt(square)) / -a : INFINITY;
}

/* Value and slope at t. */
static double polynomial_value(const double *p, int order, double t, double *slope) {
    double value = p[order];
    *slope = 0;
    for (int k = order - 1; k >= 0; k--) {
        *slope = *slope * t + value;
        value = value * t + p[k];
    }
    return value;
}

static double least_curvature(const double *p, int order, double t, double span) {
    double a = 2 * p[2], low = t, high = t + span;
    for (int k = 3; k <= order; k++, low *= t, high *= t + span) {
        double term = k * (k - 1) * p[k];
        if (term != 0) { /* the span may be infinite */
            a += term * (term < 0 ? high : low);
        }
    }
    return a;
}

/* Newton steps, while they reduce |value| and stay inside the interval. */
static void descent_polish(const double *p, int order, double reach, double *time,
                           double *slope_there) {
    double slope, value = polynomial_value(p, order, *time, &slope);
    for (int i = 0; i < 3 && slope < 0; i++) {
        double next = *time - value / slope, next_slope;
        if (!(next >= 0 && next <= reach)) {
            break;
        }
        double next_value = polynomial_value(p, order, next, &next_slope);
        if (!(fabs(next_value) < fabs(value) && next_slope < 0)) {
            break;
        }
        *time = next;
        value = next_value;
        slope = next_slope;
    }
    *slope_there = slope;
}

/* The step over which the function certainly stays above -slack, within the span on which a holds.
 * At 0 and not falling the step would be 0 for ever; take the step that lowers the function by no
 * more than its rounding. */
static double clear_step(double value, double slope, double a, const DescentSlack *slack) {
    bool at_zero = value <= slack->value && slope >= -slack->slope;
    double step = crm_descent_parabola(fmax(value, 0), at_zero ? fmax(slope, 0) : slope, a);
    return at_zero && a < 0 ? fmax(step, sqrt(slack->value / -a)) : step;
}

/* The step from t to a point that no root precedes. */
static double descent_step(const double *p, int order, double t, double reach, double value,
                           double slope, const DescentSlack *slack) {
    double span = reach - t, step = 0;
    for (int i = 0; i < 60; i++) {
        double a = least_curvature(p, order, t, span);
        step = fmax(step, clear_step(value, slope, a, slack));
        if (step >= span) {
            /* the first span is the whole rest of the interval: no root in it */
            return i == 0 ? step : span;
        }
        /* a sharper a could not double the step, or the span is short already */
        if (-2 * slope * step > value || 8 * step > span) {
            break;
        }
        span = fmax(4 * step, span / 64);
    }
    return step;
}

Descent crm_descent_polynomial(const double *p, int order, double reach, const DescentSlack *slack,
                               double *time, double *slope) {
    double t = 0, value;
    for (int i = 0; i < DESCENT_STEPS && t <= reach && t < INFINITY; i++) {
        value = polynomial_value(p, order, t, slope);
        if (value <= slack->value && *slope < -slack->slope) {
            *time = t;
            if (t > 0) {
                descent_polish(p, order, reach, time, slope);
            }
            return DESCENT_FOUND;
        }
        if (t == 0 && value <= slack->value && *slope <= slack->slope &&
            2 * p[2] < -slack->curvature) {
            *time = *slope = 0;
            return DESCENT_FOUND;
        }
        t += descent_step(p, order, t, reach, value, *slope, slack);
    }
    return t <= reach && t < INFINITY ? DESCENT_UNKNOWN : DESCENT_NONE;
}
