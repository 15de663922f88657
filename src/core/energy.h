/* An energy account in other units. */
#ifndef CAROM_CORE_ENERGY_H
#define CAROM_CORE_ENERGY_H

#include <carom/problem.h>

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
