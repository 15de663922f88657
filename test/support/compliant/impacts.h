/* Compliant impacts for the tests: random ones of many kinds, the library's answers, and how far an
 * answer may be off. */
#ifndef CAROM_TEST_COMPLIANT_IMPACTS_H
#define CAROM_TEST_COMPLIANT_IMPACTS_H

#include <stdint.h>

#include "support/compliant/oracle.h"

/* ---- random ---- */

typedef enum CompliantClass {
    COMPLIANT_COMMON,      /* two bodies, everything of order one */
    COMPLIANT_RATIO,       /* eta^2 from 1e-3 to 1e3 */
    COMPLIANT_STIFF,       /* eta^2 from 1e-6 to 1e-3 */
    COMPLIANT_SOFT,        /* eta^2 from 1e3 to 1e4 */
    COMPLIANT_CONDITIONED, /* cond(W) from 1e2 to 1e8 */
    COMPLIANT_SMOOTH,      /* mu from 1e-8 to 1e-2, or 0 */
    COMPLIANT_ROUGH,       /* mu from 1 to 1e3 */
    COMPLIANT_RESTITUTION, /* e = 0, 1 or from 1e-8 to 1e-2 */
    COMPLIANT_OBLIQUE,     /* |v_t|/|v_n| from 1e-6 to 1e6 */
    COMPLIANT_NO_SLIP,     /* v_t = 0 */
    COMPLIANT_CENTRAL,     /* d = 0 */
    COMPLIANT_BALL,        /* B nearly a multiple of 1 and d nearly 0, or exactly */
    COMPLIANT_PLANAR,      /* d and v_t along an axis of B, exactly or nearly */
    COMPLIANT_THRESHOLD, /* |v_t| within 1e-12 to 1e-2 of mu eta^2 |v_n|: slip or stick at first */
    COMPLIANT_JAM,       /* mu |d| > w: v_n may fall, compression may restart */
    COMPLIANT_SINGULAR,  /* W semidefinite */
    COMPLIANT_UNITS,     /* masses and velocities scaled by 1e-9 to 1e9 */
    COMPLIANT_CLASS_COUNT
} CompliantClass;

const char *compliant_class_name(CompliantClass which);

/* Impact number index of a seed; its class is index % COMPLIANT_CLASS_COUNT. */
Impact compliant_random(uint64_t seed, uint64_t index);

/* How often slip could turn round during the impact, and how often the tangential spring could
 * swing: what the oracle's time grows with. */
double compliant_stiffness(const Impact *impact);

/* ---- answers ---- */

/* The library's; ok if the status is not a failure. */
CompliantAnswer compliant_library(const Impact *impact);

/* 1 if the same events happened in the same order (as far as they are kept). */
int compliant_same_events(const CompliantAnswer *a, const CompliantAnswer *b);

/* Largest difference of the events' normal impulses, over the final one; the events agree. */
double compliant_event_error(const CompliantAnswer *a, const CompliantAnswer *b);

/* How far the oracle's answer moves if the input is changed in its last place: the largest of
 * count random changes, relative to the norms of B, d, v_t (see truth_sensitivity()).
 * *events_differ (if not NULL) is set to 1 if a change altered the events. */
Distance compliant_sensitivity(const Impact *impact, const CompliantAnswer *truth, int count,
                               uint64_t seed, int *events_differ);

/* Print the events of an answer on standard error. */
void compliant_print_events(const char *who, const CompliantAnswer *answer);

#endif
