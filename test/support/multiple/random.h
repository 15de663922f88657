/* Random problems of several contacts, the same on every machine: only + - * /, sqrt and scaling by
 * powers of two go into them. */
#ifndef CAROM_TEST_MULTIPLE_RANDOM_H
#define CAROM_TEST_MULTIPLE_RANDOM_H

#include "support/math/random.h"
#include "support/multiple/problems.h"

typedef enum MultipleClass {
    /* without friction */
    MULTIPLE_CHAIN,        /* 3 to 7 balls in a row, with or without a wall, all different */
    MULTIPLE_ELASTIC,      /* the same, e = 1 */
    MULTIPLE_EQUAL,        /* the same, all balls and contacts alike */
    MULTIPLE_PLASTIC,      /* the same, e = 0 or small at some contacts */
    MULTIPLE_RATIO,        /* the same, stiffnesses from 1e-4 to 1e4 */
    MULTIPLE_BREAK,        /* a ball into a rack of 3 to 15, or into a part of it */
    MULTIPLE_BODY,         /* a body that comes down on 2 to 6 points of the ground */
    MULTIPLE_STACK,        /* 2 to 4 blocks on each other, two contacts between them */
    MULTIPLE_MATRIX,       /* W the square of a random matrix, some contacts at rest or leaving */
    MULTIPLE_SEMIDEFINITE, /* the same with a rank smaller than the number of contacts */
    MULTIPLE_MONO,         /* a chain or a matrix, mono-stiffness */
    /* with friction */
    MULTIPLE_SHOT,          /* a cue, a ball on a table */
    MULTIPLE_HEEL_AND_TOE,  /* a planar body that comes down on 2 points */
    MULTIPLE_ROUGH_BODY,    /* as MULTIPLE_BODY */
    MULTIPLE_ROUGH_BREAK,   /* as MULTIPLE_BREAK, up to 6 balls */
    MULTIPLE_ROUGH_MATRIX,  /* as MULTIPLE_MATRIX, some contacts without friction */
    MULTIPLE_ROUGH_PLASTIC, /* as MULTIPLE_ROUGH_MATRIX, e = 0 or small at some contacts */
    MULTIPLE_ROUGH_MONO,    /* as MULTIPLE_SHOT or MULTIPLE_ROUGH_MATRIX, mono-stiffness */
    MULTIPLE_CLASS_COUNT
} MultipleClass;

const char *multiple_class_name(MultipleClass which);

/* 1 if its contacts have friction. */
int multiple_class_is_rough(MultipleClass which);

/* Problem number index of a seed; its class is index % MULTIPLE_CLASS_COUNT. */
void multiple_random(uint64_t seed, uint64_t index, MultipleProblem *problem);

/* The same, with at most that many contacts. */
void multiple_random_small(uint64_t seed, uint64_t index, int most, MultipleProblem *problem);

/* A triangle of balls of radius 1 and mass 1 with the given number of rows, struck at its tip by
 * one more ball of speed 1 along the axis of symmetry; contacts as carom_contact_default(). The
 * contacts i and mirror[i] are mirror images. */
void multiple_rack(int rows, MultipleProblem *problem, int mirror[MULTIPLE_CONTACTS]);

/* Change the input in its last place; a 0 is structure and stays. */
void multiple_disturb(Random *random, MultipleProblem *problem);

#endif
