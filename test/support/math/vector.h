/* Vectors of three numbers, apart from the library's own. */
#ifndef CAROM_TEST_MATH_VECTOR_H
#define CAROM_TEST_MATH_VECTOR_H

double vector_dot(const double a[3], const double b[3]);

void vector_cross(const double a[3], const double b[3], double out[3]);

/* Divide by the length. */
void vector_unit(double a[3]);

#endif
