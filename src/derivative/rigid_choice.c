/* Choose the copy of the derivatives of one rigid contact that suits the processor (copies.h). */
#include "derivative/rigid_choice.h"

#include "derivative/rigid_slope.h"

typedef CaromStatus (*RigidSlopeCopy)(const double *W, const double *v, const CaromContact *contact,
                                      CaromLaw law, CaromResult *result, OneSlope *slope);

static int has_fma(void) {
#ifdef CAROM_FMA
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

#ifdef CAROM_FMA
static const RigidSlopeCopy SPATIAL[2] = {crm_rigid_slope_copy, crm_rigid_slope_fma},
                            PLANAR[2] = {crm_planar_slope_copy, crm_planar_slope_fma};
#else
static const RigidSlopeCopy SPATIAL[1] = {crm_rigid_slope_copy},
                            PLANAR[1] = {crm_planar_slope_copy};
#endif

CaromStatus crm_rigid_slope(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, CaromResult *result, OneSlope *slope) {
    return SPATIAL[has_fma()](W, v, contact, law, result, slope);
}

CaromStatus crm_planar_slope(const double W[4], const double v[2], const CaromContact *contact,
                             CaromLaw law, CaromResult *result, OneSlope *slope) {
    return PLANAR[has_fma()](W, v, contact, law, result, slope);
}
