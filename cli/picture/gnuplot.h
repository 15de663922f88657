/* Running gnuplot.
 *
 * Commands go to its standard input and the picture comes from its standard output, so no file name
 * and no shell is part of the commands. Text of the user goes through gnuplot_text(). */
#ifndef CAROM_CLI_PICTURE_GNUPLOT_H
#define CAROM_CLI_PICTURE_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"

/* Write text as a string constant of gnuplot in single quotes, with '?' for control characters. Use
 * it with "noenhanced", or gnuplot reads markup (_ ^ { } @ & ~) in it. */
void gnuplot_text(FILE *script, const char *text);

/* Run gnuplot on the commands in script, from its beginning, with its output to a file descriptor.
 * False: *error is the reason, if possible in gnuplot's words. */
bool gnuplot_run(FILE *script, int output, Error *error);

#endif
