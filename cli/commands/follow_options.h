/* Options of the commands that follow a body over time: roll and simulate. */
#ifndef CAROM_CLI_COMMANDS_FOLLOW_OPTIONS_H
#define CAROM_CLI_COMMANDS_FOLLOW_OPTIONS_H

#include "commands/solver_options.h"

typedef struct FollowOptions {
    CaromOptions options;
    int json;
    double time;            /* 0: the command's default */
    const char *trajectory; /* NULL: none */
    double rate;            /* 0: the default */
    const char *plot;       /* NULL: none */
} FollowOptions;

/* Their rows of an option table, for FollowOptions. */
#define FOLLOW_OPTIONS(follow)                                                                     \
    {"json", OPTION_FLAG, .target = &(follow).json},                                               \
        {"time", OPTION_POSITIVE, .target = &(follow).time},                                       \
        {"trajectory", OPTION_FILE, .target = &(follow).trajectory, .letter = 'o'},                \
        {"rate", OPTION_POSITIVE, .target = &(follow).rate},                                       \
        {"plot", OPTION_TEXT, .target = &(follow).plot}, SOLVER_OPTIONS((follow).options)

/* Lines of a help text for all but --time and --plot. */
#define FOLLOW_OPTIONS_HELP                                                                        \
    "  --json             one line of JSON instead of text\n"                                      \
    "  -o, --trajectory FILE.csv\n"                                                                \
    "                     also write the path, sampled\n"                                          \
    "  --rate R           samples of the path per unit of time, at most 10000000 in all\n"         \
    "                     (default: 1000 in all)\n" SOLVER_OPTIONS_HELP                            \
    "  --help             print this\n"

/* Check them together and note the scene, argv[optind], as an input that must not be replaced.
 * Returns 0, or the exit status after the error is reported. */
int follow_options_check(const char *command, FollowOptions *follow, int argc, char **argv);

#endif
