/* Text helpers. */
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

Words text_number(double number) {
    int precision = 6;
    Words words;
    do {
        words = words_of("%.*g", precision, number);
    } while (isfinite(number) && strtod(words.text, NULL) != number && precision++ < 17);
    return words;
}

/* The code point of the UTF-8 character of this length; -1: it is not one. */
static long decode(const unsigned char *c, size_t length) {
    static const long smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length */
    long code = length == 1 ? c[0] : c[0] & (0xFF >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return -1;
        }
        code = code << 6 | (c[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < smallest[length] || code > 0x10FFFF || surrogate ? -1 : code;
}

static bool is_shown(long code) {
    static const struct {
        long first, last;
    } refused[] = {{0x00, 0x1F},     /* control characters */
                   {0x7F, 0x9F},     /* more of them */
                   {0x61C, 0x61C},   /* Arabic letter mark */
                   {0x200B, 0x200B}, /* zero width */
                   {0x200E, 0x200F}, /* marks of direction */
                   {0x2028, 0x202E}, /* ends of lines, embeddings and overrides of direction */
                   {0x2060, 0x206F}, /* invisible operators, isolates of direction */
                   {0xFEFF, 0xFEFF}, /* byte order mark */
                   {0xFFF9, 0xFFFB}, /* interlinear annotation */
                   {0xFFFE, 0xFFFF}, /* forbidden in XML */
                   {0xE0000, 0xE007F} /* tags */};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (code >= refused[i].first && code <= refused[i].last) {
            return false;
        }
    }
    return code >= 0;
}

size_t text_character(const char *text, bool *shown) {
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] == 0                     ? 0
                    : c[0] >= 0xC0 && c[0] < 0xE0 ? 2
                    : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                    : c[0] >= 0xF0 && c[0] < 0xF8 ? 4
                                                  : 1;
    long code = c[0] >= 0x80 && length == 1 ? -1 : decode(c, length);
    *shown = is_shown(code);
    return code < 0 && length > 0 ? 1 : length;
}

void text_make_plain(char *text) {
    char *to = text;
    bool shown;
    for (size_t length; (length = text_character(text, &shown)) > 0; text += length) {
        memmove(to, shown ? text : "?", shown ? length : 1);
        to += shown ? length : 1;
    }
    *to = '\0';
}

void text_format(char *text, size_t size, const char *format, va_list arguments) {
    static const char gap[] = " ... ";
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(text, size, format, arguments);
    char *whole = length >= (int)size ? malloc((size_t)length + 1) : NULL;
    if (whole) {
        size_t tail = size / 2;
        vsnprintf(whole, (size_t)length + 1, format, again);
        snprintf(text + size - tail - sizeof gap, tail + sizeof gap, "%s%s", gap,
                 whole + (size_t)length - tail + 1);
        free(whole);
    }
    va_end(again);
    text_make_plain(text);
}

bool text_is_utf16(const char *bytes, size_t size) {
    bool low = size >= 4 && bytes[0] && !bytes[1] && bytes[2] && !bytes[3];
    bool high = size >= 4 && !bytes[0] && bytes[1] && !bytes[2] && bytes[3];
    bool mark =
        size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
    return mark || low || high;
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
    if (length == 0) {
        return false;
    }
    if (digits_read(text, text + length, number)) {
        return true;
    }
    /* a plus, a number that is too small, or no number: strtod() alone would also take white space,
     * hexadecimal, "inf" and "nan" */
    if (strspn(text, "0123456789.-+eE") < length) {
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

int text_distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    size_t rows = strlen(a), columns = strlen(b);
    int table[LONGEST + 2][LONGEST + 2];
    if (rows > LONGEST || columns > LONGEST) {
        return strcmp(a, b) == 0 ? 0 : TEXT_FAR;
    }
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = (int)(i + j);
                continue;
            }
            int changed = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int shifted =
                1 + (table[i - 1][j] < table[i][j - 1] ? table[i - 1][j] : table[i][j - 1]);
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            int swapped = exchanged ? 1 + table[i - 2][j - 2] : TEXT_FAR;
            int least = changed < shifted ? changed : shifted;
            table[i][j] = least < swapped ? least : swapped;
        }
    }
    return table[rows][columns];
}
