/* A measured planar impact, models that predict it, and the error of a prediction. */
#ifndef CAROM_VALIDATION_IMPACT_H
#define CAROM_VALIDATION_IMPACT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A body (mass, radius of gyration) that touches a floor at r from its centre: x along the floor, y
 * up. Velocities are (vx, vy, omega). */
typedef struct Impact {
    double mass, gyration;
    double r[2];
    double before[3], measured[3];
} Impact;

enum { COEFFICIENTS_MAX = 3 };

/* The velocities after by a model with coefficients. False: it has no answer. */
typedef bool Strike(const Impact *impact, const double *coefficients, double after[3]);

/* A model, ours or an engine's. */
typedef struct Model {
    const char *name;
    Strike *strike;
    int count; /* of coefficients */
    const char *names[COEFFICIENTS_MAX];
    double low[COEFFICIENTS_MAX], high[COEFFICIENTS_MAX], start[COEFFICIENTS_MAX];
} Model;

/* |after - measured| over |measured - before| in the norm of the kinetic energy. */
double impact_error(const Impact *impact, const double after[3]);

/* Kinetic energy after over before. */
double impact_energy(const Impact *impact, const double after[3]);

/* The engines that were found when this was built: each writes its model and returns 1, or 0. */
int engine_ode(Model *model);
int engine_bullet(Model *model);
int engine_mujoco(Model *model);
int engine_box2d(Model *model);

#ifdef __cplusplus
}
#endif

#endif
