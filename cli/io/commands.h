/* The commands of the program, and what they share. Each takes its own name as argv[0] and
 * answers with the exit status: 0 done, 1 something was not solved, 2 bad input or usage. */
#ifndef CAROM_CLI_COMMANDS_H
#define CAROM_CLI_COMMANDS_H

#include <getopt.h>
#include <stdbool.h>

int solve_main(int argc, char **argv);
int batch_main(int argc, char **argv);
int plot_main(int argc, char **argv);
int simulate_main(int argc, char **argv);
int lab_main(int argc, char **argv);
int figures_main(int argc, char **argv);

/* Say on standard error what is wrong with the command line, and where the help is. Answers 2. */
__attribute__((format(printf, 2, 3))) int usage_fail(const char *command, const char *format, ...);

/* As usage_fail(), for what getopt_long() did not accept ('?' or ':'). */
int usage_fail_option(const char *command, int answer, char **argv);

/* Take one option, as getopt_long() answers it, into a command's settings. Answers 0, or the exit
 * status once it has said what is wrong. */
typedef int OptionReader(int option, char **argv, void *settings);

/* Let read take the options of the command line in turn, until one is wrong; answers as it does.
 * Then optind is the index of the first argument that is not an option. */
int usage_read_options(int argc, char **argv, const char *letters, const struct option *options,
                       OptionReader *read, void *settings);

/* Print a command's help. Answers with the exit status. */
int usage_help(const char *help);

/* Flush standard output; says on standard error if anything printed there was lost. */
bool output_finish(void);

#endif
