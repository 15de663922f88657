/* The one product that everything costs: a matrix times the forces of one order, two rows at once.
 * A row of a chain has few entries, next to each other: only as many columns as any two rows need
 * are kept, from the first one that they need. */
#include "math/lanes.h"
#include "multiple/network.h"

/* First and last column of two rows that are not 0. */
static void find_band(const double *A, int m, int row, int *first, int *last) {
    *first = m;
    *last = -1;
    for (int i = row; i < row + 2 && i < m; i++) {
        for (int j = 0; j < m; j++) {
            if (A[(size_t)i * (size_t)m + (size_t)j] != 0) {
                *first = j < *first ? j : *first;
                *last = j > *last ? j : *last;
            }
        }
    }
}

void use_matrix(Network *network, const double *A) {
    int m = network->size, half = network->stride / 2, width = 1;
    for (int i = 0; i < half; i++) {
        int first, last;
        find_band(A, m, 2 * i, &first, &last);
        width = last - first + 1 > width ? last - first + 1 : width;
        network->band[i] = last < 0 ? 0 : first;
    }
    /* even, for the loops' sake; there is room, and F has zeros to go with it */
    width += width % 2;
    for (int i = 0; i < half; i++) {
        int last = network->stride - width, *first = &network->band[i];
        *first = *first < last ? *first : last;
        for (int j = 0; j < width; j++) {
            double *pair = &network->wide[2 * ((size_t)i * (size_t)width + (size_t)j)];
            int column = *first + j;
            for (int k = 0; k < 2; k++) {
                size_t row = (size_t)(2 * i + k);
                pair[k] = column < m && 2 * i + k < m ? A[row * (size_t)m + (size_t)column] : 0;
            }
        }
    }
    network->width = width;
}

static inline void multiply_band(const Network *network, const double *F, double *out,
                                 double factor, int width) {
    int half = network->stride / 2;
    const Pair *a = (const Pair *)network->wide;
    Pair scale = {factor, factor};
    for (int i = 0; i < half; i++) {
        const double *f = &F[network->band[i]];
        Pair sum = {0, 0}, other = {0, 0};
        for (int j = 0; j < width; j += 2) {
            sum += a[j] * (Pair){f[j], f[j]};
            other += a[j + 1] * (Pair){f[j + 1], f[j + 1]};
        }
        ((Pair *)out)[i] = (sum + other) * scale;
        a += width;
    }
}

void multiply(const Network *network, const double *F, double *out, double factor) {
    switch (network->width) {
    case 2:
        multiply_band(network, F, out, factor, 2);
        break;
    case 4:
        multiply_band(network, F, out, factor, 4);
        break;
    case 6:
        multiply_band(network, F, out, factor, 6);
        break;
    default:
        multiply_band(network, F, out, factor, network->width);
    }
}
