/* One rigid contact whose W is singular but semidefinite. */
#ifndef CAROM_RIGID_SINGULAR_H
#define CAROM_RIGID_SINGULAR_H

#include "contact/singular.h"
#include "rigid/impact.h"

/* Which directions cannot move? Makes B and d of an impact that was set up exactly singular, turns
 * its axes if that makes the slip straight, and fills locked, free, mobility, wedged, stick (if
 * locked) and condition. Returns 0 if W is not semidefinite. */
int singular_reduce(Impact *impact);

#endif
