/* Options of the command line that choose how impacts are solved. */
#ifndef CAROM_CLI_COMMANDS_SOLVER_OPTIONS_H
#define CAROM_CLI_COMMANDS_SOLVER_OPTIONS_H

#include <carom/carom.h>

#include "io/command_line.h"

/* Their rows of an option table, for a CaromOptions. */
#define SOLVER_OPTIONS(options)                                                                    \
    {"method", OPTION_READ, .target = &(options).method, .read = solver_options_method},           \
        {"step", OPTION_POSITIVE, .target = &(options).scheme.step},                               \
        {"h1", OPTION_POSITIVE, .target = &(options).scheme.h1},                                   \
        {"h2", OPTION_POSITIVE, .target = &(options).scheme.h2},                                   \
        {"epsilon", OPTION_POSITIVE, .target = &(options).scheme.epsilon},                         \
        {"straight", OPTION_POSITIVE, .target = &(options).scheme.straight},                       \
        {"zero", OPTION_POSITIVE, .target = &(options).scheme.zero},                               \
        {"relative", OPTION_FLAG, .target = &(options).scheme.absolute}, /* see check */           \
        {"as-printed", OPTION_FLAG, .target = &(options).scheme.as_printed}, {                     \
        "stop-energy", OPTION_POSITIVE, .target = &(options).scheme.stop_energy                    \
    }

/* Their lines of a help text. */
#define SOLVER_OPTIONS_HELP                                                                        \
    "  --method METHOD    exact (default), a published scheme (ni, fs, vs, euler), or sequence:\n" \
    "                     rigid contacts one after another, the fastest approaching first\n"       \
    "  --step H, --h1 H, --h2 H, --epsilon X, --straight X, --zero V, --stop-energy E,\n"          \
    "  --relative, --as-printed\n"                                                                 \
    "                     parameters of the published schemes: see carom(1)\n"

/* Read a method's name into a CaromMethod. */
int solver_options_method(const char *command, const char *text, void *method);

/* Check them together, and complete them: --relative has set scheme.absolute, which becomes the
 * opposite. Returns 0, or the exit status after usage_fail(). */
int solver_options_check(const char *command, CaromOptions *options);

#endif
