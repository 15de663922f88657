/* A cue strikes a ball on a table: [JME], sections 8 and 9.2.
 *
 * Coordinates: the speed of the cue along its axis, in which it is led, and the ball's velocity v
 * and angular velocity omega. Contact 0 is between cue and ball (normal n, out of the ball),
 * contact 1 between ball and table (normal z). */
#ifndef CAROM_CLI_FIGURES_JME_SHOT_H
#define CAROM_CLI_FIGURES_JME_SHOT_H

#include <carom/carom.h>

#include "figures/sheet.h"

typedef struct JmeShot {
    double mass, radius; /* of the ball */
    double eta[2];       /* eta^2: normal over tangential stiffness, at cue and table */
} JmeShot;

/* As in the paper but for the mass, 0.1701 kg (6 oz) instead of 0.01701. */
extern const JmeShot jme_shot;

/* Where the cue hits, from the centre of the ball, as printed; of length 1 to 2e-4. */
extern const double jme_shot_normal[3];

/* The ball afterwards, at the origin, and the states, "S1 S2 S4". False, told to the sheet: not
 * solved. */
enum { JME_SHOT_STATES = 64 };
bool jme_shoot(FigureSheet *sheet, const JmeShot *shot, CaromRollingState *ball,
               char states[JME_SHOT_STATES]);

/* Its way on the table. */
bool jme_shot_path(FigureSheet *sheet, const CaromRollingState *ball, double radius,
                   CaromRollingPath *path);

/* Does it bend to the left at first? */
bool jme_shot_bends_left(const CaromRollingState *ball, double radius);

/* The radius for which such velocities can come from impulses at the two contacts: then
 * (n + z).(2/5 r omega + z x v) = 0. */
double jme_shot_radius(const CaromRollingState *ball);

#endif
