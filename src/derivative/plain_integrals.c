/* Products of F and a by Legendre's polynomials, lane by lane, and what they make of held links. */
#include "derivative/plain_integrals.h"

#include <string.h>

#include "derivative/plain_series.h"
#include "math/wide.h"

/* Row j of what lane r has gathered. */
static double *gathered_row(const PlainBack *back, int r, int j) {
    return &back->gathered[((size_t)r * (size_t)back->free_count + (size_t)j) * plain_padded(back)];
}

/* int a v' of lane r. */
static double *bend_of_lane(const PlainBack *back, int r) {
    return &back->bend[(size_t)r * plain_padded(back)];
}

void crm_plain_integrals_clear(PlainBack *back) {
    size_t n = (size_t)back->given->count, padded = (n + 3) / 4 * 4;
    memset(back->gathered, 0, (size_t)back->lanes * n * padded * sizeof *back->gathered);
    memset(back->impulse, 0, n * sizeof *back->impulse);
    memset(back->gathers, 0, n * sizeof *back->gathers);
    memset(back->by_W, 0, plain_by_W(back, back->lanes, 0, 0) * sizeof *back->by_W);
}

void crm_plain_integrals_begin(PlainBack *back) {
    for (int r = 0; r < back->lanes; r++) {
        double *constant = &back->modes[plain_mode(back, r, 0, 0)];
        memset(bend_of_lane(back, r), 0, plain_padded(back) * sizeof *back->bend);
        for (int i = 0; i < back->free_count; i++) {
            constant[i] = back->a[back->free[i] * back->width + r];
        }
        for (size_t i = (size_t)back->free_count; i < plain_padded(back); i++) {
            constant[i] = 0;
        }
    }
}

/* int a v' of a block. */
INLINE void add_bend(const PlainBack *back, int block, double h) {
    size_t i = 4 * (size_t)block, padded = plain_padded(back), stride = plain_stride(back);
    int band = back->band, lanes = back->lanes, most = 0;
    const double *N = &back->modes[plain_mode(back, back->width - 1, 0, 0)] + i - band;
    const double *a = &back->modes[plain_mode(back, 0, 0, 0)] + i;
    double *bend = bend_of_lane(back, 0) + i;
    for (int r = 0; r < lanes; r++) {
        int degree = back->degree[plain_degree(back, r, block)];
        most = degree > most ? degree : most;
    }
    for (int m = 0; m <= most; m++) {
        const double *W = &back->diagonals[i];
        Four rise = four_zero();
        for (int d = 0; d <= 2 * band; d++) {
            rise = four_plus(rise, four_times(four_load(W), four_load(N + d)));
            W += padded;
        }
        rise = four_scale(rise, h);
        for (int r = 0; r < lanes; r++) {
            double *to = bend + (size_t)r * padded;
            Four part = four_load(a + (size_t)(r * MODES + m) * stride);
            four_store(to, four_plus(four_load(to), four_times(rise, part)));
        }
        N += stride;
    }
}

/* to += a impulse, by blocks. */
INLINE void add_constant(const double *a, double impulse, int first, int end, double *to) {
    for (int k = 4 * first; k < 4 * end; k += 4) {
        four_store(to + k, four_plus(four_load(to + k), four_scale(four_load(a + k), impulse)));
    }
}

/* Add the products of the force at a place with a of lane r. */
INLINE void add_integral_row(const PlainBack *back, int r, int place, double h) {
    size_t stride = plain_stride(back), own = plain_degree(back, back->width - 1, place / 4);
    BlockRange near = back->near;
    int degree = back->degree[own], half = back->half_degree[own];
    const int *halves = &back->half_degree[plain_degree(back, r, 0)];
    const double *a = &back->modes[plain_mode(back, r, 0, 0)];
    const double *N = &back->modes[plain_mode(back, back->width - 1, 0, place)];
    double F[MODES], *to = gathered_row(back, r, place);
    for (int m = 0; m <= degree; m++) {
        F[m] = h * N[(size_t)m * stride];
    }
    back->gathers[place] = 1;
    back->impulse[place] += r == 0 ? F[0] : 0;
    add_constant(a, F[0], 0, near.first, to);
    for (int k = near.first; k < near.end; k++) {
        int most = half > halves[k] ? half : halves[k];
        const double *part = a + 4 * k;
        most = degree < most ? degree : most;
        Four sum = four_load(to + 4 * k);
        for (int m = 0; m <= most; m++) {
            sum = four_plus(sum, four_scale(four_load(part), F[m]));
            part += stride;
        }
        four_store(to + 4 * k, sum);
    }
    add_constant(a, F[0], near.end, (int)(plain_padded(back) / 4), to);
}

INLINE void add_integral_products(const PlainBack *back, double h) {
    for (int block = back->acting.first; block < back->acting.end; block++) {
        if (back->block_acts[block]) {
            add_bend(back, block, h);
        }
    }
    for (int r = 0; r < back->lanes; r++) {
        for (int place = 4 * back->acting.first; place < 4 * back->acting.end; place++) {
            if (back->acts[place] != 0) {
                add_integral_row(back, r, place, h);
            }
        }
    }
}

WIDE void products_wide(const PlainBack *back, double h) {
    add_integral_products(back, h);
}

NARROW void products_narrow(const PlainBack *back, double h) {
    add_integral_products(back, h);
}

void crm_plain_integrate(PlainBack *back, double h) {
    (has_wide() ? products_wide : products_narrow)(back, h);
}

/* ---- held links ---- */

/* int F_j a_h dt of a free link j and all held ones. */
static void find_crossed(const PlainBack *back, int r, int j, double *to) {
    const double *from = gathered_row(back, r, j);
    for (int h = 0; h < back->hold_count; h++) {
        const double *C = &back->C[h * back->free_count];
        double sum = back->impulse[j] * back->held[h * back->width + r];
        for (int k = back->reach[2 * h]; k < back->reach[2 * h + 1]; k++) {
            sum -= C[k] * from[k];
        }
        to[h] = sum;
    }
}

/* Add int F a_k dt of the held links, by of the force of a free link j; crossed: of that link. */
static void flush_held(PlainBack *back, int r, int h, int j, double by, const double *crossed) {
    double *to = &back->by_W[plain_by_W(back, r, back->holds[h], 0)];
    const double *from = gathered_row(back, r, j);
    for (int k = 0; k < back->free_count; k++) {
        to[back->free[k]] += by * from[k];
    }
    for (int k = 0; k < back->hold_count; k++) {
        to[back->holds[k]] += by * crossed[k];
    }
}

/* The same of a free link j, which has gathered something: then it has not. */
static void flush_row(PlainBack *back, int r, int j) {
    double *crossed = back->column, *from = gathered_row(back, r, j);
    double *to = &back->by_W[plain_by_W(back, r, back->free[j], 0)];
    find_crossed(back, r, j, crossed);
    for (int k = 0; k < back->free_count; k++) {
        to[back->free[k]] += from[k];
    }
    for (int h = 0; h < back->hold_count; h++) {
        double by = -back->C[h * back->free_count + j];
        to[back->holds[h]] += crossed[h];
        if (by != 0) {
            flush_held(back, r, h, j, by, crossed);
        }
    }
    memset(from, 0, plain_padded(back) * sizeof *from);
}

void crm_plain_integrals_flush(PlainBack *back) {
    for (int j = 0; j < back->free_count; j++) {
        for (int r = 0; r < back->lanes && back->gathers[j]; r++) {
            flush_row(back, r, j);
        }
        back->gathers[j] = 0;
        back->impulse[j] = 0;
    }
}
