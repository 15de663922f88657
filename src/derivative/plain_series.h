/* The series of a step without friction, backwards: a and b of the free links, lane by lane. In
 * most steps a few links are much stiffer than all others. Orders that are negligible throughout a
 * block of four links and next to it are left out. */
#ifndef CAROM_DERIVATIVE_PLAIN_SERIES_H
#define CAROM_DERIVATIVE_PLAIN_SERIES_H

#include "derivative/plain_state.h"

/* Places of R in an array that is made of vectors of four. */
static inline size_t plain_padded(const PlainBack *back) {
    return ((size_t)back->free_count + 3) / 4 * 4;
}

/* The same with room before and after, where W' finds nothing. */
static inline size_t plain_stride(const PlainBack *back) {
    return plain_padded(back) + 2 * (size_t)back->band;
}

/* Index of the terms of order g. */
static inline size_t plain_term(const PlainBack *back, int g, int r, int place) {
    return (size_t)(g * back->width + r) * plain_stride(back) + (size_t)(back->band + place);
}

/* Index of a's part of degree m. */
static inline size_t plain_mode(const PlainBack *back, int r, int m, int place) {
    return (size_t)(r * MODES + m) * plain_stride(back) + (size_t)(back->band + place);
}

/* Index of the degrees of a block. */
static inline size_t plain_degree(const PlainBack *back, int r, int block) {
    return (size_t)r * (plain_padded(back) / 4) + (size_t)block;
}

/* The last order of a link that counts. */
static inline int plain_order(const PlainBack *back, int r, int place) {
    return back->order[plain_degree(back, r, place / 4)];
}

/* Index of a at node q. */
static inline size_t plain_node(const PlainBack *back, int q, int r, int place) {
    return (size_t)(q * back->width + r) * plain_padded(back) + (size_t)place;
}

/* Legendre's polynomials. */
void crm_plain_modes(PlainBack *back);

/* H and R are others: W' by diagonals. */
void crm_plain_series_begin(PlainBack *back);

/* A piece begins: links that act. */
void crm_plain_step_begin(PlainBack *back, const PlainLink *links);

/* Back by the time h: all terms, a and b at its end, a by Legendre's polynomials; phase: of the
 * fastest oscillation. */
void crm_plain_step_series(PlainBack *back, double h, double phase);

/* a of that step at the nodes. */
void crm_plain_nodes(PlainBack *back);

#endif
