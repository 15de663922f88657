/* The double pendulum. */
#include "pendulum.h"

#include <math.h>

void pendulum_mass_matrix(const Pendulum *pendulum, const double q[2], double M[4]) {
    double unit = pendulum->mass * pendulum->length * pendulum->length, c = cos(q[1]);
    M[0] = unit * (5.0 / 3 + c);
    M[1] = M[2] = unit * (1.0 / 3 + c / 2);
    M[3] = unit / 3;
}

void pendulum_jacobian(const Pendulum *pendulum, const double q[2], double J[4]) {
    double l = pendulum->length;
    J[1] = -l * sin(q[0] + q[1]);
    J[0] = -l * sin(q[0]) + J[1];
    J[3] = l * cos(q[0] + q[1]);
    J[2] = l * cos(q[0]) + J[3];
}

void pendulum_bias(const Pendulum *pendulum, const Motion *motion, double b[2]) {
    const double *q = motion->q, *u = motion->u;
    double l = pendulum->length, weight = pendulum->mass * pendulum->gravity;
    double turn = pendulum->mass * l * l * sin(q[1]);
    b[0] = -turn * (u[0] * u[1] + u[1] * u[1] / 2) +
           weight * l * (1.5 * cos(q[0]) + cos(q[0] + q[1]) / 2);
    b[1] = turn * u[0] * u[0] / 2 + weight * l * cos(q[0] + q[1]) / 2;
}

void pendulum_tip_bias(const Pendulum *pendulum, const Motion *motion, double a[2]) {
    const double *q = motion->q, *u = motion->u;
    double first = u[0] * u[0], both = (u[0] + u[1]) * (u[0] + u[1]);
    a[0] = -pendulum->length * (cos(q[0]) * first + cos(q[0] + q[1]) * both);
    a[1] = -pendulum->length * (sin(q[0]) * first + sin(q[0] + q[1]) * both);
}

double pendulum_tip_height(const Pendulum *pendulum, const double q[2]) {
    return pendulum->bearing + pendulum->length * (sin(q[0]) + sin(q[0] + q[1]));
}

double pendulum_potential(const Pendulum *pendulum, const double q[2]) {
    /* the middle of the first bar is l/2 sin q1 above the bearing, that of the second l sin q1 +
     * ... */
    double rise = pendulum->length * (1.5 * sin(q[0]) + sin(q[0] + q[1]) / 2);
    return pendulum->mass * pendulum->gravity * (2 * pendulum->bearing + rise);
}

void pendulum_divide(const double A[4], const double y[2], double x[2]) {
    double determinant = A[0] * A[3] - A[1] * A[2];
    double first = (A[3] * y[0] - A[1] * y[1]) / determinant;
    x[1] = (A[0] * y[1] - A[2] * y[0]) / determinant;
    x[0] = first;
}
