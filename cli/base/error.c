/* An error message. */
#include "base/error.h"

#include <stdarg.h>

#include "base/text.h"

bool error_set(Error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_format(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}
