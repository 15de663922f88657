/* The adjoint at events of normal springs: where compression ends, and where a spring opens. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_SPRING_H
#define CAROM_DERIVATIVE_MULTIPLE_SPRING_H

#include "derivative/multiple_adjoint.h"

/* Does the stiffness of link i grow? e = 1 included. */
int crm_adjoint_grows_stiffer(const Adjoint *adjoint, int i);

/* k becomes k/e^2 at link i, or k/q with q = (sum of e^2 E)/(sum of E) over the links that bounce
 * as one, of which it is the first. */
void crm_adjoint_meet_stiffer(Adjoint *adjoint, int i);

/* b and peak of link i. */
void crm_adjoint_meet_spring(Adjoint *adjoint, int i);

#endif
