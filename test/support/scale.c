#include "support/scale.h"

#include <stdlib.h>

int scaled(int count) {
    const char *text = getenv("CAROM_TEST_SCALE");
    double scale = text != NULL ? strtod(text, NULL) : 1;
    double result = scale > 0 ? scale * count : count;
    return result < 1 ? 1 : result > 1e9 ? 1000000000 : (int)result;
}

unsigned seeded(unsigned seed) {
    const char *text = getenv("CAROM_TEST_SEED");
    return text ? (unsigned)strtoul(text, NULL, 10) : seed;
}
