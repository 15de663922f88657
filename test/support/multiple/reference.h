/* The reference scenes of several contacts in test/reference/, with their answers. */
#ifndef CAROM_TEST_MULTIPLE_REFERENCE_H
#define CAROM_TEST_MULTIPLE_REFERENCE_H

#include "support/multiple/problems.h"

#define MULTIPLE_REFERENCE_CAPACITY 32
#define MULTIPLE_REFERENCE_KINDS 24

/* multiple.json (right to 1e-9) or multiple_compliant.json (right to 1e-8). */
typedef struct MultipleReference {
    int count;
    MultipleProblem problems[MULTIPLE_REFERENCE_CAPACITY];
    MultipleAnswer answers[MULTIPLE_REFERENCE_CAPACITY]; /* impulse and velocity only */
    int latched[MULTIPLE_REFERENCE_CAPACITY];            /* 1 if the tag says that it latches */
    /* of the second file: the events in order */
    int kind_count[MULTIPLE_REFERENCE_CAPACITY];
    CaromEventKind kinds[MULTIPLE_REFERENCE_CAPACITY][MULTIPLE_REFERENCE_KINDS];
    int contacts[MULTIPLE_REFERENCE_CAPACITY][MULTIPLE_REFERENCE_KINDS];
} MultipleReference;

/* Read a file into set. 0, or -1 with a line on standard error. */
int multiple_reference_load(const char *path, MultipleReference *set);

#endif
