/* An order of the contacts that does not depend on the order in which they are given. */
#ifndef CAROM_IMPULSE_CONTACT_ORDER_H
#define CAROM_IMPULSE_CONTACT_ORDER_H

#include <carom/problem.h>

/* order[i]: the given number of the contact that comes i-th. Sorted by velocity, inertia and
 * coefficients; contacts that are alike by their W to those that come before. Problems that differ
 * in the order of their contacts only are the same to the last bit afterwards, unless contacts are
 * alike in all of this. */
void crm_contact_order(const CaromProblem *problem, int *order);

#endif
