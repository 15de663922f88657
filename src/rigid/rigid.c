/* The direct calls for one rigid contact. */
#include <carom/rigid.h>

#include "contact/check.h"
#include "contact/result.h"
#include "rigid/process/exact.h"
#include "rigid/rigid.h"

CaromStatus crm_rigid_check(const double W[9], const double v[3], const CaromContact *contact,
                            const char **message) {
    CaromStatus status = crm_check_contact(contact, message);
    if (!status) {
        status = crm_check_matrix(W, 3, message);
    }
    return status ? status : crm_check_velocity(v, 1, 3, message);
}

/* Choose the copy of the solver that suits the processor (solver.c). */
CaromStatus crm_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result) {
#ifdef CAROM_FMA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return crm_rigid_exact_fma(W, v, contact, law, sampler, result);
    }
#endif
    return crm_rigid_exact(W, v, contact, law, sampler, result);
}

CaromStatus carom_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                              CaromLaw law, CaromResult *result) {
    if (!W || !v || !contact || !result) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT,
                               "W, v, contact and result must not be NULL");
    }
    return crm_rigid_solve(W, v, contact, law, NULL, result);
}
