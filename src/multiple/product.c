/* Which columns of W are kept for products. */
#include "multiple/product.h"

#include <stddef.h>
#include <string.h>

/* First and last column of two rows that are not 0. */
static void find_band(const Given *given, int row, int *first, int *last) {
    *first = given->size;
    *last = -1;
    for (int i = row; i < row + 2 && i < given->size; i++) {
        for (int j = 0; j < given->size; j++) {
            if (row_of_W(given, i)[j] != 0) {
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
        find_band(given, 2 * i, &first, &last);
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

/* Is W between these two links not 0? */
static int are_coupled(const Given *given, int i, int j) {
    int any = 0;
    for (int row = 3 * i; row < 3 * i + 3; row++) {
        const double *W = &row_of_W(given, row)[3 * j];
        any |= W[0] != 0 || W[1] != 0 || W[2] != 0;
    }
    return any;
}

/* List the links that each one is coupled to. 0: too many. */
static int find_blocks(Given *given) {
    int n = given->count, count = 0;
    if (given->rows != 3 || n < LEAST_BLOCK_LINKS) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        given->block_start[i] = count;
        for (int j = 0; j < n; j++) {
            if (are_coupled(given, i, j)) {
                if (count == n * n / FEWER_BLOCKS) {
                    return 0;
                }
                given->block_link[count++] = j;
            }
        }
    }
    given->block_start[n] = count;
    return 1;
}

/* There is room: 12 numbers for each of at most half of the blocks, which have 9. */
static void lay_out_blocks(Given *given) {
    for (int i = 0; i < given->count; i++) {
        for (int b = given->block_start[i]; b < given->block_start[i + 1]; b++) {
            double *a = &given->wide[12 * (size_t)b];
            for (int k = 0; k < 12; k++) {
                int row = 3 * i + k % 4, column = 3 * given->block_link[b] + k / 4;
                a[k] = k % 4 < 3 ? row_of_W(given, row)[column] : 0;
            }
        }
    }
}

void crm_product_begin(Given *given) {
    given->in_blocks = find_blocks(given);
    if (given->in_blocks) {
        lay_out_blocks(given);
    } else {
        lay_out_wide(given);
    }
}

WIDE void multiply_blocks_wide(const Given *given, const double *F, double scale, double *out) {
    multiply_blocks(given, F, scale, out);
}

NARROW void multiply_blocks_narrow(const Given *given, const double *F, double scale, double *out) {
    multiply_blocks(given, F, scale, out);
}

static void multiply_in_blocks(const Given *given, const double *F, double scale, double *out) {
    (has_wide() ? multiply_blocks_wide : multiply_blocks_narrow)(given, F, scale, out);
}

/* Sums of two fours do not wait for each other. */
INLINE double row_product(const double *W, const double *F, size_t stride) {
    Four even = four_zero(), odd = even;
    size_t i = 0;
    for (; i + 8 <= stride; i += 8) {
        even = four_plus(even, four_times(four_load(&W[i]), four_load(&F[i])));
        odd = four_plus(odd, four_times(four_load(&W[i + 4]), four_load(&F[i + 4])));
    }
    Four all = four_plus(even, odd);
    Pair sum = four_folded(all);
    for (; i < stride; i += 2) {
        sum = pair_join(pair_load(&W[i]), pair_load(&F[i]), sum);
    }
    return LANE(sum, 0) + LANE(sum, 1);
}

WIDE double row_product_wide(const double *W, const double *F, size_t stride) {
    return row_product(W, F, stride);
}

NARROW double row_product_narrow(const double *W, const double *F, size_t stride) {
    return row_product(W, F, stride);
}

double crm_multiply_row(const Given *given, int row, const double *F) {
    const double *W = row_of_W(given, row);
    size_t stride = (size_t)given->stride;
    return (has_wide() ? row_product_wide : row_product_narrow)(W, F, stride);
}

void crm_multiply(const Given *given, const double *F, double *out) {
    int half = given->stride / 2;
    if (given->in_blocks) {
        multiply_in_blocks(given, F, 1, out);
        return;
    }
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

/* Few columns anyway. */
NARROW void multiply_banded(const Given *given, const double *F, double scale, double *out) {
    crm_multiply(given, F, out);
    for (int i = 0; i < given->stride; i++) {
        out[i] *= scale;
    }
}

NARROW void multiply_narrow(const Given *given, const Columns *columns, const double *F,
                            double scale, double *out) {
    if (given->stride == 6) {
        multiply_two(given->W, F, scale, out);
    } else {
        multiply_dense(given, columns, F, scale, out);
    }
}

/* Speed: the same where the processor has AVX2. */
WIDE void multiply_wide(const Given *given, const Columns *columns, const double *F, double scale,
                        double *out) {
    multiply_dense(given, columns, F, scale, out);
}

WIDE void multiply_two_wide(const double *W, const double *F, double scale, double *out) {
    multiply_two(W, F, scale, out);
}

void crm_multiply_columns(const Given *given, const Columns *columns, const double *F, double scale,
                          double *out) {
    if (given->in_blocks) {
        multiply_in_blocks(given, F, scale, out);
    } else if (!product_is_dense(given)) {
        multiply_banded(given, F, scale, out);
    } else if (!has_wide()) {
        multiply_narrow(given, columns, F, scale, out);
    } else if (given->stride == 6) {
        multiply_two_wide(given->W, F, scale, out);
    } else {
        multiply_wide(given, columns, F, scale, out);
    }
}
