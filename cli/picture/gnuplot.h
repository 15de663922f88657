/* Running gnuplot.
 *
 * Commands go in as a file on its standard input and the picture comes out on its standard
 * output, so that no file name, and no shell, is ever part of the commands. Text of the user goes
 * through gnuplot_text(). */
#ifndef CAROM_CLI_GNUPLOT_H
#define CAROM_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Write text as a string constant of gnuplot: single quotes, in which nothing but the quote
 * itself has a meaning. What must not be shown becomes '?'. Say "noenhanced" where it is used, or
 * gnuplot reads markup (_ ^ { } @ & ~) in it. */
void gnuplot_text(FILE *script, const char *text);

/* Run gnuplot on the commands in script (from its beginning; rewound here) and let it write to
 * the file descriptor output. False: message (size > 0) says why, in gnuplot's own words where it
 * has any. */
bool gnuplot_run(FILE *script, int output, char *message, size_t size);

#endif
