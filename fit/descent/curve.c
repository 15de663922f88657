/* A small least-squares problem in memory. */
#include "descent/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "descent/descent.h"

#define STEP 1e-5

typedef struct Room {
    const Curve *curve;
    double *r, *ends[2], *J; /* J: m rows of n */
} Room;

/* A column of J by a central difference, within the bounds. */
static void fill_column(const Room *room, const double *x, int column) {
    const Curve *curve = room->curve;
    double moved[TRIANGLE_MAX], place[2];
    for (int side = 0; side < 2; side++) {
        memcpy(moved, x, (size_t)curve->n * sizeof *moved);
        place[side] = x[column] + (side ? STEP : -STEP) * curve->size[column];
        place[side] = fmin(fmax(place[side], curve->low[column]), curve->high[column]);
        moved[column] = place[side];
        if (!curve->residuals(curve->context, moved, room->ends[side])) {
            /* one side has none: take the other alone */
            place[side] = x[column];
            memcpy(room->ends[side], room->r, (size_t)curve->m * sizeof *room->r);
        }
    }
    double width = place[1] - place[0];
    for (int i = 0; i < curve->m; i++) {
        room->J[i * curve->n + column] =
            width > 0 ? (room->ends[1][i] - room->ends[0][i]) / width : 0;
    }
}

/* J at x, by the function for it where that has it. */
static void fill_slopes(const Room *room, const double *x) {
    const Curve *curve = room->curve;
    bool given = curve->slopes && curve->slopes(curve->context, x, room->J);
    for (int k = 0; k < curve->n; k++) {
        bool known = given;
        for (int i = 0; i < curve->m && known; i++) {
            known = isfinite(room->J[i * curve->n + k]);
        }
        if (!known) {
            fill_column(room, x, k);
        }
    }
}

static bool evaluate(void *context, const double *x, double *objective, Triangle *triangle) {
    const Room *room = context;
    const Curve *curve = room->curve;
    if (!curve->residuals(curve->context, x, room->r)) {
        return false;
    }
    *objective = 0;
    for (int i = 0; i < curve->m; i++) {
        *objective += room->r[i] * room->r[i];
    }
    if (!isfinite(*objective)) {
        return false;
    }
    if (triangle) {
        fill_slopes(room, x);
        crm_triangle_begin(triangle, curve->n);
        for (int i = 0; i < curve->m; i++) {
            crm_triangle_add(triangle, &room->J[i * curve->n], room->r[i]);
        }
        crm_triangle_end(triangle);
    }
    return true;
}

/* The inverse of J^T J by Gauss and Jordan, on the matrix scaled to a unit diagonal. A variable
 * that is held has a column of 0, and no inverse. */
static void invert(const Triangle *triangle, double *inverse) {
    int n = triangle->n;
    double gram[TRIANGLE_MAX * TRIANGLE_MAX], a[TRIANGLE_MAX][2 * TRIANGLE_MAX];
    crm_triangle_gram(triangle, gram);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double scale = sqrt(gram[i * n + i] * gram[j * n + j]);
            a[i][j] = scale > 0 ? gram[i * n + j] / scale : i == j;
            a[i][n + j] = i == j;
        }
    }
    for (int k = 0; k < n; k++) {
        double pivot = a[k][k] > 1e-13 ? a[k][k] : NAN;
        for (int j = 0; j < 2 * n; j++) {
            a[k][j] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0 : a[i][k];
            for (int j = 0; j < 2 * n && factor != 0; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            inverse[i * n + j] = a[i][n + j] / sqrt(gram[i * n + i] * gram[j * n + j]);
        }
    }
}

bool crm_curve_solve(const Curve *curve, double *x, double *objective, double *inverse) {
    size_t m = (size_t)curve->m, n = (size_t)curve->n;
    double *memory = malloc((m * (n + 3) + 1) * sizeof *memory);
    DescentEnd *end = malloc(sizeof *end);
    bool good = memory && end;
    if (good) {
        Room room = {curve, memory, {memory + m, memory + 2 * m}, memory + 3 * m};
        const Descent descent = {.n = curve->n,
                                 .low = curve->low,
                                 .high = curve->high,
                                 .evaluate = evaluate,
                                 .context = &room,
                                 .passes_max = 200,
                                 .tolerance = 1e-14,
                                 .floor = curve->floor};
        crm_descend(&descent, x, end);
        good = end->found;
        *objective = end->objective;
        if (good && inverse) {
            invert(&end->triangle, inverse);
        }
    }
    free(memory);
    free(end);
    return good;
}
