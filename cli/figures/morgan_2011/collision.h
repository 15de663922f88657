/* Figures 2.2 to 2.7 and 2.9 of [M]: a collision in the plane of the speeds, and its energy. */
#ifndef CAROM_CLI_FIGURES_MORGAN_2011_COLLISION_H
#define CAROM_CLI_FIGURES_MORGAN_2011_COLLISION_H

#include "figures/sheet.h"

FigureMake m_plane, m_energy;

#endif
