/* Order by order; vectors of links, because most W have few diagonals. */
#include "derivative/plain_series.h"

#include <string.h>

#include "compliant/radau.h"
#include "math/wide.h"

/* Terms of this size are left out. */
static const double PLAIN_NEGLIGIBLE = 1e-17;

void crm_plain_step_begin(PlainBack *back, const PlainLink *links) {
    int acts = back->act_count, band = 0;
    size_t padded = plain_padded(back);
    for (int i = 0; i < acts; i++) {
        int below = i - back->first[i], above = back->end[i] - 1 - i;
        band = below > band ? below : band;
        band = above > band ? above : band;
        back->stiffness[i] = links[back->acts[i]].k;
    }
    for (size_t i = (size_t)acts; i < padded; i++) {
        back->stiffness[i] = 0;
    }
    back->band = band;
    size_t count = (size_t)(2 * band + 1) * padded;
    memset(back->diagonals, 0, count * sizeof(double));
    for (int i = 0; i < acts; i++) {
        for (int j = back->first[i]; j < back->end[i]; j++) {
            back->diagonals[(size_t)(band + j - i) * padded + (size_t)i] = back->W[i * acts + j];
        }
    }
    for (int row = 0; row < (PLAIN_ORDER + 1) * back->width; row++) {
        double *a = &back->terms_a[plain_term(back, 0, row, 0)], *end = a + padded;
        for (int d = 1; d <= band; d++) {
            a[-d] = end[d - 1] = 0;
        }
    }
}

/* What a step begins with, from a and b of all links. */
static void begin_lane(PlainBack *back, int r) {
    int acts = back->act_count, width = back->width;
    double *a = &back->terms_a[plain_term(back, 0, r, 0)];
    double *b = &back->terms_b[plain_term(back, 0, r, 0)];
    for (int i = 0; i < acts; i++) {
        a[i] = back->a[back->acts[i] * width + r];
        b[i] = back->b[back->acts[i] * width + r];
        back->term_P[i] = back->push[i * width + r];
    }
    for (size_t i = (size_t)acts; i < plain_padded(back); i++) {
        a[i] = b[i] = back->term_P[i] = 0;
    }
    memcpy(back->term_b, b, plain_padded(back) * sizeof(double));
    for (int q = 0; q < STAGES; q++) {
        memcpy(&back->nodes[plain_node(back, q, r, 0)], a, plain_padded(back) * sizeof(double));
    }
}

/* The terms of order g + 1; P has the terms of P that are not W' a. */
INLINE void next_order(const PlainBack *back, int g, int r, double part,
                       const double power[STAGES]) {
    size_t padded = plain_padded(back), node = (size_t)back->width * padded;
    int band = back->band;
    const double *a = &back->terms_a[plain_term(back, g, r, 0)];
    const double *b = &back->terms_b[plain_term(back, g, r, 0)];
    double *next_a = &back->terms_a[plain_term(back, g + 1, r, 0)];
    double *next_b = &back->terms_b[plain_term(back, g + 1, r, 0)];
    double *nodes = &back->nodes[plain_node(back, 0, r, 0)], *P = back->term_P;
    for (size_t i = 0; i < padded; i += 4) {
        Four press = four_load(P + i);
        const double *W = &back->diagonals[i], *from = a + i - band;
        for (int d = 0; d <= 2 * band; d++) {
            press = four_plus(press, four_times(four_load(W), four_load(from + d)));
            W += padded;
        }
        Four gain = four_scale(press, part);
        Four fall = four_scale(four_times(four_load(&back->stiffness[i]), four_load(b + i)), -part);
        four_store(next_b + i, gain);
        four_store(next_a + i, fall);
        four_store(&back->term_b[i], four_plus(four_load(&back->term_b[i]), gain));
        four_store(P + i, four_zero());
        for (size_t q = 0; q < STAGES; q++) {
            double *to = &nodes[q * node + i];
            four_store(to, four_plus(four_load(to), four_scale(fall, power[q])));
        }
    }
}

INLINE int expand_lane(const PlainBack *back, int r, double h, double phase) {
    double power[STAGES], size = 1;
    int g = 0;
    for (int q = 0; q < STAGES; q++) {
        power[q] = NODE[q];
    }
    while (g < PLAIN_ORDER && size > PLAIN_NEGLIGIBLE) {
        next_order(back, g, r, h / (g + 1), power);
        g++;
        for (int q = 0; q < STAGES; q++) {
            power[q] *= NODE[q];
        }
        size *= phase / g;
    }
    return g;
}

WIDE int lane_wide(const PlainBack *back, int r, double h, double phase) {
    return expand_lane(back, r, h, phase);
}

NARROW int lane_narrow(const PlainBack *back, int r, double h, double phase) {
    return expand_lane(back, r, h, phase);
}

int crm_plain_step_series(PlainBack *back, double h, double phase) {
    int width = back->width, order = 0;
    for (int r = 0; r < width; r++) {
        if (r >= back->lanes && r < width - 1) {
            continue; /* fills up the width */
        }
        begin_lane(back, r);
        order = (has_wide() ? lane_wide : lane_narrow)(back, r, h, phase);
        for (int i = 0; i < back->act_count; i++) {
            back->a[back->acts[i] * width + r] = back->nodes[plain_node(back, STAGES - 1, r, i)];
            back->b[back->acts[i] * width + r] = back->term_b[i];
        }
    }
    return order;
}
