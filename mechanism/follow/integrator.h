/* SUNDIALS CVODE behind four calls: y' = rates(y) with roots.
 *
 * Adams' method with fixed-point iteration: the motion of a mechanism between events is smooth and
 * not stiff, unless its given forces are. */
#ifndef CAROM_MECHANISM_FOLLOW_INTEGRATOR_H
#define CAROM_MECHANISM_FOLLOW_INTEGRATOR_H

#include <stdbool.h>

/* Roots that a phase may have. */
enum { INTEGRATOR_ROOTS = 3 };

typedef struct Integrator Integrator;

/* Both return false if the state cannot be evaluated. */
typedef bool IntegratorRates(void *data, const double *y, double *rates);
typedef bool IntegratorRoots(void *data, const double *y, double roots[INTEGRATOR_ROOTS]);

typedef enum IntegratorStop { STOP_TARGET, STOP_ROOT, STOP_FAILED } IntegratorStop;

/* NULL: out of memory, or SUNDIALS refused the setting. directions: -1, a root counts if the
 * function falls through it; 0, both ways. */
Integrator *crm_integrator_new(int size, double tolerance, IntegratorRates *rates,
                               IntegratorRoots *roots, const int directions[INTEGRATOR_ROOTS],
                               void *data);
bool crm_integrator_restart(Integrator *integrator, double time, const double *y);

/* On to a target time, or to the first root (then found has which). *time and y are what was
 * reached. */
IntegratorStop crm_integrator_advance(Integrator *integrator, double target, double *time,
                                      double *y, int found[INTEGRATOR_ROOTS]);
void crm_integrator_free(Integrator *integrator);

#endif
