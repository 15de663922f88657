/* Which columns of W are kept for products. */
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

static void lay_out_wide(Given *given) {
    int m = given->size, half = given->stride / 2, width = 1;
    for (int i = 0; i < half; i++) {
        int first, last;
        find_band(given->W, m, 2 * i, &first, &last);
        width = last - first + 1 > width ? last - first + 1 : width;
        given->band[i] = last < 0 ? 0 : first;
    }
    /* even, for the loops' sake; there is room, and F has zeros to go with it */
    width += width % 2;
    for (int i = 0; i < half; i++) {
        int last = given->stride - width, *first = &given->band[i];
        *first = *first < last ? *first : last;
        for (int j = 0; j < width; j++) {
            double *pair = &given->wide[2 * ((size_t)i * (size_t)width + (size_t)j)];
            int column = *first + j;
            for (int k = 0; k < 2; k++) {
                int inside = column < m && 2 * i + k < m;
                pair[k] = inside ? row_of_W(given, 2 * i + k)[column] : 0;
            }
        }
    }
    given->width = width;
}

/* The three diagonals of a row of balls. */
static void lay_out_beside(Given *given) {
    int n = given->size;
    given->is_row = given->rows == 1;
    for (int i = 0; i < n && given->is_row; i++) {
        for (int j = i + 2; j < n; j++) {
            given->is_row &= row_of_W(given, i)[j] == 0;
        }
    }
    for (int i = 0; i < given->stride && given->is_row; i++) {
        double *W = &given->beside[6 * (i / 2) + i % 2];
        for (int j = -1; j <= 1; j++) {
            int inside = i < n && i + j >= 0 && i + j < n;
            W[2 * (j + 1)] = inside ? row_of_W(given, i)[i + j] : 0;
        }
    }
}

void crm_product_begin(Given *given) {
    lay_out_wide(given);
    lay_out_beside(given);
}

void crm_multiply(const Given *given, const double *F, double *out) {
    int half = given->stride / 2;
    switch (given->width) {
    case 2:
        multiply_band(given, F, out, half, 2);
        break;
    case 4:
        multiply_band(given, F, out, half, 4);
        break;
    case 6:
        multiply_band(given, F, out, half, 6);
        break;
    default:
        multiply_band(given, F, out, half, given->width);
    }
}
