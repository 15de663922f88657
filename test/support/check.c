#include "support/check.h"

#include <stdio.h>

void check_close_at(double a, double b, double tolerance, const char *file, int line) {
    double difference = fabs(a - b);
    if (difference <= tolerance) {
        return;
    }
    print_error("%.17g and %.17g differ by %.3g, more than %.3g\n", a, b, difference, tolerance);
    _fail(file, line);
}
