/* A measured impact of a body on a floor, models that predict it, and the error of a prediction. */
#ifndef CAROM_VALIDATION_IMPACT_H
#define CAROM_VALIDATION_IMPACT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { POINTS_MAX = 4, VELOCITIES = 6, COEFFICIENTS_MAX = 5 };

/* A body (mass, radius of gyration, the same about all axes) that touches a floor with its normal
 * along y. Velocities are (v, omega). */
typedef struct Impact {
    double mass, gyration;
    int planar;              /* 1: in the plane z = 0 */
    int count;               /* of points that touch */
    double r[POINTS_MAX][3]; /* from the centre; in the order in which they touch */
    double before[VELOCITIES], measured[VELOCITIES];
} Impact;

/* The velocities after by a model with coefficients. False: it has no answer. */
typedef bool Strike(const Impact *impact, const double *coefficients, double after[VELOCITIES]);

/* A model, ours or an engine's. */
typedef struct Model {
    const char *name;
    Strike *strike;
    int count; /* of coefficients */
    const char *names[COEFFICIENTS_MAX];
    double low[COEFFICIENTS_MAX], high[COEFFICIENTS_MAX], start[COEFFICIENTS_MAX];
    bool factor[COEFFICIENTS_MAX]; /* searched by factors: the logarithm is the variable */
} Model;

/* |after - measured| over |measured - before| in the norm of the kinetic energy. */
double impact_error(const Impact *impact, const double *after);

/* Kinetic energy after over before. */
double impact_energy(const Impact *impact, const double *after);

/* The part of the measured change that no impulses at the points explain, over the change: what is
 * left by every model whatever its law. */
double impact_unexplained(const Impact *impact);

/* The velocity of a point before the impact, in the plane of the floor: a direction of slip for
 * engines that want one; x if there is none. */
void impact_slip(const Impact *impact, int point, double direction[3]);

/* The engines that were found when this was built: each writes its model and returns 1, or 0. */
int engine_ode(Model *model);
int engine_bullet(Model *model);
int engine_mujoco(Model *model);
int engine_ode_slip(Model *model); /* friction along the slip before only, no other direction */
int engine_bullet_slip(Model *model);
int engine_box2d(Model *model); /* planar impacts only */

#ifdef __cplusplus
}
#endif

#endif
