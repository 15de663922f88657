/* a and F of all links at the nodes, lane by lane, and the sum of their products. */
#include "derivative/plain_integrals.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_series.h"
#include "math/wide.h"

/* a of a link and lane at a node. */
static double *a_at_node(const PlainBack *back, int r, int q, int link) {
    size_t padded = ((size_t)back->given->count + 3) / 4 * 4;
    return &back->all_a[((size_t)r * STAGES + (size_t)q) * padded + (size_t)link];
}

/* The places of A that reach each held link. */
static void reach_of_held(PlainBack *back) {
    int acts = back->act_count;
    for (int h = 0; h < back->hold_count; h++) {
        const double *C = &back->C[h * acts];
        int first = 0, end = acts;
        while (first < end && C[first] == 0) {
            first++;
        }
        while (end > first && C[end - 1] == 0) {
            end--;
        }
        back->reach[2 * h] = first;
        back->reach[2 * h + 1] = end;
    }
}

void crm_plain_integrals_begin(PlainBack *back, const PlainLink *links) {
    int n = back->given->count;
    reach_of_held(back);
    memset(back->bend, 0, (size_t)(back->act_count * back->width) * sizeof *back->bend);
    int padded = (n + 3) / 4 * 4;
    back->vary_first = padded;
    back->vary_end = 0;
    for (int k = 0; k < n; k++) {
        if (is_sprung(links[k].phase) || links[k].pushes) {
            back->vary_first = k / 4 * 4 < back->vary_first ? k / 4 * 4 : back->vary_first;
            back->vary_end = k / 4 * 4 + 4;
        }
    }
    for (int r = 0; r < back->lanes; r++) {
        double *first = a_at_node(back, r, 0, 0);
        for (int k = 0; k < padded; k++) {
            int varies = k < n && (is_sprung(links[k].phase) || links[k].pushes);
            first[k] = k < n && !varies ? back->a[k * back->width + r] : 0;
        }
        for (int q = 1; q < STAGES && back->vary_first < back->vary_end; q++) {
            memcpy(a_at_node(back, r, q, back->vary_first), first + back->vary_first,
                   (size_t)(back->vary_end - back->vary_first) * sizeof *first);
        }
    }
}

/* a of A and H at the nodes. */
static void spread_a(const PlainBack *back, int r) {
    int acts = back->act_count, width = back->width;
    for (int q = 0; q < STAGES; q++) {
        const double *nodes = &back->nodes[plain_node(back, q, r, 0)];
        double *a = a_at_node(back, r, q, 0);
        for (int i = 0; i < acts; i++) {
            a[back->acts[i]] = nodes[i];
        }
        for (int h = 0; h < back->hold_count; h++) {
            const double *C = &back->C[h * acts];
            double sum = back->held[h * width + r];
            for (int i = back->reach[2 * h]; i < back->reach[2 * h + 1]; i++) {
                sum -= C[i] * nodes[i];
            }
            a[back->holds[h]] = sum;
        }
    }
}

/* Forces at the nodes, times the weights of integrals: of A, then of H. */
static void weigh_forces(const PlainBack *back, double h) {
    int acts = back->act_count, width = back->width;
    for (int q = 0; q < STAGES; q++) {
        double weight = h * INTEGRAL[STAGES - 1][q];
        const double *N = &back->nodes[plain_node(back, q, width - 1, 0)];
        for (int i = 0; i < acts; i++) {
            back->all_F[i * STAGES + q] = weight * N[i];
        }
        for (int g = 0; g < back->hold_count; g++) {
            const double *C = &back->C[g * acts];
            double sum = 0;
            for (int i = back->reach[2 * g]; i < back->reach[2 * g + 1]; i++) {
                sum -= C[i] * N[i];
            }
            back->all_F[(acts + g) * STAGES + q] = weight * sum;
        }
    }
}

/* int a v' of A. */
static void add_bend(PlainBack *back) {
    int acts = back->act_count, width = back->width;
    for (int i = 0; i < acts; i++) {
        const double *W = &back->W[i * acts];
        double rise[STAGES] = {0}, *to = &back->bend[i * width];
        for (int j = back->first[i]; j < back->end[i]; j++) {
            for (int q = 0; q < STAGES; q++) {
                rise[q] += W[j] * back->all_F[j * STAGES + q];
            }
        }
        for (int q = 0; q < STAGES; q++) {
            for (int r = 0; r < back->lanes; r++) {
                to[r] += rise[q] * back->nodes[plain_node(back, q, r, i)];
            }
        }
    }
}

/* Add the products of a row of F with a of links that do not change. */
INLINE void add_constant(const double *a, double impulse, int first, int end, double *to) {
    for (int k = first; k < end; k += 4) {
        four_store(to + k, four_plus(four_load(to + k), four_scale(four_load(a + k), impulse)));
    }
}

/* Add the products of one lane: rows of F times all links. */
INLINE void add_node_products(const PlainBack *back, int r) {
    int padded = (back->given->count + 3) / 4 * 4, acts = back->act_count;
    const double *a = &back->all_a[(size_t)r * STAGES * (size_t)padded];
    for (int row = 0; row < acts + back->hold_count; row++) {
        int link = row < acts ? back->acts[row] : back->holds[row - acts];
        const double *F = &back->all_F[row * STAGES];
        double *to = &back->by_W[plain_by_W(back, r, link, 0)], impulse = 0;
        for (int q = 0; q < STAGES; q++) {
            impulse += F[q];
        }
        add_constant(a, impulse, 0, back->vary_first, to);
        for (int k = back->vary_first; k < back->vary_end; k += 4) {
            Four sum = four_load(to + k);
            for (int q = 0; q < STAGES; q++) {
                sum = four_plus(sum, four_scale(four_load(&a[q * padded + k]), F[q]));
            }
            four_store(to + k, sum);
        }
        add_constant(a, impulse, back->vary_end, padded, to);
    }
}

WIDE void products_wide(const PlainBack *back, int r) {
    add_node_products(back, r);
}

NARROW void products_narrow(const PlainBack *back, int r) {
    add_node_products(back, r);
}

void crm_plain_integrate(PlainBack *back, double h) {
    weigh_forces(back, h);
    add_bend(back);
    for (int r = 0; r < back->lanes; r++) {
        spread_a(back, r);
        (has_wide() ? products_wide : products_narrow)(back, r);
    }
}
