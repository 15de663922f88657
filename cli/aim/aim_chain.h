/* How what is wanted of an impact changes with the motion after it: flight and rolling, in closed
 * form. */
#ifndef CAROM_CLI_AIM_AIM_CHAIN_H
#define CAROM_CLI_AIM_AIM_CHAIN_H

#include "aim/aim_wish.h"

/* A small change of a body's motion just after the impact, and of the table that it rolls on. */
typedef struct AimMotion {
    double position[3], velocity[3], angular_velocity[3];
    CaromTable table;
} AimMotion;

/* The body that the wish is about. */
int aim_chain_body(const AimWish *wish, const Scene *scene);

/* The change of the numbers that aim_wish_numbers() gives, by a change of the body's motion; not of
 * AIM_VELOCITY. NAN where it does not exist. */
void aim_chain(const AimWish *wish, const Scene *scene, const Solution *solution,
               const AimMotion *change, double *slopes);

#endif
