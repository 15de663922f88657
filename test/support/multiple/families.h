/* Random problems of realistic families with friction, for ranges of e: mu from 0 to 2, in every
 * other problem the same at all contacts. */
#ifndef CAROM_TEST_MULTIPLE_FAMILIES_H
#define CAROM_TEST_MULTIPLE_FAMILIES_H

#include "support/multiple/problems.h"

typedef enum MultipleFamily {
    FAMILY_BODY,    /* a body on 2 to 6 points of a plane */
    FAMILY_BOX,     /* a box flat on its four corners */
    FAMILY_STACK_2, /* two boxes, four contacts under each */
    FAMILY_STACK_3,
    FAMILY_FEET,    /* two feet of a mechanism with four corners each */
    FAMILY_BALLS,   /* balls on a table that touch each other, one is struck */
    FAMILY_CORNER,  /* a ball in a corner of two or three walls */
    FAMILY_CLAMPED, /* a box between two parallel walls that touch all its corners */
    FAMILIES
} MultipleFamily;

typedef enum RestitutionRange {
    E_ZERO,
    E_SMALL, /* 0.001 to 0.05, the logarithm evenly */
    E_LOW,   /* 0 to 0.4 */
    E_HIGH,  /* 0.5 to 1 */
    E_ONE,
    E_RANGES
} RestitutionRange;

const char *multiple_family_name(MultipleFamily family);
const char *multiple_range_name(RestitutionRange range);

/* Problem number index of a family, a range and a seed; the energetic law. */
void multiple_family_draw(uint64_t seed, uint64_t index, MultipleFamily family,
                          RestitutionRange range, MultipleProblem *problem);

#endif
