/* Held links that share their load in many ways: the normals of those that push depend on each
 * other, A Z = 0 with A = W_PP. N is the one of least sum N^2/k (multiple/held.h):
 *
 *   A N - M N + b = 0,   Z^T K^-1 N = 0,
 *
 * M being their friction. Changes that leave the normals dependent turn Z, A dZ = -dA Z, so that
 *
 *   (A - M) dN = -(db + dA N - dM N),   Z^T K^-1 dN = Z^T dA y + Z^T K^-2 dK N,   y = G K^-1 N,
 *
 * and psi, the effect of N, becomes (A - M)^T a - K^-1 Z c = -psi. As (A - M)^T Z = 0, the choice
 * c = Z^T K^-1 a makes one regular system of it; with z = Z c there is dL = z.dA y + z.K^-2 dK N
 * beside what a does. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_SHARE_H
#define CAROM_DERIVATIVE_MULTIPLE_SHARE_H

#include "derivative/multiple_adjoint.h"

/* Numbers of adjoint->share for so many links. */
static inline size_t share_numbers(size_t links) {
    return links * links + 4 * links;
}

/* Do the links that push by links[] share their load? Sets adjoint->shares and, if so, share. */
void crm_share_find(Adjoint *adjoint);

/* What the equations of held links have beside (A - M)^T; row and column count those that push. */
static inline double share_entry(const Adjoint *adjoint, int row, int column) {
    return adjoint->shares ? adjoint->share[row * adjoint->shares + column] : 0;
}

/* Add dL by W and by the given stiffnesses at one moment, for this time: a_n and N of link i are
 * a[normal row of i times lanes, plus the lane, times stride], and F[normal row times stride]. */
void crm_share_add(Adjoint *adjoint, const double *a, const double *F, int stride, double time);

/* The same where u = -G psi is known, one lane: psi and u as held->list counts links. */
void crm_share_split(Adjoint *adjoint, const double *psi, const double *u, const double *F,
                     int lane, double time);

#endif
