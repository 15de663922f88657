/* Integrals over a step without friction: by W all of int F_j a_k dt, and what dL/dk needs. Of held
 * links F_H = -C F_R and a_H = held - C a_R: as long as H stays what it is the integrals of R will
 * do. */
#ifndef CAROM_DERIVATIVE_PLAIN_INTEGRALS_H
#define CAROM_DERIVATIVE_PLAIN_INTEGRALS_H

#include "derivative/plain_state.h"

/* Index of int F_j a_k dt of lane r, links j and k; k is next to k + 1, padded to a multiple of
 * four. */
static inline size_t plain_by_W(const PlainBack *back, int r, int j, int k) {
    size_t n = (size_t)back->given->count, padded = (n + 3) / 4 * 4;
    return ((size_t)r * n + (size_t)j) * padded + (size_t)k;
}

/* All integrals are nothing. */
void crm_plain_integrals_clear(PlainBack *back);

/* Add what has been gathered to by_W, before H and R become others. */
void crm_plain_integrals_flush(PlainBack *back);

/* A piece begins: a of the links that do not act is constant. */
void crm_plain_integrals_begin(PlainBack *back);

/* Add the integrals of the step in hand; h: its time. */
void crm_plain_integrate(PlainBack *back, double h);

#endif
