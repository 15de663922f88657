/* The adjoint at one moment. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_MOMENT_H
#define CAROM_DERIVATIVE_MULTIPLE_MOMENT_H

#include "derivative/multiple_adjoint.h"
#include "math/functions.h"

/* Describe the links of the piece in hand in links[], at x: also F and v. */
void crm_adjoint_describe(Adjoint *adjoint, double x);

/* The rates of the state times the adjoint now, of one lane; P is known. */
double crm_adjoint_power(const Adjoint *adjoint, int r);

/* Does the piece in hand end where it begins? */
int crm_adjoint_has_no_length(const Adjoint *adjoint);

static inline double size_of_f(const AdjointLink *link) {
    return hypot(link->f[0], link->f[1]);
}

/* (F+ - F-).P in the rows of link i, one lane. */
static inline double force_jump(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    double sum = 0;
    for (int row = given->materials[i].row; row <= normal_row(given, i); row++) {
        sum += (adjoint->F_after[row] - adjoint->F[row]) * adjoint->P[row * adjoint->lanes + r];
    }
    return sum;
}

#endif
