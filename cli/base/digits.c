/* Decimal digits of numbers where there is no C++17 (see digits.cpp). */
#include "base/digits.h"

#ifndef CAROM_HAS_CHARCONV
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *digits_write(double number, char *to) {
    if (isnan(number)) {
        return strcpy(to, "nan") + 3;
    }
    int length, precision = 15; /* %g drops zeros at the end, so fewer digits are found, too */
    do {
        length = snprintf(to, DIGITS_SIZE, "%.*g", precision, number);
    } while (precision++ < 17 && strtod(to, NULL) != number);
    return to + length;
}

const char *digits_scan(const char *text, const char *end, double *number) {
    const char *last = text;
    char *stop;
    while (last < end && *last && strchr("0123456789.-eE", *last)) {
        last++;
    }
    if (last == text) {
        return NULL;
    }
    *number = strtod(text, &stop);
    return stop > text && stop <= last && isfinite(*number) ? stop : NULL;
}
#else
typedef int digits_of_cpp; /* a file must not be empty */
#endif
