/* The reference scenes of test/reference/ with their answers. */
#ifndef CAROM_TEST_CONTACT_REFERENCE_H
#define CAROM_TEST_CONTACT_REFERENCE_H

#include <jansson.h>

#include "support/contact/impact.h"

#define REFERENCE_CAPACITY 200
#define REFERENCE_TAG_SIZE 24

/* friction.json, right to 1e-11. */
typedef struct ReferenceSet {
    int count;
    Impact impacts[REFERENCE_CAPACITY];
    Answer answers[REFERENCE_CAPACITY];                /* impulse, velocity and sequence only */
    char tags[REFERENCE_CAPACITY][REFERENCE_TAG_SIZE]; /* the impacts' tags point here */
} ReferenceSet;

/* Read the file into set (which must stay where it is). 0, or -1 with a line on standard error. */
int reference_load(const char *path, ReferenceSet *set);

#define COMPLIANT_REFERENCE_CAPACITY 64

/* compliant.json, right to 1e-10. */
typedef struct CompliantReference {
    int count;
    Impact impacts[COMPLIANT_REFERENCE_CAPACITY];
    Answer answers[COMPLIANT_REFERENCE_CAPACITY];          /* impulse and velocity only */
    CaromEventKind kinds[COMPLIANT_REFERENCE_CAPACITY][8]; /* events in order ... */
    int event_counts[COMPLIANT_REFERENCE_CAPACITY];        /* ... and their number */
} CompliantReference;

/* As reference_load(). */
int compliant_reference_load(const char *path, CompliantReference *set);

/* ---- pieces of any such file; 0, or -1 if it is not as expected ---- */

int reference_numbers(const json_t *array, double *out, int count);

/* mu and e; what else is not said has its default. */
int reference_contact(const json_t *object, CaromContact *contact);

/* "c0 slip0 r0 c1 ": kinds of events with the number of the contact; nothing if log is NULL. */
int reference_log(const char *log, int capacity, CaromEventKind *kinds, int *contacts, int *count);

/* Read every case of a file into its place in the set; how many there are, or -1 with a line on
 * standard error. */
int reference_cases(const char *path, int capacity, void *set,
                    int (*read)(const json_t *entry, void *set, int i));

#endif
