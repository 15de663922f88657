/* Kinetic energy of the motion at the contacts of a scene. */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"

/* The factor takes a third of this to the third operations: with more rows it would take longer
 * than the impact. */
enum { ROWS_MAX = 600 };

/* W = L L^T by rows, with y = L^-1 v; L has room for both. Where nothing but rounding is left of a
 * pivot, W cannot move the contacts in that direction, and v must not either. */
static double half_square(const double *W, const double *v, size_t size, double *L) {
    double *y = L + size * size, sum = 0;
    for (size_t i = 0; i < size; i++) {
        double *row = L + i * size, pivot = W[i * size + i], rest = v[i], scale = fabs(v[i]);
        for (size_t j = 0; j < i; j++) {
            const double *other = L + j * size;
            double x = W[j * size + i];
            for (size_t k = 0; k < j; k++) {
                x -= row[k] * other[k];
            }
            row[j] = other[j] > 0 ? x / other[j] : 0;
            pivot -= row[j] * row[j];
            rest -= row[j] * y[j];
            scale += fabs(row[j] * y[j]);
        }
        if (pivot > 1e-13 * W[i * size + i]) {
            row[i] = sqrt(pivot);
            y[i] = rest / row[i];
            sum += y[i] * y[i] / 2;
        } else if (!(fabs(rest) <= 1e-9 * scale)) {
            return NAN;
        }
    }
    return sum;
}

double scene_motion_energy(const Scene *scene) {
    size_t size = (size_t)scene_rows(scene) * (size_t)scene->contact_count;
    double *L = size <= ROWS_MAX ? calloc(size * (size + 1), sizeof *L) : NULL;
    double energy = L ? half_square(scene->inverse_inertia, scene->velocity, size, L) : (double)NAN;
    free(L);
    return energy;
}
