/* Does a computed number agree with a printed one? The printed digits say how well it must. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "figures/sheet.h"

/* One unit of the last printed digit: "0.0436" 1e-4, "12" 1, "1.2e-4" 1e-5. */
static double last_digit(const char *printed) {
    size_t mantissa = strcspn(printed, "eE");
    const char *point = memchr(printed, '.', mantissa);
    long decimals = point ? (long)(printed + mantissa - point) - 1 : 0;
    long exponent = printed[mantissa] ? strtol(printed + mantissa + 1, NULL, 10) : 0;
    return pow(10, (double)(exponent - decimals));
}

bool figure_number_agrees(const char *printed, double computed) {
    double number;
    if (!text_to_number(printed, &number)) {
        return false;
    }
    double rounding = 4 * DBL_EPSILON * fabs(number); /* a unit is not exact in binary */
    return fabs(computed - number) <= last_digit(printed) * (1 + 1e-9) + rounding;
}
