/* The product W F, which dominates the run time: two rows at once, and only as many columns as any
 * two rows need, from the first one that they need (a row of balls has a banded W). With friction
 * only the blocks of links that have a body in common, where these are few (balls on a table). */
#ifndef CAROM_MULTIPLE_PRODUCT_H
#define CAROM_MULTIPLE_PRODUCT_H

#include "math/wide.h"
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

/* The product for count fours of rows from the first one on, whose sums do not wait for each other.
 * W is symmetric, so that rows of its columns are next to each other. */
enum { MOST_FOURS = 9 };
INLINE void multiply_fours(const Columns *columns, const double *F, double scale, size_t first,
                           int count, double *out) {
    Four sum[MOST_FOURS];
    for (int i = 0; i < count; i++) {
        sum[i] = four_zero();
    }
    for (int c = 0; c < columns->count; c++) {
        const double *a = &columns->W[c][first];
        double f = scale * F[columns->list[c]];
        for (int i = 0; i < count; i++) {
            sum[i] = four_plus(sum[i], four_scale(four_load(&a[4 * i]), f));
        }
    }
    for (int i = 0; i < count; i++) {
        four_store(&out[first + 4 * (size_t)i], sum[i]);
    }
}

/* The last two rows, if their number is no multiple of four. */
INLINE void multiply_last(const Columns *columns, const double *F, double scale, size_t first,
                          double *out) {
    Pair sum = pair_make(0, 0);
    for (int c = 0; c < columns->count; c++) {
        sum = pair_join(pair_load(&columns->W[c][first]), both(scale * F[columns->list[c]]), sum);
    }
    *(Pair *)&out[first] = sum;
}

INLINE void multiply_dense(const Given *given, const Columns *columns, const double *F,
                           double scale, double *out) {
    size_t stride = (size_t)given->stride, row = 0;
    for (; row + 36 <= stride; row += 36) {
        multiply_fours(columns, F, scale, row, 9, out);
    }
    for (; row + 24 <= stride; row += 24) {
        multiply_fours(columns, F, scale, row, 6, out);
    }
    for (; row + 12 <= stride; row += 12) {
        multiply_fours(columns, F, scale, row, 3, out);
    }
    for (; row + 4 <= stride; row += 4) {
        multiply_fours(columns, F, scale, row, 1, out);
    }
    if (row < stride) {
        multiply_last(columns, F, scale, row, out);
    }
}

/* All rows and columns of two contacts; sums of two columns do not wait for those of others. */
INLINE void multiply_two(const double *W, const double *F, double scale, double *out) {
    Four first[3];
    Pair last[3];
    for (int j = 0; j < 3; j++) {
        const double *a = &W[12 * j], *b = a + 6;
        double f = scale * F[2 * j], h = scale * F[2 * j + 1];
        first[j] = four_plus(four_scale(four_load(a), f), four_scale(four_load(b), h));
        last[j] =
            pair_join(*(const Pair *)&a[4], both(f), pair_times(*(const Pair *)&b[4], both(h)));
    }
    four_store(out, four_plus(four_plus(first[0], first[1]), first[2]));
    *(Pair *)&out[4] = pair_plus(pair_plus(last[0], last[1]), last[2]);
}

/* W is kept in blocks where no more than this part of them is not 0, of many links. */
enum { FEWER_BLOCKS = 2, LEAST_BLOCK_LINKS = 12 };

/* The three rows of link i, from its blocks. The fourth lane is no part of it. */
INLINE void multiply_link(const Given *given, const double *F, double scale, int i, double out[4]) {
    Four sum[3] = {four_zero(), four_zero(), four_zero()};
    for (int b = given->block_start[i]; b < given->block_start[i + 1]; b++) {
        const double *f = &F[3 * given->block_link[b]], *a = &given->wide[12 * (size_t)b];
        for (int k = 0; k < 3; k++) {
            sum[k] = four_plus(sum[k], four_scale(four_load(&a[4 * k]), f[k]));
        }
    }
    four_store(out, four_scale(four_plus(four_plus(sum[0], sum[1]), sum[2]), scale));
}

/* The fourth lane of a link is overwritten by the next one. */
INLINE void multiply_blocks(const Given *given, const double *F, double scale, double *out) {
    int last = given->count - 1;
    double end[4];
    for (int i = 0; i < last; i++) {
        multiply_link(given, F, scale, i, &out[3 * i]);
    }
    multiply_link(given, F, scale, last, end);
    out[given->stride - 1] = 0;
    for (int k = 0; k < 3; k++) {
        out[3 * last + k] = end[k];
    }
}

/* Is W to be multiplied column by column? */
static inline int product_is_dense(const Given *given) {
    return !given->in_blocks && given->width == given->stride && given->stride >= 6;
}

/* The product of one row of W and F. */
double crm_multiply_row(const Given *given, int row, const double *F);

/* out = W F by the given half and width. F and out have given->stride entries. */
void crm_multiply(const Given *given, const double *F, double *out);

/* out = scale W F where all other entries of F are 0. */
void crm_multiply_columns(const Given *given, const Columns *columns, const double *F, double scale,
                          double *out);

/* Lay out W for products. */
void crm_product_begin(Given *given);

#endif
