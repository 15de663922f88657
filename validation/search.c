#include "search.h"

#include <math.h>
#include <string.h>

/* Steps of the simplex for each coefficient; starts for up to three coefficients, and for more. */
enum { STEPS = 40, STARTS = 4, STARTS_MANY = 5, N = COEFFICIENTS_MAX };

double search_error(const Model *model, const Impact *impacts, int count,
                    const double *coefficients, double *each) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double after[VELOCITIES];
        bool good = model->strike(&impacts[i], coefficients, after);
        double error = good ? impact_error(&impacts[i], after) : 1;
        error = isfinite(error) ? error : 1; /* as if nothing had happened */
        sum += error;
        if (each) {
            each[i] = error;
        }
    }
    return sum / count;
}

/* Variables are 0 at the low ends of the ranges and 1 at the high ends. */
static void place(const Model *model, const double *x, double *coefficients) {
    for (int k = 0; k < model->count; k++) {
        double low = model->low[k], high = model->high[k];
        coefficients[k] =
            model->factor[k] ? low * pow(high / low, x[k]) : low + x[k] * (high - low);
    }
}

/* The error at a point, moved into the bounds. */
static double value(const Model *model, const Impact *impacts, int count, double *x) {
    double coefficients[N] = {0};
    for (int k = 0; k < model->count; k++) {
        x[k] = fmin(fmax(x[k], 0), 1);
    }
    place(model, x, coefficients);
    return search_error(model, impacts, count, coefficients, NULL);
}

/* One descent of a simplex. */
static double descend(const Model *model, const Impact *impacts, int count, double *best) {
    int n = model->count;
    double points[N + 1][N], values[N + 1];
    for (int i = 0; i <= n; i++) {
        memcpy(points[i], best, sizeof points[i]);
        if (i > 0) {
            points[i][i - 1] += best[i - 1] > 0.5 ? -0.15 : 0.15;
        }
        values[i] = value(model, impacts, count, points[i]);
    }
    for (int step = 0; step < STEPS * n; step++) {
        int high = 0, low = 0;
        double centre[N] = {0}, moved[2][N], tried;
        for (int i = 1; i <= n; i++) {
            high = values[i] > values[high] ? i : high;
            low = values[i] < values[low] ? i : low;
        }
        if (values[high] - values[low] < 1e-7) {
            break;
        }
        for (int i = 0; i <= n; i++) {
            for (int k = 0; k < n && i != high; k++) {
                centre[k] += points[i][k] / n;
            }
        }
        for (int k = 0; k < n; k++) {
            moved[0][k] = 2 * centre[k] - points[high][k];
            moved[1][k] = 3 * centre[k] - 2 * points[high][k];
        }
        tried = value(model, impacts, count, moved[0]);
        if (tried < values[high]) {
            double farther =
                tried < values[low] ? value(model, impacts, count, moved[1]) : INFINITY;
            int which = farther < tried;
            memcpy(points[high], moved[which], sizeof points[high]);
            values[high] = which ? farther : tried;
            continue;
        }
        for (int k = 0; k < n; k++) {
            moved[0][k] = (centre[k] + points[high][k]) / 2;
        }
        tried = value(model, impacts, count, moved[0]);
        if (tried < values[high]) {
            memcpy(points[high], moved[0], sizeof points[high]);
            values[high] = tried;
            continue;
        }
        for (int i = 0; i <= n; i++) {
            for (int k = 0; k < n; k++) {
                points[i][k] = (points[i][k] + points[low][k]) / 2;
            }
            values[i] = value(model, impacts, count, points[i]);
        }
    }
    int low = 0;
    for (int i = 1; i <= n; i++) {
        low = values[i] < values[low] ? i : low;
    }
    memcpy(best, points[low], sizeof points[low]);
    return values[low];
}

/* Where a model's own start lies in its ranges. */
static double first_place(const Model *model, int k) {
    double low = model->low[k], high = model->high[k], at = model->start[k];
    return model->factor[k] ? log(at / low) / log(high / low) : (at - low) / (high - low);
}

double search_best(const Model *model, const Impact *impacts, int count, double *coefficients) {
    double least = INFINITY, best[N] = {0};
    int starts = model->count > 3 ? STARTS_MANY : STARTS, bits = model->count > 3 ? 3 : 2;
    for (int start = 0; start < starts; start++) {
        double x[N] = {0};
        for (int k = 0; k < model->count; k++) {
            x[k] = start == 0 ? first_place(model, k) : 0.2 + 0.6 * ((start >> (k % bits)) & 1);
        }
        double found = descend(model, impacts, count, x);
        if (found < least) {
            least = found;
            memcpy(best, x, sizeof x);
        }
    }
    /* a simplex can shrink too early: once more from there, with a new one */
    least = fmin(least, descend(model, impacts, count, best));
    place(model, best, coefficients);
    return least;
}
