/* Messages of the program. */
#include "base/message.h"

#include <stdarg.h>

#include "base/text.h"

/* Room for the longest path and the words around it. */
enum { MESSAGE_BYTES = 8192 };

static void print_line(FILE *file, const char *start, const char *format, va_list arguments) {
    char text[MESSAGE_BYTES];
    text_format(text, sizeof text, format, arguments);
    fprintf(file, "%s%s\n", start, text);
}

void message_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(stderr, "carom: ", format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(stdout, "", format, arguments);
    va_end(arguments);
}
