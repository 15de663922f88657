/* Wrong input to the solvers: it gets a status and a message, and every output is written. */
#ifndef CAROM_TEST_REFUSAL_H
#define CAROM_TEST_REFUSAL_H

#include "support/contact/impact.h"

#define OUTPUTS_EVENTS 64
#define OUTPUTS_ENTRIES 6 /* two contacts */

/* A result whose every field is set to something that a failure must overwrite. */
typedef struct Outputs {
    double impulse[OUTPUTS_ENTRIES], velocity[OUTPUTS_ENTRIES];
    CaromEvent events[OUTPUTS_EVENTS];
    CaromResult result;
} Outputs;

void outputs_begin(Outputs *out);

/* An ordinary impact to spoil. */
Impact impact_ordinary(void);

/* The status expected, a message, NaN in the given number of entries and nothing written beyond
 * them, no events. */
void check_failed(const Outputs *out, int entries, CaromStatus status, CaromStatus expected);

/* As check_failed(), and the message holds the word. */
void check_refused_outputs(const char *what, const Outputs *out, int entries, CaromStatus status,
                           CaromStatus expected, const char *word);

/* The general call refuses, with a message that holds the word. */
void check_problem_refused(const char *what, const CaromProblem *problem, CaromStatus expected,
                           const char *word);

/* Both ways in, the direct and the general, refuse alike, with a message that holds the word. */
void check_impact_refused(CaromModel model, const char *what, const Impact *impact,
                          CaromStatus expected, const char *word);

/* ---- refused by both models ---- */

/* Not finite, in each place of W and v, in mu and e. */
void check_numbers_refused(CaromModel model);

/* e and mu out of range, bodies that do not approach. */
void check_ranges_refused(CaromModel model);

/* W asymmetric, not positive on its diagonal, indefinite by B, by d and w, by all three. */
void check_matrices_refused(CaromModel model);

#endif
