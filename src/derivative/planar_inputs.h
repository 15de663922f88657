/* Which of the inputs of a spatial contact a planar one has. */
#ifndef CAROM_DERIVATIVE_PLANAR_INPUTS_H
#define CAROM_DERIVATIVE_PLANAR_INPUTS_H

#include "derivative/one.h"

static const int PLANAR_INPUTS[] = {ONE_W11, ONE_W13,       ONE_W33, ONE_V,         ONE_V + 2,
                                    ONE_MU,  ONE_MU_STATIC, ONE_E,   ONE_STIFFNESS, ONE_RATIO};

enum { PLANAR_COUNT = sizeof PLANAR_INPUTS / sizeof *PLANAR_INPUTS };

#endif
