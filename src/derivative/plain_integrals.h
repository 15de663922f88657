/* Integrals over a step without friction: by W all of int F_j a_k dt, and what dL/dk needs. */
#ifndef CAROM_DERIVATIVE_PLAIN_INTEGRALS_H
#define CAROM_DERIVATIVE_PLAIN_INTEGRALS_H

#include "derivative/plain_state.h"

/* Index of int F_j a_k dt of lane r; k is next to k + 1, padded to a multiple of four. */
static inline size_t plain_by_W(const PlainBack *back, int r, int j, int k) {
    size_t n = (size_t)back->given->count, padded = (n + 3) / 4 * 4;
    return ((size_t)r * n + (size_t)j) * padded + (size_t)k;
}

/* A piece begins: a of the links that neither act nor are held is constant. */
void crm_plain_integrals_begin(PlainBack *back, const PlainLink *links);

/* Add the integrals of the step in hand, from its nodes; h: its time. */
void crm_plain_integrate(PlainBack *back, double h);

#endif
