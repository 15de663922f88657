/* Reading the files of test/reference/. Functions return 0, or -1 if the file is not as expected.
 */
#ifndef CAROM_TEST_CONTACT_REFERENCE_H
#define CAROM_TEST_CONTACT_REFERENCE_H

#include <jansson.h>

#include "support/contact/impact.h"

int reference_numbers(const json_t *array, double *out, int count);

/* mu and e are required; other coefficients have their defaults. */
int reference_contact(const json_t *object, CaromContact *contact);

/* "c0 slip0 r0 c1 ": kinds of events with the number of the contact; nothing if log is NULL. */
int reference_log(const char *log, int capacity, CaromEventKind *kinds, int *contacts, int *count);

/* The scene of one contact, and the impulse and velocity of its answer. */
int reference_case(const json_t *entry, Impact *impact, Answer *answer);

/* Read every case of a file into its place in the set; how many there are, or -1 with a line on
 * standard error. */
int reference_cases(const char *path, int capacity, void *set,
                    int (*read)(const json_t *entry, void *set, int i));

#endif
