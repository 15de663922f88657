/* What the commands say when they are called in a wrong way, or cannot print. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/commands.h"

int usage_fail(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "carom: %s: ", command);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see \"carom %s --help\"\n", command);
    va_end(arguments);
    return 2;
}

int usage_fail_option(const char *command, int answer, char **argv) {
    char letter[] = {'-', (char)optopt, '\0'};
    const char *last = argv[optind - 1];
    const char *option = strncmp(last, "--", 2) == 0 || optopt == 0 ? last : letter;
    return usage_fail(command,
                      answer == ':' ? "%s: a value is missing" : "%s: unknown option or wrong use",
                      option);
}

int usage_read_options(int argc, char **argv, const char *letters, const struct option *options,
                       OptionReader *read, void *settings) {
    opterr = 0;
    int option, wrong = 0;
    while (!wrong && (option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        wrong = read(option, argv, settings);
    }
    return wrong;
}

int usage_help(const char *help) {
    fputs(help, stdout);
    return output_finish() ? 0 : 2;
}

bool output_finish(void) {
    bool good = !ferror(stdout);
    good = fflush(stdout) == 0 && good;
    if (!good) {
        fprintf(stderr, "carom: standard output: cannot be written: %s\n", strerror(errno));
    }
    return good;
}
