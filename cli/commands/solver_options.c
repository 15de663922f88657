/* Options of the command line that choose how impacts are solved. */
#include "commands/solver_options.h"

#include <string.h>

#include "solve/solution.h"

int solver_options_method(const char *command, const char *text, void *method) {
    for (CaromMethod m = CAROM_METHOD_EXACT; m <= CAROM_METHOD_SEQUENCE; m++) {
        if (strcmp(text, method_name(m)) == 0) {
            *(CaromMethod *)method = m;
            return 0;
        }
    }
    return usage_fail(command, "--method: must be exact, ni, fs, vs, euler or sequence, got \"%s\"",
                      text);
}

/* An option, whether it is given, and the methods that take it. */
typedef struct Use {
    const char *name;
    bool given;
    const char *methods;
} Use;

int solver_options_check(const char *command, CaromOptions *options) {
    CaromSchemeOptions *scheme = &options->scheme;
    const Use uses[] = {{"step", scheme->step > 0, "ni, fs, vs or euler"},
                        {"h1", scheme->h1 > 0, "vs"},
                        {"h2", scheme->h2 > 0, "vs"},
                        {"epsilon", scheme->epsilon > 0, "vs"},
                        {"straight", scheme->straight > 0, "fs or vs"},
                        {"zero", scheme->zero > 0, "fs or vs"},
                        {"relative", scheme->absolute, "ni, fs, vs or euler"},
                        {"as-printed", scheme->as_printed, "euler"},
                        {"stop-energy", scheme->stop_energy > 0, "euler"}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (uses[i].given && !strstr(uses[i].methods, method_name(options->method))) {
            return usage_fail(command, "--%s: only with --method %s", uses[i].name,
                              uses[i].methods);
        }
    }
    if (scheme->epsilon > 1) {
        return usage_fail(command, "--epsilon: must be at most 1");
    }
    if (options->method == CAROM_METHOD_VS) {
        scheme->h1 = scheme->h1 > 0 ? scheme->h1 : scheme->step;
        scheme->h2 = scheme->h2 > 0 ? scheme->h2 : scheme->step;
    }
    scheme->absolute = !scheme->absolute;
    return 0;
}
