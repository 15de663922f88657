// Decimal digits of numbers by C++17's <charconv>: the fewest digits, and many times as fast as
// printf and strtod. The only C++ of the program; without it digits.c does the same.
#include <charconv>
#include <cmath>
#include <system_error>

extern "C" {
#include "base/digits.h"

char *digits_write(double number, char *to) {
    return std::to_chars(to, to + DIGITS_SIZE, std::isnan(number) ? std::fabs(number) : number).ptr;
}

const char *digits_scan(const char *text, const char *end, double *number) {
    std::from_chars_result result = std::from_chars(text, end, *number);
    return result.ec == std::errc() && std::isfinite(*number) ? result.ptr : nullptr;
}
}
