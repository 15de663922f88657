/* Options of the command line that choose how impacts are solved: --method, --step, --as-printed,
 * --stop-energy.
 * Each function answers 0, or the exit status once it has said what is wrong. */
#ifndef CAROM_CLI_SOLVER_OPTIONS_H
#define CAROM_CLI_SOLVER_OPTIONS_H

#include <carom/carom.h>

/* Take one of these options, by its letter: 'm' --method, 's' --step, 'a' --as-printed, 'e'
 * --stop-energy; its value is in optarg. */
int solver_options_read(const char *command, int option, CaromOptions *options);

/* Read the value in optarg as a number > 0. */
int solver_options_positive(const char *command, const char *option, double *number);

/* What can only be said of them together. */
int solver_options_check(const char *command, const CaromOptions *options);

#endif
