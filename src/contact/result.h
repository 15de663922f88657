/* Begin a result, or mark it as failed; energies in the caller's units. */
#ifndef CAROM_CONTACT_RESULT_H
#define CAROM_CONTACT_RESULT_H

#include <stdbool.h>

#include <carom/problem.h>
#include <carom/result.h>

/* Mark a result as failed: numbers NaN, counts 0, sequence empty. entries: size of impulse and
 * velocity. result may be NULL. Returns the status. */
CaromStatus crm_result_fail(CaromResult *result, int entries, CaromStatus status,
                            const char *message);

/* Size of impulse and velocity; 0 if it is not known because the problem is wrong. */
static inline int problem_entries(const CaromProblem *problem) {
    int count = problem ? problem->contact_count : 0;
    bool usable = count > 0 && count <= CAROM_CONTACTS_MAX;
    return usable ? (problem->planar ? 2 : 3) * count : 0;
}

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
