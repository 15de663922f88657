/* Sensitivity: derivatives of a scene's outcome by its numbers. */
#ifndef CAROM_CLI_SENSITIVITY_SENSITIVITY_H
#define CAROM_CLI_SENSITIVITY_SENSITIVITY_H

#include <carom/derivative.h>

#include "outcomes/components.h"
#include "scene/scene_path.h"
#include "solve/solution.h"

/* Most numbers by which an outcome is differentiated. */
#define SENSITIVITY_PATHS_MAX 10000

/* Numbers of a scene; owns the array. */
typedef struct SensitivityPaths {
    bool wanted; /* --sensitivity was given */
    int count;
    ScenePath *paths;
} SensitivityPaths;

/* Read --sensitivity[=PATH,...] into a SensitivityPaths; text NULL: the default paths. Returns 0,
 * or the exit status after usage_fail(). */
int sensitivity_read(const char *command, const char *text, void *paths);

void sensitivity_paths_free(SensitivityPaths *paths);

/* The derivatives by one number. */
typedef struct SensitivityRow {
    ScenePath path;
    double value;       /* of the number */
    double *impulse;    /* dI/dx, of all rows */
    double *velocity;   /* of the contact velocities after */
    double *components; /* of the outcome (outcomes/components.h) */
} SensitivityRow;

/* Owns everything it points to, except the scene. */
typedef struct Sensitivity {
    const Scene *scene;
    Components components;
    double *after; /* the outcome's components */
    int rows;      /* of impulses */
    int count;
    SensitivityRow *by;
    CaromSmoothness smoothness;
    const char *message; /* why a derivative does not exist; "" */
    double residual;     /* as in CaromDerivative */
    bool has_kink;
    CaromKink kink; /* the nearest */
    double *storage;
} Sensitivity;

/* Differentiate a solved scene by numbers of its document; with no paths by every mu, e,
 * stiffness, stiffness_ratio and velocity. False: see *error. Use sensitivity_free() in any case.
 */
bool sensitivity_compute(json_t *document, const Scene *scene, const Solution *solution,
                         const SensitivityPaths *paths, Sensitivity *sensitivity, Error *error);
void sensitivity_free(Sensitivity *sensitivity);

/* The size of a component below which it is rounding. */
double sensitivity_noise(const Sensitivity *sensitivity);

/* Per cent per per cent, x/y dy/dx; NaN where y is rounding. */
double sensitivity_relative(const Sensitivity *sensitivity, const SensitivityRow *row,
                            int component);

/* The word for "derivative_status": ok, one_sided, jump or none. */
const char *sensitivity_status(const Sensitivity *sensitivity);

#endif
