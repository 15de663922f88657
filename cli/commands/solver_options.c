/* Options of the command line that choose how impacts are solved. */
#include "commands/solver_options.h"

#include <string.h>

#include "solve/solution.h"

int solver_options_method(const char *command, const char *text, void *method) {
    for (CaromMethod m = CAROM_EXACT; m <= CAROM_EULER; m++) {
        if (strcmp(text, method_name(m)) == 0) {
            *(CaromMethod *)method = m;
            return 0;
        }
    }
    return usage_fail(command, "--method: must be exact, ni, fs, vs or euler, got \"%s\"", text);
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
