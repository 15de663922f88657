/* Checks of a problem before any solver sees it. */
#ifndef CAROM_CORE_CHECK_H
#define CAROM_CORE_CHECK_H

#include <carom/problem.h>

/* CAROM_OK, or why not, with a constant string that names the field in *message. */
CaromStatus check_contact(const CaromContact *contact, const char **message);
CaromStatus check_matrix(const double *W, int rows, const char **message);
/* rows: 3 per contact, or 2 in a planar problem */
CaromStatus check_velocity(const double *v, int contact_count, int rows, const char **message);

/* Mark a result as failed: numbers NaN, counts 0, sequence empty. Returns the status. */
CaromStatus result_fail(CaromResult *result, int contact_count, CaromStatus status,
                        const char *message);

/* The same where impulse and velocity have the given number of entries. */
CaromStatus result_fail_rows(CaromResult *result, int entries, CaromStatus status,
                             const char *message);

/* Clear what solvers add to. */
void result_begin(CaromResult *result);

#endif
