/* The series of a step without friction, backwards: a and b of the links A, lane by lane. */
#ifndef CAROM_DERIVATIVE_PLAIN_SERIES_H
#define CAROM_DERIVATIVE_PLAIN_SERIES_H

#include "derivative/plain_state.h"

/* Places of A in an array that is made of vectors of four. */
static inline size_t plain_padded(const PlainBack *back) {
    return ((size_t)back->act_count + 3) / 4 * 4;
}

/* Index of the terms of order g: there is room before and after them, where W' finds nothing. */
static inline size_t plain_term(const PlainBack *back, int g, int r, int place) {
    size_t stride = plain_padded(back) + 2 * (size_t)back->band;
    return (size_t)(g * back->width + r) * stride + (size_t)(back->band + place);
}

/* Index of a at node q. */
static inline size_t plain_node(const PlainBack *back, int q, int r, int place) {
    return (size_t)(q * back->width + r) * plain_padded(back) + (size_t)place;
}

/* A piece begins: W' by diagonals. */
void crm_plain_step_begin(PlainBack *back, const PlainLink *links);

/* Back by the time h: all terms, a and b at its end, a at the nodes; phase: of the fastest
 * oscillation. Returns the last order. */
int crm_plain_step_series(PlainBack *back, double h, double phase);

#endif
