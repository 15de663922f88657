/* An error message. */
#ifndef CAROM_CLI_BASE_ERROR_H
#define CAROM_CLI_BASE_ERROR_H

#include <stdbool.h>

typedef struct Error {
    char text[1024]; /* one line, complete except for the name of the file it is about */
} Error;

/* Write the message, with '?' for control characters. Always returns false. */
__attribute__((format(printf, 2, 3))) bool error_set(Error *error, const char *format, ...);

#endif
