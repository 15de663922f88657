/* Text helpers. */
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Words text_number(double number) {
    int precision = 6;
    Words words;
    do {
        words = words_of("%.*g", precision, number);
    } while (isfinite(number) && strtod(words.text, NULL) != number && precision++ < 17);
    return words;
}

size_t text_refused(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (*c == '\0') {
        return 0;
    }
    if (*c < ' ' || *c == 127) {
        return 1;
    }
    if (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) { /* U+0080 to U+009F */
        return 2;
    }
    return *c == 0xEF && c[1] == 0xBF && (c[2] == 0xBE || c[2] == 0xBF) ? 3 : 0;
}

void text_make_plain(char *text) {
    char *to = text;
    for (const char *from = text; *from; to++) {
        size_t refused = text_refused(from);
        *to = refused > 0 ? '?' : *from;
        from += refused > 0 ? refused : 1;
    }
    *to = '\0';
}

int text_width(const char *text) {
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80; /* not a continuation byte */
    }
    return width;
}

void text_fit(char *text, int columns) {
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
        if (width > columns) {
            *text = '\0';
            return;
        }
    }
}

bool text_span_to_number(const char *text, size_t length, double *number) {
    /* strtod() alone would also take white space, hexadecimal, "inf" and "nan" */
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')) {
            return false;
        }
    }
    if (length == 0) {
        return false;
    }
    char *end;
    *number = strtod(text, &end);
    return end == text + length && isfinite(*number);
}

bool text_to_number(const char *text, double *number) {
    return text_span_to_number(text, strlen(text), number);
}

bool text_to_integer(const char *text, long low, long high, long *number) {
    if (text[0] == '\0' || strspn(text, "+-0123456789") != strlen(text)) {
        return false;
    }
    char *end;
    errno = 0;
    *number = strtol(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= low && *number <= high;
}
