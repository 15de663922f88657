/* Small helpers for text that people read. */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_number(double number, char *text, size_t size) {
    int precision = 6;
    do {
        snprintf(text, size, "%.*g", precision, number);
    } while (isfinite(number) && strtod(text, NULL) != number && precision++ < 17);
}

void text_make_plain(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (*c < ' ' || *c == 127) {
            *c = '?';
        } else if (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) {
            *c++ = '?'; /* U+0080 to U+009F: control characters in two bytes */
            *c = '?';
        }
    }
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
