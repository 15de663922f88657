/* The first descent of a polynomial through zero, from one side.
 *
 * On [t, t + span] the second derivative is at least
 *     a = sum over k >= 2 of k (k - 1) p_k (t + span if p_k < 0, else t)^(k-2),
 * so the function lies above the parabola of its value and slope at t and of a, and cannot be 0
 * before that parabola is. Going on from there no root is skipped; close to one the parabola is a
 * tangent, and the steps converge like Newton's, from the side of the start. A shorter span has a
 * better a: it is shortened as long as that promises longer steps. */
#include "flight/descent.h"

#include <math.h>
#include <stdbool.h>

double parabola_descent(double g, double r, double a) {
    double square = r * r - 2 * a * g;
    if (r < 0) {
        /* a parabola that opens upwards may turn before it gets there */
        return square > 0 ? 2 * g / (sqrt(square) - r) : g > 0 ? INFINITY : 0;
    }
    return a < 0 ? (r + sqrt(square)) / -a : INFINITY;
}

/* Value and slope. */
static double evaluate(const double *p, int order, double t, double *slope) {
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
        if (term != 0) { /* an infinite span times nothing is nothing */
            a += term * (term < 0 ? high : low);
        }
    }
    return a;
}

/* Newton's steps, as long as they bring the value closer to 0 inside the interval. */
static void polish(const double *p, int order, double reach, double *time, double *slope_there) {
    double slope, value = evaluate(p, order, *time, &slope);
    for (int i = 0; i < 3 && slope < 0; i++) {
        double next = *time - value / slope, next_slope;
        if (!(next >= 0 && next <= reach)) {
            break;
        }
        double next_value = evaluate(p, order, next, &next_slope);
        if (!(fabs(next_value) < fabs(value) && next_slope < 0)) {
            break;
        }
        *time = next;
        value = next_value;
        slope = next_slope;
    }
    *slope_there = slope;
}

/* How far the function certainly stays above -slack, within the span on which a holds. At 0 and not
 * falling a step of no length would be the answer again and again; one that cannot lower it by more
 * than its rounding is as good. */
static double clear_step(double value, double slope, double a, const DescentSlack *slack) {
    bool at_zero = value <= slack->value && slope >= -slack->slope;
    double step = parabola_descent(fmax(value, 0), at_zero ? fmax(slope, 0) : slope, a);
    return at_zero && a < 0 ? fmax(step, sqrt(slack->value / -a)) : step;
}

/* The next step from t. */
static double next_step(const double *p, int order, double t, double reach, double value,
                        double slope, const DescentSlack *slack) {
    double span = reach - t, step = 0;
    for (int i = 0; i < 60; i++) {
        double a = least_curvature(p, order, t, span);
        step = fmax(step, clear_step(value, slope, a, slack));
        if (step >= span) {
            /* beyond the whole reach if the span is the whole */
            return i == 0 ? step : span;
        }
        /* no better a would make it twice as long, or the span is short enough already */
        if (-2 * slope * step > value || 8 * step > span) {
            break;
        }
        span = fmax(4 * step, span / 64);
    }
    return step;
}

Descent polynomial_descent(const double *p, int order, double reach, const DescentSlack *slack,
                           double *time, double *slope) {
    double t = 0, value;
    for (int i = 0; i < DESCENT_STEPS && t <= reach && t < INFINITY; i++) {
        value = evaluate(p, order, t, slope);
        if (value <= slack->value && *slope < -slack->slope) {
            *time = t;
            if (t > 0) {
                polish(p, order, reach, time, slope);
            }
            return DESCENT_FOUND;
        }
        if (t == 0 && value <= slack->value && *slope <= slack->slope &&
            2 * p[2] < -slack->curvature) {
            *time = *slope = 0;
            return DESCENT_FOUND;
        }
        t += next_step(p, order, t, reach, value, *slope, slack);
    }
    return t <= reach && t < INFINITY ? DESCENT_UNKNOWN : DESCENT_NONE;
}
