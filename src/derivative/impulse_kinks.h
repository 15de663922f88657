/* Kinks of several rigid contacts at impulse level. */
#ifndef CAROM_DERIVATIVE_IMPULSE_KINKS_H
#define CAROM_DERIVATIVE_IMPULSE_KINKS_H

#include <carom/derivative.h>

#include "derivative/impulse_adjoint.h"

/* Why contacts without load that others hold in touch leave no derivatives, or NULL. */
const char *crm_impulse_unloaded(ImpulseSlope *slope);

/* List them; gradient: room for all inputs. Contacts on the corner of max(-v_n-, 0) make the
 * derivative one-sided. */
void crm_impulse_kinks(ImpulseSlope *slope, double *gradient, CaromDerivative *derivative);

#endif
