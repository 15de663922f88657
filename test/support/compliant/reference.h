/* The reference scenes of one compliant contact, test/reference/compliant.json. */
#ifndef CAROM_TEST_COMPLIANT_REFERENCE_H
#define CAROM_TEST_COMPLIANT_REFERENCE_H

#include "support/contact/impact.h"

#define COMPLIANT_REFERENCE_CAPACITY 64

/* Right to 1e-10. */
typedef struct CompliantReference {
    int count;
    Impact impacts[COMPLIANT_REFERENCE_CAPACITY];
    Answer answers[COMPLIANT_REFERENCE_CAPACITY];          /* impulse and velocity only */
    CaromEventKind kinds[COMPLIANT_REFERENCE_CAPACITY][8]; /* events in order ... */
    int event_counts[COMPLIANT_REFERENCE_CAPACITY];        /* ... and their number */
} CompliantReference;

/* Read the file into set. 0, or -1 with a line on standard error. */
int compliant_reference_load(const char *path, CompliantReference *set);

#endif
