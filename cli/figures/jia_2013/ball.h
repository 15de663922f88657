/* The ball of section 8.1 of [J]: mass and radius 1, on a table.
 *
 * W = diag(7/2, 7/2, 1), v = (V_x - omega_y, V_y + omega_x, V_z), and after the impulse I
 *
 *   V = V0 + I,   omega = omega0 + 5/2 (I_y, -I_x, 0).
 *
 * Two rules: the paper's equations (friction mu throughout; solved exactly), and the rule of its
 * printed numbers (friction e mu in slip during restitution; the paper's scheme). */
#ifndef CAROM_CLI_FIGURES_JIA_2013_BALL_H
#define CAROM_CLI_FIGURES_JIA_2013_BALL_H

#include <carom/carom.h>

#include "figures/sheet.h"

/* Why printed numbers differ. */
#define J_FRICTION                                                                                 \
    "The printed number has friction eμ instead of μ while the contact slips in restitution."
#define J_EULER                                                                                    \
    FIGURE_STEPS "The printed number has the error of Euler's scheme, some steps of 5e-5."
#define J_STOP FIGURE_STEPS "The printed run ends where the normal energy has fallen to 1e-4."
#define J_HALF "The printed energy counts the rotation by half."

typedef enum JRule {
    J_COULOMB,     /* friction mu; exact */
    J_PRINTED,     /* friction e mu in slip during restitution; Euler, step 5e-5 */
    J_PRINTED_STOP /* the same, ended where the normal energy has fallen to 1e-4, as in most runs of
                      the paper */
} JRule;

typedef struct JBall {
    double V[3], omega[3];
} JBall;

typedef struct JSurface {
    double mu, e, eta; /* eta^2: normal over tangential stiffness */
} JSurface;

/* Before the impact of section 8.1.1, and the surface (83). */
extern const JBall j_thrown;
extern const JSurface j_rubber;

/* The process at the contact. */
typedef struct JImpact {
    CaromResult result;
    double I[3], v[3];
    CaromEvent events[CAROM_SEQUENCE_SIZE];
    bool slides; /* from the start to the end */
} JImpact;

/* The ball after an impact. False: not solved; the figure has failed. impact may be NULL. */
bool j_bounce(FigureSheet *sheet, const JBall *before, const JSurface *surface, JRule rule,
              JBall *after, JImpact *impact);

/* The exact process, sampled; trace as for carom_trace(). */
bool j_trace(FigureSheet *sheet, const JBall *before, const JSurface *surface, CaromTrace *trace,
             JImpact *impact);

/* Kinetic energy, and the same with the rotation counted by half, as the paper does. */
double j_energy(const JBall *ball);
double j_energy_by_half(const JBall *ball);

#endif
