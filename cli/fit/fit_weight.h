/* How measured numbers of different units compare where no sigma is given. */
#ifndef CAROM_CLI_FIT_FIT_WEIGHT_H
#define CAROM_CLI_FIT_FIT_WEIGHT_H

#include "outcomes/components.h"

/* The relative standard deviation of a measured number: 1 for velocities of bodies and of contacts,
 * 1/(radius of gyration) for angular velocities; for generalised speeds and contact velocities of a
 * mechanism such that equal deviations are equal kinetic energies. So no unit of length or angle
 * decides what counts. place: of the component; -1 - i: row i of the contact velocities. */
double fit_weight_sigma(const Scene *scene, const Components *components, int place);

#endif
