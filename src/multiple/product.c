/* Which columns of W are kept for products. */
#include "multiple/product.h"

#include <stddef.h>
#include <string.h>

#include "math/wide.h"

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

void crm_product_begin(Given *given) {
    lay_out_wide(given);
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

/* The product for count fours of rows, whose sums do not wait for each other. W is symmetric, so
 * that rows of its columns are next to each other. */
INLINE void multiply_fours(const double *W, size_t stride, const Columns *columns, int count,
                           double *out) {
    Four sum[4] = {four_zero(), four_zero(), four_zero(), four_zero()};
    for (int c = 0; c < columns->count; c++) {
        const double *a = &W[(size_t)columns->list[c] * stride];
        double f = columns->value[c];
        for (int i = 0; i < count; i++) {
            sum[i] = four_plus(sum[i], four_scale(four_load(&a[4 * i]), f));
        }
    }
    for (int i = 0; i < count; i++) {
        four_store(&out[4 * i], sum[i]);
    }
}

/* The last two rows, if their number is no multiple of four. */
INLINE void multiply_last(const double *W, size_t stride, const Columns *columns, double *out) {
    Pair sum = pair_make(0, 0);
    for (int c = 0; c < columns->count; c++) {
        sum = pair_join(pair_load(&W[(size_t)columns->list[c] * stride]), both(columns->value[c]),
                        sum);
    }
    *(Pair *)out = sum;
}

INLINE void multiply_dense(const Given *given, const Columns *columns, const double *F,
                           double scale, double *out) {
    size_t stride = (size_t)given->stride, row = 0;
    for (int c = 0; c < columns->count; c++) {
        columns->value[c] = scale * F[columns->list[c]];
    }
    for (; row + 16 <= stride; row += 16) {
        multiply_fours(&given->W[row], stride, columns, 4, &out[row]);
    }
    for (; row + 4 <= stride; row += 4) {
        multiply_fours(&given->W[row], stride, columns, 1, &out[row]);
    }
    if (row < stride) {
        multiply_last(&given->W[row], stride, columns, &out[row]);
    }
}

/* All rows and columns of two contacts. */
INLINE void multiply_two(const double *W, const double *F, double scale, double *out) {
    Four first = four_zero();
    Pair last = pair_make(0, 0);
    for (int j = 0; j < 6; j++) {
        double f = scale * F[j];
        first = four_plus(first, four_scale(four_load(&W[6 * j]), f));
        last = pair_join(*(const Pair *)&W[6 * j + 4], both(f), last);
    }
    four_store(out, first);
    *(Pair *)&out[4] = last;
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
    if (given->width < given->stride || given->stride < 6) {
        multiply_banded(given, F, scale, out);
    } else if (!has_wide()) {
        multiply_narrow(given, columns, F, scale, out);
    } else if (given->stride == 6) {
        multiply_two_wide(given->W, F, scale, out);
    } else {
        multiply_wide(given, columns, F, scale, out);
    }
}
