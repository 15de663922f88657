/* Lasting contact: what a body does when its bounces have died out. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_CONTACT_H
#define CAROM_CLI_SIMULATE_SIMULATE_CONTACT_H

#include "simulate/simulate_run.h"

typedef enum SimulateContactEnd {
    SIMULATE_CONTACT_TIME,     /* the scene's time has passed */
    SIMULATE_CONTACT_REST,     /* the body rests */
    SIMULATE_CONTACT_FLIGHT,   /* it leaves the plane */
    SIMULATE_CONTACT_IMPACT,   /* a vertex hits the plane */
    SIMULATE_CONTACT_ENDLESS,  /* it would go on for ever, and the scene has no end time */
    SIMULATE_CONTACT_UNKNOWN,  /* it cannot be computed: see run->message */
    SIMULATE_CONTACT_NO_MEMORY /* out of memory */
} SimulateContactEnd;

/* Follow a body in touch with the plane from run->time on, and add the pieces of its motion.
 *
 * A ball slides, rolls and spins on a level plane in closed form. A body with vertices goes by
 * carom_lasting_advance(); a vertex that comes down faster than speed is a bounce. ENDLESS and
 * UNKNOWN leave body and run as they were, but for the pieces up to there. */
SimulateContactEnd simulate_contact_follow(const SimulateScene *scene, double speed,
                                           SimulateRun *run, CaromBody *body);

#endif
