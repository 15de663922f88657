/* The commands that the program gives to gnuplot: a script in the place of gnuplot keeps
 * the commands and the warnings, and then runs the real one. */
#ifndef CAROM_TEST_CLI_PLOT_SCRIPT_H
#define CAROM_TEST_CLI_PLOT_SCRIPT_H

#include <stddef.h>

/* Group setup and teardown, those of a work directory included. */
int plot_script_setup(void **state);
int plot_script_teardown(void **state);

/* Draw a scene (kind NULL: the default) as SVG and expect success, silence and no warning of
 * gnuplot. Answers the commands, and the picture unless svg is NULL; free() both. */
char *plot_script(const char *scene, const char *kind, char **svg);

/* The numbers of a block of data, by rows of that many columns; other lines are passed over.
 * Answers the number of rows, and the numbers, which free() gives back. Fails the test if there is
 * no such block. */
size_t plot_block(const char *script, const char *name, size_t columns, double **numbers);

/* Is there such a block? */
int plot_has_block(const char *script, const char *name);

/* Tags open and close in pairs, and nothing is left of a character that XML does not allow. */
void check_svg(const char *svg);

#endif
