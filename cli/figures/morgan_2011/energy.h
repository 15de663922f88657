/* Figure 2.6 of [M]: energy during the collision. */
#ifndef CAROM_CLI_M_ENERGY_H
#define CAROM_CLI_M_ENERGY_H

#include "figures/sheet.h"

FigureMake m_energy;

#endif
