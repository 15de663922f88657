/* Begin a result, or mark it as failed; energies in the caller's units. */
#ifndef CAROM_CONTACT_RESULT_H
#define CAROM_CONTACT_RESULT_H

#include <carom/result.h>

/* Mark a result as failed: numbers NaN, counts 0, sequence empty. entries: size of impulse and
 * velocity. Returns the status. */
CaromStatus crm_result_fail(CaromResult *result, int entries, CaromStatus status,
                            const char *message);

/* Clear what solvers add to. */
void crm_result_begin(CaromResult *result);

/* An energy account in other units. */
static inline void energy_scale(CaromEnergy *energy, double unit) {
    energy->change *= unit;
    energy->stored *= unit;
    energy->released *= unit;
    energy->normal_loss *= unit;
    energy->friction_loss *= unit;
    energy->residual *= unit;
    energy->tangential *= unit;
}

#endif
