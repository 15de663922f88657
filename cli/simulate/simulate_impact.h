/* One impact of a simulation: all vertices that touch the plane, at once. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_IMPACT_H
#define CAROM_CLI_SIMULATE_SIMULATE_IMPACT_H

#include "simulate/simulate_run.h"

/* Solve the impact of the body impact->before with the plane, at count vertices in touch, and fill
 * the impact. count < 2: the scene's model at impact->vertex. Otherwise the compliant model with
 * equal stiffnesses: of several contacts it alone has an answer that is unique and does not depend
 * on their order, without a choice of more than the scene gives. Where it does not converge: the
 * impulse-level law. *approach is the largest normal
 * speed of approach. Returns the status of the solver; *message belongs to it. */
CaromStatus simulate_impact_solve(const SimulateScene *scene, const CaromOptions *options,
                                  const int *vertices, int count, SimulateImpact *impact,
                                  double *approach, const char **message);

/* Free what the impact owns. */
void simulate_impact_free(SimulateImpact *impact);

#endif
