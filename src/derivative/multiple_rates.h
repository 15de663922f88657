/* The adjoint at events of held links that change rates. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_RATES_H
#define CAROM_DERIVATIVE_MULTIPLE_RATES_H

#include "derivative/multiple_adjoint.h"
#include "derivative/multiple_tape.h"

/* Forces that differ by less, relative to all, are the same. */
static const double SAME_FORCE = 1e-9;

/* The adjoint of h = |f| - mu N of link i, times rates; the part of N goes to x. */
void crm_adjoint_add_cone(Adjoint *adjoint, int i, const double *rates, double *x);

/* Where a force comes to 0, or stick of a held link ends, the rates of the reactions change. Slip
 * that stops because of that, at once, has other rates than the slip before: what is missing of
 * them goes to h = N or h = |f| - mu N. Returns 1 if a reaction is in x. */
int crm_adjoint_meet_missing(Adjoint *adjoint, int cone, double *x);

/* Slip runs away where stick of a held link ends, h = |f| - mu N: all friction of held links goes,
 * or stays. Writes (F+ - F-).P/h' to rates; 0: it does not. */
int crm_adjoint_meet_run_away(Adjoint *adjoint, const PieceEnd *end, double *rates);

#endif
