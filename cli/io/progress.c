/* A progress line. */
#include "io/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"

/* Narrower than every terminal: a line that wraps cannot be erased. */
enum { COLUMNS = 78 };

void progress_show(const char *format, ...) {
    char line[512];
    va_list arguments;
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_make_plain(line);
    text_fit(line, COLUMNS);
    fprintf(stderr, "\r%s\033[K", line);
}

void progress_end(void) {
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
}
