/* The product W F, which dominates the run time: two rows at once, and only as many columns as any
 * two rows need, from the first one that they need (a row of balls has a banded W). */
#ifndef CAROM_MULTIPLE_PRODUCT_H
#define CAROM_MULTIPLE_PRODUCT_H

#include "math/lanes.h"
#include "multiple/network.h"

/* out = W F. half is given->stride/2, width given->width; known at compile time, they make it much
 * faster. */
static inline void multiply_band(const Given *given, const double *F, double *out, int half,
                                 int width) {
    const Pair *a = (const Pair *)given->wide;
    for (int i = 0; i < half; i++) {
        const double *f = &F[given->band[i]];
        Pair sum = pair_make(0, 0), other = pair_make(0, 0);
        for (int j = 0; j < width; j += 2) {
            sum = pair_join(a[j], pair_make(f[j], f[j]), sum);
            other = pair_join(a[j + 1], pair_make(f[j + 1], f[j + 1]), other);
        }
        ((Pair *)out)[i] = pair_plus(sum, other);
        a += width;
    }
}

/* The sum of the products of two rows of given->stride entries. */
static inline double row_dot(const Given *given, const double *a, const double *b) {
    Pair sum = pair_make(0, 0);
    for (int i = 0; i < given->stride; i += 2) {
        sum = pair_join(*(const Pair *)&a[i], *(const Pair *)&b[i], sum);
    }
    return LANE(sum, 0) + LANE(sum, 1);
}

/* Acceleration of a normal by the forces of a state. */
static inline double normal_acceleration(const Given *given, const NetworkState *state, int i) {
    const double *W = row_of_W(given, normal_row(given, i));
    double sum = 0;
    for (int j = 0; j < given->count; j++) {
        const Link *link = &state->links[j];
        int t = given->materials[j].row;
        sum += W[normal_row(given, j)] * link->N;
        for (int k = 0; k < given->rows - 1; k++) {
            sum -= W[t + k] * link->f[k];
        }
    }
    return sum;
}

/* out = W F by the given half and width. F and out have given->stride entries. */
void crm_multiply(const Given *given, const double *F, double *out);

/* out = scale W F where all other entries of F are 0. */
void crm_multiply_columns(const Given *given, const Columns *columns, const double *F, double scale,
                          double *out);

/* Lay out W for products. */
void crm_product_begin(Given *given);

#endif
