/* Choosing a method on the command line. */
#include "io/solver_options.h"

#include <string.h>

#include "base/text.h"
#include "io/commands.h"
#include "solve/solution.h"

static int read_method(const char *command, CaromMethod *method) {
    for (CaromMethod m = CAROM_EXACT; m <= CAROM_EULER; m++) {
        if (strcmp(optarg, method_name(m)) == 0) {
            *method = m;
            return 0;
        }
    }
    return usage_fail(command, "--method: must be exact, ni, fs, vs or euler, got \"%s\"", optarg);
}

int solver_options_positive(const char *command, const char *option, double *number) {
    return text_to_number(optarg, number) && *number > 0
               ? 0
               : usage_fail(command, "%s: must be a number > 0, got \"%s\"", option, optarg);
}

int solver_options_read(const char *command, int option, CaromOptions *options) {
    switch (option) {
    case 'm':
        return read_method(command, &options->method);
    case 's':
        return solver_options_positive(command, "--step", &options->step);
    case 'e':
        return solver_options_positive(command, "--stop-energy", &options->stop_energy);
    default:
        options->as_printed = 1;
        return 0;
    }
}

int solver_options_check(const char *command, const CaromOptions *options) {
    if (options->method == CAROM_EXACT && options->step > 0) {
        return usage_fail(command, "--step: only with --method ni, fs, vs or euler");
    }
    if (options->as_printed && options->method != CAROM_EULER) {
        return usage_fail(command, "--as-printed: only with --method euler");
    }
    if (options->stop_energy > 0 && options->method != CAROM_EULER) {
        return usage_fail(command, "--stop-energy: only with --method euler");
    }
    return 0;
}
