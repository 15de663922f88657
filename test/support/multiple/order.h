/* The same problem in other words: contacts in another order, each with its tangents turned by an
 * angle of its own. */
#ifndef CAROM_TEST_MULTIPLE_ORDER_H
#define CAROM_TEST_MULTIPLE_ORDER_H

#include "support/multiple/problems.h"

typedef struct MultipleOrder {
    int order[MULTIPLE_CONTACTS]; /* the contact that comes here */
    double turn[MULTIPLE_CONTACTS][2];
} MultipleOrder;

MultipleOrder multiple_random_order(const MultipleProblem *problem, uint64_t seed, uint64_t number);

void multiple_reorder(const MultipleOrder *order, const MultipleProblem *from, MultipleProblem *to);

/* A velocity or impulse of the problem from one of the reordered problem. */
void multiple_order_back(const MultipleOrder *order, const MultipleProblem *problem,
                         const double *from, double *to);

/* Largest difference of two velocities over the largest speed before. */
double multiple_difference(const MultipleProblem *problem, const double *a, const double *b);

#endif
