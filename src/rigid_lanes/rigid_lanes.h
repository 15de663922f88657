/* Many rigid impacts at once, each in an element of vectors; the others are left to the solver for
 * one impact. */
#ifndef CAROM_LANES_H
#define CAROM_LANES_H

#include <carom/batch.h>

/* Most impacts of one call. */
enum { RIGID_LANES_BLOCK = 512 };

/* Solve up to RIGID_LANES_BLOCK rigid cases. open[i] = 0: outcomes[i] is complete; 1: the case is
 * left to crm_rigid_solve(). Each outcome, and whether it is left, depends on its case alone. */
void crm_rigid_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     unsigned char *open);
/* By the copy for AVX2 and FMA, and by the plain one. */
void crm_rigid_lanes_fma(int count, const CaromCase *cases, CaromOutcome *outcomes,
                         unsigned char *open);

/* The same with a visitor (lanes_visit.h), which may be NULL; where there are lanes. */
typedef struct LanesVisitor LanesVisitor;
void crm_rigid_lanes_visit(int count, const CaromCase *cases, CaromOutcome *outcomes,
                           unsigned char *open, const LanesVisitor *visitor);
void crm_rigid_lanes_visit_fma(int count, const CaromCase *cases, CaromOutcome *outcomes,
                               unsigned char *open, const LanesVisitor *visitor);

#endif
