/* Building and printing JSON. */
#include "base/json_write.h"

#include <math.h>

json_t *json_write_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_write_numbers(const double *x, int size) {
    json_t *array = json_array();
    for (int i = 0; i < size; i++) {
        json_array_append_new(array, json_write_number(x[i]));
    }
    return array;
}

bool json_write_line(FILE *file, json_t *line) {
    size_t flags = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17);
    bool good = line && json_dumpf(line, file, flags) == 0 && fputc('\n', file) != EOF;
    json_decref(line);
    return good || ferror(file); /* the caller checks the stream */
}
