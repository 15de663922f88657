/* The models of carom. Several points: rigid contacts with the energetic law or Poisson's one after
 * the other in the order of touch, with Newton's at once by the impulse-level law; compliant ones
 * at once, with equal stiffnesses. */
#ifndef CAROM_VALIDATION_OURS_H
#define CAROM_VALIDATION_OURS_H

#include <carom/carom.h>

#include "impact.h"

/* Fill models; returns their number. The first is the rigid, energetic one. */
int ours_models(Model *models);

/* Does slip stop in the rigid, energetic model? Of one point. */
bool ours_slip_stops(const Impact *impact, const double *coefficients);

/* An impact in contact space. */
typedef struct OursSpace {
    CaromBody bodies[2]; /* the body and the floor */
    CaromSite sites[POINTS_MAX];
    double W[9 * POINTS_MAX * POINTS_MAX], v[3 * POINTS_MAX];
} OursSpace;

void ours_space(const Impact *impact, OursSpace *space);

#endif
