/* Random problems for the impulse-level law: realistic families and plain matrices. */
#ifndef CAROM_TEST_IMPULSE_RANDOM_H
#define CAROM_TEST_IMPULSE_RANDOM_H

#include "support/math/random.h"
#include "support/multiple/problems.h"

typedef enum ImpulseFamily {
    IMPULSE_PLANAR_MATRIX, /* 2 to 4 planar contacts, W positive definite */
    IMPULSE_PLANAR_BODY,   /* a planar body, 2 to 4 points of it on lines in any direction */
    IMPULSE_PLANAR_ROUGH,  /* the same with mu up to 5 */
    IMPULSE_MATRIX,        /* 2 to 5 contacts, W positive definite */
    IMPULSE_SEMIDEFINITE,  /* 2 to 5 contacts, W of lower rank */
    IMPULSE_BODY,          /* a body on 2 to 6 points of a plane: redundant from the third on */
    IMPULSE_ROUGH_BODY,    /* the same with mu up to 5 */
    IMPULSE_BOX,           /* a box flat on its four corners */
    IMPULSE_STACK_2,       /* two boxes, four contacts under each */
    IMPULSE_STACK_3,       /* three */
    IMPULSE_FEET,          /* two feet of a mechanism with four corners each: rank 12 of 24 */
    IMPULSE_BALLS,         /* balls on a table that touch each other, one is struck */
    IMPULSE_CORNER,        /* a ball in a corner of two or three walls */
    IMPULSE_FAMILIES
} ImpulseFamily;

const char *impulse_family_name(ImpulseFamily family);

/* Problem number index of a family and a seed; law Newton. */
void impulse_random(uint64_t seed, uint64_t index, ImpulseFamily family, MultipleProblem *problem);

/* A planar body with rounded numbers, with 2 to 4 points flat on a line or between parallel walls,
 * where systems of modes are singular. */
void impulse_random_rounded(uint64_t seed, uint64_t index, MultipleProblem *problem);

/* W = J A J^T and v = J u for contacts by rows of J (rows x twists). */
typedef struct ImpulseMechanism {
    int twists;
    double A[24][24]; /* inverse inertia of the generalised speeds */
    double u[24];
    double J[MULTIPLE_ROWS][24];
} ImpulseMechanism;

void impulse_assemble(const ImpulseMechanism *mechanism, MultipleProblem *problem);

/* Add the rows of a contact between two bodies of six speeds each (linear, angular); second -1: the
 * ground. r: from the centre of each body to the point. */
void impulse_contact(ImpulseMechanism *mechanism, MultipleProblem *problem, int first,
                     const double r1[3], int second, const double r2[3], const double n[3]);

#endif
