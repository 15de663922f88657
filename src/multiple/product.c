/* Which columns of a matrix are kept for products. */
#include "multiple/product.h"

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

void crm_use_matrix(Network *network, const double *A) {
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

void crm_multiply(const Network *network, const double *F, double *out) {
    int half = network->stride / 2;
    switch (network->width) {
    case 2:
        multiply_band(network, F, out, half, 2);
        break;
    case 4:
        multiply_band(network, F, out, half, 4);
        break;
    case 6:
        multiply_band(network, F, out, half, 6);
        break;
    default:
        multiply_band(network, F, out, half, network->width);
    }
}
