/* How the inputs of an impact change with a number of its scene. */
#ifndef CAROM_CLI_SENSITIVITY_INPUT_SLOPE_H
#define CAROM_CLI_SENSITIVITY_INPUT_SLOPE_H

#include "scene/scene.h"
#include "scene/scene_path.h"

/* Derivatives by the number at a path: of all inputs of the problem, in the layout of
 * carom_inputs(); and of the outcome's components (outcomes/components.h) for an impulse that stays
 * as it is. A contact's coefficient is an input by itself. Masses, positions, normals and Jacobians
 * act through W and v, rational functions of them: differences at six distances, extrapolated, give
 * their derivatives to some eleven digits. False: see *error. */
bool input_slope(json_t *document, const Scene *scene, const ScenePath *path, const double *impulse,
                 double *inputs, double *components, Error *error);

#endif
