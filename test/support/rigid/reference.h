/* The reference scenes of one rigid contact, test/reference/friction.json. */
#ifndef CAROM_TEST_RIGID_REFERENCE_H
#define CAROM_TEST_RIGID_REFERENCE_H

#include "support/contact/impact.h"

#define REFERENCE_CAPACITY 200
#define REFERENCE_TAG_SIZE 24

/* Right to 1e-11. */
typedef struct ReferenceSet {
    int count;
    Impact impacts[REFERENCE_CAPACITY];
    Answer answers[REFERENCE_CAPACITY];                /* impulse, velocity and sequence only */
    char tags[REFERENCE_CAPACITY][REFERENCE_TAG_SIZE]; /* the impacts' tags point here */
} ReferenceSet;

/* Read the file into set (which must stay where it is). 0, or -1 with a line on standard error. */
int reference_load(const char *path, ReferenceSet *set);

#endif
