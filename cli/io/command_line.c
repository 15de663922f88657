/* The command line of a command. */
#include "io/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "base/words.h"
#include "io/output_file.h"

enum { OPTIONS_MAX = 32 };

/* Values that getopt_long() returns: '?', ':', 'h', and from FIRST on the index in the table. */
enum { FIRST = 256 };

int usage_fail(const char *command, const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    message_error("%s: %s; see \"carom %s --help\"", command, text, command);
    return 2;
}

/* getopt_long() did not accept an option: '?' or ':'. */
static int fail_option(const char *command, int code, char **argv) {
    char letter[] = {'-', (char)optopt, '\0'};
    const char *last = argv[optind - 1];
    const char *option = strncmp(last, "--", 2) == 0 || optopt == 0 ? last : letter;
    return usage_fail(command,
                      code == ':' ? "%s: a value is missing" : "%s: unknown option or wrong use",
                      option);
}

static int take_choice(const char *command, const Option *option) {
    Words list = {""};
    for (int i = 0; option->names[i]; i++) {
        if (strcmp(optarg, option->names[i]) == 0) {
            *(int *)option->target = i;
            return 0;
        }
        const char *joint = i == 0 ? "" : option->names[i + 1] ? ", " : " or ";
        words_add(&list, "%s%s", joint, option->names[i]);
    }
    return usage_fail(command, "--%s: must be %s, got \"%s\"", option->name, list.text, optarg);
}

/* Store the value of an option, which is in optarg. Returns 0 or the exit status. */
static int take(const char *command, const Option *option) {
    const char *name = option->name;
    double *number = option->target;
    switch (option->kind) {
    case OPTION_FLAG:
        *(int *)option->target = 1;
        return 0;
    case OPTION_TEXT:
    case OPTION_DIRECTORY:
        *(const char **)option->target = optarg;
        return option->kind == OPTION_TEXT || optarg[0]
                   ? 0
                   : usage_fail(command, "--%s: the directory's name is empty", name);
    case OPTION_FILE:
        *(const char **)option->target = optarg;
        return optarg[0] && strcmp(optarg, "-") != 0
                   ? 0
                   : usage_fail(command, "--%s: must be a file, got \"%s\"", name, optarg);
    case OPTION_POSITIVE:
        return text_to_number(optarg, number) && *number > 0
                   ? 0
                   : usage_fail(command, "--%s: must be a number > 0, got \"%s\"", name, optarg);
    case OPTION_INTEGER:
        return text_to_integer(optarg, option->low, option->high, option->target)
                   ? 0
                   : usage_fail(command, "--%s: must be %ld to %ld, got \"%s\"", name, option->low,
                                option->high, optarg);
    case OPTION_CHOICE:
        return take_choice(command, option);
    case OPTION_READ:
        break;
    }
    return option->read(command, optarg, option->target);
}

int command_line_read(const char *command, const char *help, const Option *options, int argc,
                      char **argv) {
    struct option names[OPTIONS_MAX + 2] = {{"help", no_argument, NULL, 'h'}};
    Words letters = {":h"};
    for (int i = 0; options[i].name && i < OPTIONS_MAX; i++) {
        int argument = options[i].kind == OPTION_FLAG ? no_argument
                       : options[i].optional          ? optional_argument
                                                      : required_argument;
        names[i + 1] = (struct option){options[i].name, argument, NULL, FIRST + i};
        if (options[i].letter) {
            words_add(&letters, "%c:", options[i].letter);
        }
    }
    bool wants_help = false;
    int code;
    opterr = 0;
    while ((code = getopt_long(argc, argv, letters.text, names, NULL)) != -1) {
        for (int i = 0; code < FIRST && options[i].name; i++) {
            code = options[i].letter == code ? FIRST + i : code;
        }
        int wrong = code == 'h'    ? 0
                    : code < FIRST ? fail_option(command, code, argv)
                                   : take(command, &options[code - FIRST]);
        if (wrong) {
            return wrong;
        }
        wants_help = wants_help || code == 'h';
    }
    if (wants_help) {
        fputs(help, stdout);
        return output_finish() ? 0 : 2;
    }
    return -1;
}

bool output_finish(void) {
    bool good = output_stream_flush(stdout);
    if (!good) {
        message_error("standard output: cannot be written: %s", strerror(errno));
    }
    return good;
}
