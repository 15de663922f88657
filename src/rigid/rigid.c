/* The direct calls for one rigid contact. */
#include <carom/rigid.h>

#include "contact/check.h"
#include "rigid/exact.h"
#include "rigid/rigid.h"

CaromStatus crm_rigid_check(const double W[9], const double v[3], const CaromContact *contact,
                            const char **message) {
    CaromStatus status = crm_check_contact(contact, message);
    if (!status) {
        status = crm_check_matrix(W, 3, message);
    }
    return status ? status : crm_check_velocity(v, 1, 3, message);
}

/* By the copy of the solver that suits the processor. */
CaromStatus crm_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result) {
#ifdef CAROM_FMA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return exact_solve_fma(W, v, contact, law, sampler, result);
    }
#endif
    return exact_solve(W, v, contact, law, sampler, result);
}

CaromStatus carom_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                              CaromLaw law, CaromResult *result) {
    return crm_rigid_solve(W, v, contact, law, NULL, result);
}
