/* Small helpers that every test uses on top of cmocka. */
#ifndef CAROM_TEST_CHECK_H
#define CAROM_TEST_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/math/larger.h"

/* |a - b| <= tolerance, failing with the values if not; NaN fails. */
#define check_close(a, b, tolerance) check_close_at((a), (b), (tolerance), __FILE__, __LINE__)

void check_close_at(double a, double b, double tolerance, const char *file, int line);

#endif
