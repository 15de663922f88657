/* The one product that everything costs: a matrix times the forces of one order, two rows at once.
 * A row of a chain has few entries, next to each other: only as many columns as any two rows need
 * are kept, from the first one that they need. */
#ifndef CAROM_MULTIPLE_PRODUCT_H
#define CAROM_MULTIPLE_PRODUCT_H

#include "math/lanes.h"
#include "multiple/network.h"

/* out = the matrix in use times F, which is 0 where nothing drives. half and width are
 * the network's own; known when this is compiled, they make it much faster. */
static inline void multiply_band(const Network *network, const double *F, double *out, int half,
                                 int width) {
    const Pair *a = (const Pair *)network->wide;
    for (int i = 0; i < half; i++) {
        const double *f = &F[network->band[i]];
        Pair sum = {0, 0}, other = {0, 0};
        for (int j = 0; j < width; j += 2) {
            sum += a[j] * (Pair){f[j], f[j]};
            other += a[j + 1] * (Pair){f[j + 1], f[j + 1]};
        }
        ((Pair *)out)[i] = sum + other;
        a += width;
    }
}

/* The same, by the network's half and width. */
void crm_multiply(const Network *network, const double *F, double *out);

/* Take this matrix into use. */
void crm_use_matrix(Network *network, const double *A);

#endif
