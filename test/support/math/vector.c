#include "support/math/vector.h"

#include <math.h>

double vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void vector_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void vector_unit(double a[3]) {
    double size = sqrt(vector_dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= size;
    }
}
