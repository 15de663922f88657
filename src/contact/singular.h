/* When does W count as singular?
 *
 * The entries of W are sums of products, each rounded; whoever assembles W can answer for some tens
 * of units in the last place, not for the last. So a combination of W that is zero in truth is
 * taken to be zero if it is below
 *
 *   SINGULAR  relative to the terms that cancelled in it. Below that nothing is left of it anyway:
 *             an answer that used it would be all rounding.
 *   LOCKED    a tangential mobility over W_nn: what the square of an entry of J that should be 0,
 *             and is not by SINGULAR, would leave. */
#ifndef CAROM_CONTACT_SINGULAR_H
#define CAROM_CONTACT_SINGULAR_H

#include <float.h>

#define SINGULAR (64 * DBL_EPSILON)
#define LOCKED (SINGULAR * SINGULAR)

/* Why there is no answer where friction holds a contact along a direction that cannot move. */
#define WEDGED                                                                                     \
    "inverse_inertia: the contact wedges, the mechanism cannot move along a direction inside the " \
    "friction cone"

#endif
