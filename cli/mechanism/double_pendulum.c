#include "mechanism/double_pendulum.h"

#include <math.h>

/* M = m l^2 [[5/3 + cos q2, 1/3 + cos(q2)/2], [1/3 + cos(q2)/2, 1/3]] */
static void mass_matrix(void *data, const double *q, double *M) {
    const DoublePendulum *pendulum = data;
    double unit = pendulum->mass * pendulum->length * pendulum->length, c = cos(q[1]);
    M[0] = unit * (5.0 / 3 + c);
    M[1] = M[2] = unit * (1.0 / 3 + c / 2);
    M[3] = unit / 3;
}

static void bias(void *data, const double *q, const double *u, double *b) {
    const DoublePendulum *pendulum = data;
    double l = pendulum->length, weight = pendulum->mass * pendulum->gravity;
    double turn = pendulum->mass * l * l * sin(q[1]);
    b[0] = -turn * (u[0] * u[1] + u[1] * u[1] / 2) +
           weight * l * (1.5 * cos(q[0]) + cos(q[0] + q[1]) / 2);
    b[1] = turn * u[0] * u[0] / 2 + weight * l * cos(q[0] + q[1]) / 2;
}

static double height(void *data, const double *q) {
    const DoublePendulum *pendulum = data;
    return pendulum->bearing + pendulum->length * (sin(q[0]) + sin(q[0] + q[1]));
}

/* Rows t (along the floor) and n (up). */
static void jacobian(void *data, const double *q, double *J) {
    const DoublePendulum *pendulum = data;
    double l = pendulum->length;
    J[1] = -l * sin(q[0] + q[1]);
    J[0] = -l * sin(q[0]) + J[1];
    J[3] = l * cos(q[0] + q[1]);
    J[2] = l * cos(q[0]) + J[3];
}

static void drift(void *data, const double *q, const double *u, double a[2]) {
    const DoublePendulum *pendulum = data;
    double first = u[0] * u[0], both = (u[0] + u[1]) * (u[0] + u[1]);
    a[0] = -pendulum->length * (cos(q[0]) * first + cos(q[0] + q[1]) * both);
    a[1] = -pendulum->length * (sin(q[0]) * first + sin(q[0] + q[1]) * both);
}

/* 0 with both bars on the floor. */
static double potential(void *data, const double *q) {
    const DoublePendulum *pendulum = data;
    double rise = pendulum->length * (1.5 * sin(q[0]) + sin(q[0] + q[1]) / 2);
    return pendulum->mass * pendulum->gravity * (2 * pendulum->bearing + rise);
}

CaromMechanism double_pendulum_mechanism(DoublePendulum *pendulum) {
    return (CaromMechanism){.coordinates = 2,
                            .data = pendulum,
                            .mass_matrix = mass_matrix,
                            .bias = bias,
                            .gap = height,
                            .jacobian = jacobian,
                            .drift = drift,
                            .potential = potential};
}

void double_pendulum_points(const DoublePendulum *pendulum, const double q[2], double elbow[2],
                            double tip[2]) {
    double l = pendulum->length;
    elbow[0] = l * cos(q[0]);
    elbow[1] = pendulum->bearing + l * sin(q[0]);
    tip[0] = elbow[0] + l * cos(q[0] + q[1]);
    tip[1] = elbow[1] + l * sin(q[0] + q[1]);
}
