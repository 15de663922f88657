/* The pencil of [J], section 8.2: a cylinder on a cone, which hits a desk with its point. */
#ifndef CAROM_CLI_FIGURES_J_PENCIL_H
#define CAROM_CLI_FIGURES_J_PENCIL_H

#include <carom/carom.h>

#include "figures/sheet.h"

/* (89): radius, height of the cylinder and of the cone; the mass is 1. */
extern const double j_pencil_radius, j_pencil_cylinder, j_pencil_cone;

/* Which moment of inertia about the axes across the pencil. */
typedef enum JMoment {
    J_MOMENT_EXACT,   /* about the centre of mass */
    J_MOMENT_FORMULA, /* (85), which takes the cone's moment about its vertex for that about its
                         centre */
    J_MOMENT_PRINTED  /* the one that the printed impulse and velocities belong to */
} JMoment;

/* From the point of the pencil to its centre of mass. */
double j_pencil_height(void);

double j_pencil_moment(JMoment moment);

/* The pencil at the moment of the impact, before it (91). */
CaromBody j_pencil_before(JMoment moment);

/* Angular velocity in the pencil's axes, as the paper gives it. */
void j_pencil_spin(const CaromBody *pencil, double omega[3]);

/* The impact; trace NULL: not wanted; rule as_printed: by the published scheme with friction e mu
 * in restitution (then there is no trace). result as for carom_solve(); its impulse is needed. */
bool j_pencil_hit(FigureSheet *sheet, CaromBody *pencil, bool as_printed, CaromTrace *trace,
                  CaromResult *result);

#endif
