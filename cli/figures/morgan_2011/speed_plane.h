/* Figures 2.2 to 2.5, 2.7 and 2.9 of [M]: a collision in the plane of the speeds. */
#ifndef CAROM_CLI_M_SPEED_PLANE_H
#define CAROM_CLI_M_SPEED_PLANE_H

#include "figures/sheet.h"

FigureMake m_plane;

#endif
