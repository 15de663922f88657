/* The derivative by mu where mu = 0: friction that is only about to act.
 *
 * For a little mu the tangential spring hardly gives way: friction is mu N against the slip s = V/
 * |V| of the process without it. With P_t = W_tn a + weight_t
 *
 *   dL/dmu = -int N s.P_t dt = -(weight_t.S + M),  S = int N s dt,  M = int N s.W_tn a dt. */
#ifndef CAROM_DERIVATIVE_PLAIN_SLIDE_H
#define CAROM_DERIVATIVE_PLAIN_SLIDE_H

#include "derivative/plain_state.h"

/* At the end of the process. */
void crm_plain_slide_begin(PlainBack *back);

/* Over a step of the time h whose series is known. */
void crm_plain_slide_step(PlainBack *back, const PlainLink *links, double h);

/* Over the impulse p of link i that acts alone, a_i = a_i(end) - beta times the impulse. Before a
 * is taken back. */
void crm_plain_slide_single(PlainBack *back, int i, double p, const double *beta);

#endif
