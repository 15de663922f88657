#include "search.h"

#include <math.h>
#include <string.h>

enum { STARTS = 4, STEPS = 90, N = COEFFICIENTS_MAX };

double search_error(const Model *model, const Impact *impacts, int count,
                    const double *coefficients, double *each) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double after[3];
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

/* The error at a point, moved into the bounds. */
static double value(const Model *model, const Impact *impacts, int count, double *x) {
    for (int k = 0; k < model->count; k++) {
        x[k] = fmin(fmax(x[k], model->low[k]), model->high[k]);
    }
    return search_error(model, impacts, count, x, NULL);
}

/* One descent of a simplex. */
static double descend(const Model *model, const Impact *impacts, int count, double *best) {
    int n = model->count;
    double points[N + 1][N], values[N + 1];
    for (int i = 0; i <= n; i++) {
        memcpy(points[i], best, sizeof points[i]);
        if (i > 0) {
            points[i][i - 1] +=
                0.15 * (model->high[i - 1] - model->low[i - 1]) *
                (best[i - 1] > (model->low[i - 1] + model->high[i - 1]) / 2 ? -1 : 1);
        }
        values[i] = value(model, impacts, count, points[i]);
    }
    for (int step = 0; step < STEPS; step++) {
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

double search_best(const Model *model, const Impact *impacts, int count, double *coefficients) {
    double least = INFINITY;
    for (int start = 0; start < STARTS; start++) {
        double x[N] = {0};
        for (int k = 0; k < model->count; k++) {
            double width = model->high[k] - model->low[k];
            x[k] = start == 0 ? model->start[k]
                              : model->low[k] + width * (0.2 + 0.6 * ((start >> (k % 2)) & 1));
        }
        double found = descend(model, impacts, count, x);
        if (found < least) {
            least = found;
            memcpy(coefficients, x, sizeof x);
        }
    }
    return least;
}
