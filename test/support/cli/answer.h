/* Reading the program's JSON answers in a test; unexpected content fails the test. */
#ifndef CAROM_TEST_CLI_ANSWER_H
#define CAROM_TEST_CLI_ANSWER_H

#include <jansson.h>
#include <stddef.h>

#include "support/cli/program.h"

/* One line of output; json_decref() it. */
json_t *parse_line(const char *line);

/* The line of a run that must have succeeded, which is freed; json_decref() the line. */
json_t *run_line(Run run);

/* carom solve --json of a file, of a text, of a scene that comes with the project. It must succeed;
 * json_decref() the line. */
json_t *solve_file(const char *path);
json_t *solve_text(const char *scene);
json_t *solve_scene(const char *name);

double number_at(const json_t *object, const char *key);

const char *text_at(const json_t *object, const char *key);

/* Number `index` of the array under a key. */
double element(const json_t *object, const char *key, size_t index);

/* The numbers of an array; tolerance 0: to the last bit. */
void check_array(const json_t *array, const double *expected, size_t size, double tolerance);

/* The keys in order, each followed by a space. */
void check_keys(const json_t *object, const char *expected);

/* The kinetic energy after an impact, known in scenes of bodies and mechanisms, is that before plus
 * the change, and that before less the losses. Measured: 4.3e-16 of the energy before. */
void check_energy_account(const json_t *line);

#endif
