/* Options of the command line that choose how impacts are solved: --method, --step, --as-printed,
 * --stop-energy. */
#ifndef CAROM_CLI_COMMANDS_SOLVER_OPTIONS_H
#define CAROM_CLI_COMMANDS_SOLVER_OPTIONS_H

#include <carom/carom.h>

#include "io/command_line.h"

/* Their rows of an option table, for a CaromOptions. */
#define SOLVER_OPTIONS(options)                                                                    \
    {"method", OPTION_READ, .target = &(options).method, .read = solver_options_method},           \
        {"step", OPTION_POSITIVE, .target = &(options).step},                                      \
        {"as-printed", OPTION_FLAG, .target = &(options).as_printed}, {                            \
        "stop-energy", OPTION_POSITIVE, .target = &(options).stop_energy                           \
    }

/* Read a method's name into a CaromMethod. */
int solver_options_method(const char *command, const char *text, void *method);

/* Check them together. Returns 0, or the exit status after usage_fail(). */
int solver_options_check(const char *command, const CaromOptions *options);

#endif
