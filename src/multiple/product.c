/* Which columns of W are kept for products. */
#include "multiple/product.h"

#include <stddef.h>
#include <string.h>

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

/* Rows of dense W at once, whose sums do not wait for each other. */
static inline void multiply_rows(const Pair *a, const Columns *columns, int width, int half,
                                 Pair *out) {
    Pair sum[4] = {{0, 0}};
    for (int c = 0; c < columns->count; c++) {
        ptrdiff_t j = columns->list[c];
        Pair f = columns->twice[c];
        for (int i = 0; i < half; i++) {
            sum[i] += a[i * width + j] * f;
        }
    }
    memcpy(out, sum, (size_t)half * sizeof *sum);
}

/* All of a dense W with three pairs of rows: two contacts. */
static void multiply_three(const Pair *a, const double *F, double scale, Pair *out) {
    Pair first = {0, 0}, second = first, third = first;
    for (int j = 0; j < 6; j++) {
        Pair f = both(scale * F[j]);
        first += a[j] * f;
        second += a[j + 6] * f;
        third += a[j + 12] * f;
    }
    out[0] = first;
    out[1] = second;
    out[2] = third;
}

void crm_multiply_columns(const Given *given, const Columns *columns, const double *F, double scale,
                          double *out) {
    int half = given->stride / 2, width = given->width;
    const Pair *a = (const Pair *)given->wide;
    Pair *to = (Pair *)out;
    if (half == 3 && width == 6) {
        multiply_three(a, F, scale, to);
        return;
    }
    if (width < given->stride || half < 4) {
        crm_multiply(given, F, out); /* few columns anyway */
        for (int i = 0; i < half; i++) {
            to[i] *= both(scale);
        }
        return;
    }
    for (int c = 0; c < columns->count; c++) {
        columns->twice[c] = both(scale * F[columns->list[c]]);
    }
    for (; half >= 4; half -= 4, a += 4 * width, to += 4) {
        multiply_rows(a, columns, width, 4, to);
    }
    for (; half > 0; half--, a += width, to++) {
        multiply_rows(a, columns, width, 1, to);
    }
}
