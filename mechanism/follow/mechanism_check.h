/* Do the functions of a mechanism agree with each other? */
#ifndef CAROM_MECHANISM_FOLLOW_MECHANISM_CHECK_H
#define CAROM_MECHANISM_FOLLOW_MECHANISM_CHECK_H

#include <carom/mechanism.h>

/* At q: the second row of J is the gradient of the gap, and the drift is J' u, both by central
 * differences, whose error is far below the tolerance of 1e-4. room has 8 n numbers. Returns "" or
 * what is wrong. */
const char *crm_mechanism_check(const CaromMechanism *mechanism, const double *q, double *room);

#endif
