/* The command line of a command: options from a table, messages about wrong usage, help. */
#ifndef CAROM_CLI_IO_COMMAND_LINE_H
#define CAROM_CLI_IO_COMMAND_LINE_H

#include <stdbool.h>

/* The value of an option, and the type of its target. */
typedef enum OptionKind {
    OPTION_FLAG,      /* none; int, set to 1 */
    OPTION_TEXT,      /* any text; const char * */
    OPTION_DIRECTORY, /* a name that is not empty; const char * */
    OPTION_FILE,      /* likewise, and not "-": standard output has the report; const char * */
    OPTION_POSITIVE,  /* a number > 0; double */
    OPTION_INTEGER,   /* an integer from low to high; long */
    OPTION_CHOICE,    /* one of names, a list that ends with NULL; int, the index in the list */
    OPTION_READ       /* as read() defines */
} OptionKind;

typedef struct Option {
    const char *name; /* without "--" */
    OptionKind kind;
    void *target;
    char letter; /* short name; 0: none */
    long low, high;
    const char *const *names;
    bool optional; /* OPTION_READ: the value may be missing, --name or --name=VALUE; text is then
                      NULL */
    /* Returns 0, or the exit status after usage_fail(). */
    int (*read)(const char *command, const char *text, void *target);
} Option;

/* Read the options of a command line by a table that ends with a row without a name, and --help.
 * Returns -1 to go on: then argv[optind] is the first argument that is not an option. Otherwise the
 * exit status: help was printed, or an option is wrong. */
int command_line_read(const char *command, const char *help, const Option *options, int argc,
                      char **argv);

/* Report an error of the command line on standard error. Returns the exit status 2. */
__attribute__((format(printf, 2, 3))) int usage_fail(const char *command, const char *format, ...);

/* Flush standard output. False: it could not be written, which is reported on standard error. */
bool output_finish(void);

#endif
