/* Levenberg and Marquardt's method between bounds. */
#include "descent/descent.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cminpack.h>

/* As MINPACK: the first radius, in units of the scaled variables. */
#define FIRST_RADIUS 1.0

/* Trials of a step before the descent counts as settled: each shrinks the radius by 4. */
enum { TRIALS = 20 };

/* The step in the free variables for a radius: min |J p + r| with |D p| <= radius. */
static void free_step(const Triangle *triangle, const int *free, int count, const double *scale,
                      double radius, double *parameter, double *step) {
    int width = triangle->n + 1;
    double a[(TRIANGLE_MAX + 1) * TRIANGLE_MAX], b[TRIANGLE_MAX + 1]; /* a by columns */
    double diagonal[TRIANGLE_MAX], norms[TRIANGLE_MAX], work[3][TRIANGLE_MAX], d[TRIANGLE_MAX];
    double x[TRIANGLE_MAX];
    int order[TRIANGLE_MAX];
    for (int i = 0; i < width; i++) {
        b[i] = triangle->R[i * width + triangle->n];
        for (int k = 0; k < count; k++) {
            a[k * width + i] = triangle->R[i * width + free[k]];
        }
    }
    qrfac(width, count, a, width, 1, order, count, diagonal, norms, work[0]);
    /* b <- Q^T b by the reflections that qrfac leaves below the diagonal */
    for (int k = 0; k < count; k++) {
        double head = a[k * width + k], sum = 0;
        if (head != 0) {
            for (int i = k; i < width; i++) {
                sum += a[k * width + i] * b[i];
            }
            for (int i = k; i < width; i++) {
                b[i] -= a[k * width + i] * sum / head;
            }
        }
        a[k * width + k] = diagonal[k];
    }
    for (int k = 0; k < count; k++) {
        d[k] = scale[free[k]];
    }
    lmpar(count, a, width, order, d, b, radius, parameter, x, work[0], work[1], work[2]);
    for (int k = 0; k < count; k++) {
        step[free[k]] = -x[k];
    }
}

/* The variables that may move: not held, and not on a bound that the descent would leave. */
static int list_free(const Descent *descent, const double *x, const Triangle *triangle, int *free) {
    double gradient[TRIANGLE_MAX];
    int count = 0;
    crm_triangle_gradient(triangle, gradient);
    for (int i = 0; i < descent->n; i++) {
        bool held = (x[i] <= descent->low[i] && gradient[i] >= 0) ||
                    (x[i] >= descent->high[i] && gradient[i] <= 0);
        if (!held && descent->low[i] < descent->high[i]) {
            free[count++] = i;
        }
    }
    return count;
}

/* As MINPACK: the largest norm of each column so far; 1 where a column is 0. */
static void update_scale(const Triangle *triangle, double *scale) {
    int width = triangle->n + 1;
    for (int j = 0; j < triangle->n; j++) {
        double norm = 0;
        for (int i = 0; i <= j; i++) {
            norm = hypot(norm, triangle->R[i * width + j]);
        }
        scale[j] = fmax(scale[j], norm > 0 ? norm : DBL_MIN);
    }
}

static double scaled_norm(const double *x, const double *scale, int n) {
    double norm = 0;
    for (int i = 0; i < n; i++) {
        norm = hypot(norm, scale[i] * x[i]);
    }
    return norm;
}

/* Try steps from x with shrinking radii until one helps. Returns the drop of the objective, 0 if
 * none helps. */
static double try_steps(const Descent *descent, double *x, DescentEnd *end, const double *scale,
                        double *radius, double *parameter) {
    int n = descent->n, free[TRIANGLE_MAX];
    int count = list_free(descent, x, &end->triangle, free);
    double step[TRIANGLE_MAX] = {0}, next[TRIANGLE_MAX], objective;
    double square = crm_triangle_value(&end->triangle, step);
    for (int trial = 0; trial < TRIALS && count > 0; trial++) {
        memset(step, 0, sizeof step);
        free_step(&end->triangle, free, count, scale, *radius, parameter, step);
        for (int i = 0; i < n; i++) {
            next[i] = fmin(fmax(x[i] + step[i], descent->low[i]), descent->high[i]);
            step[i] = next[i] - x[i];
        }
        double promised = square - crm_triangle_value(&end->triangle, step);
        if (!(promised > 0.1 * descent->tolerance * square)) {
            return 0;
        }
        double length = scaled_norm(step, scale, n);
        bool good = descent->evaluate(descent->context, next, &objective, NULL);
        double drop = good ? end->objective - objective : -INFINITY;
        if (drop > 1e-4 * promised) {
            memcpy(x, next, (size_t)n * sizeof *x);
            *radius = drop > 0.75 * promised ? fmax(*radius, 2 * length) : *radius;
            *radius = drop < 0.25 * promised ? 0.5 * length : *radius;
            return drop;
        }
        *radius = 0.25 * fmin(*radius, length);
        *parameter = 0;
    }
    return 0;
}

void crm_descend(const Descent *descent, double *x, DescentEnd *end) {
    double scale[TRIANGLE_MAX] = {0}, parameter = 0, radius = 0;
    end->settled = false;
    end->passes = 0;
    end->found = descent->evaluate(descent->context, x, &end->objective, &end->triangle);
    while (end->found && ++end->passes < descent->passes_max) {
        update_scale(&end->triangle, scale);
        if (end->passes == 1) {
            radius = FIRST_RADIUS * scaled_norm(x, scale, descent->n);
            radius = radius > 0 ? radius : FIRST_RADIUS;
        }
        if (end->objective <= descent->floor) {
            end->settled = true;
            return;
        }
        double drop = try_steps(descent, x, end, scale, &radius, &parameter);
        if (drop == 0) {
            end->settled = true;
            return;
        }
        bool good = descent->evaluate(descent->context, x, &end->objective, &end->triangle);
        if (!good || drop <= descent->tolerance * end->objective) {
            end->settled = good;
            return;
        }
    }
}
