/* A short text as a value. */
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Words words_of(const char *format, ...) {
    Words words;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words.text, sizeof words.text, format, arguments);
    va_end(arguments);
    return words;
}

void words_add(Words *words, const char *format, ...) {
    size_t used = strlen(words->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->text + used, sizeof words->text - used, format, arguments);
    va_end(arguments);
}
