#include "follow/point.h"

#include <math.h>

size_t crm_point_size(int n) {
    return (size_t)n * (2 * (size_t)n + 6);
}

void crm_point_place(Point *point, int n, double *room) {
    size_t square = (size_t)n * (size_t)n;
    point->M = room;
    point->factor = room + square;
    point->rows = point->factor + square;
    point->R = point->rows + 3 * (size_t)n;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

bool crm_point_find(Point *point, const CaromMechanism *mechanism, const double *q,
                    const double *u) {
    int n = mechanism->coordinates;
    double *J = point->rows, *b = J + 2 * n;
    mechanism->mass_matrix(mechanism->data, q, point->M);
    mechanism->jacobian(mechanism->data, q, J);
    mechanism->bias(mechanism->data, q, u, b);
    mechanism->drift(mechanism->data, q, u, point->a);
    if (carom_system_responses(n, point->M, 3, J, point->factor, point->R, NULL) < 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const double *row = J + i * n;
        point->v[i] = dot(n, row, u);
        point->a[i] -= dot(n, row, point->R + 2 * n);
        for (int k = 0; k < 2; k++) {
            point->W[2 * i + k] = dot(n, row, point->R + k * n);
        }
    }
    return isfinite(point->v[0] + point->v[1] + point->a[0] + point->a[1]);
}

double crm_point_yield(const Point *point, double mu, double s) {
    return point->W[3] - mu * s * point->W[2];
}

void crm_point_slide_force(const Point *point, double mu, double s, double f[2]) {
    f[1] = -point->a[1] / crm_point_yield(point, mu, s);
    f[0] = -mu * s * f[1];
}

bool crm_point_stick_force(const Point *point, double f[2]) {
    const double *W = point->W, *a = point->a;
    if (W[0] <= 1e-12 * W[3]) { /* it cannot move along t */
        f[0] = 0;
        f[1] = -a[1] / W[3];
        return fabs(a[0]) <= 1e-9 * fabs(a[1]);
    }
    double determinant = W[0] * W[3] - W[1] * W[2];
    /* far above rounding; a point that can hardly move along t passes through this quickly */
    if (!(determinant > 1e-9 * W[0] * W[3])) {
        return false;
    }
    f[0] = (-W[3] * a[0] + W[1] * a[1]) / determinant;
    f[1] = (W[2] * a[0] - W[0] * a[1]) / determinant;
    return true;
}

void crm_point_rates(const Point *point, int n, const double f[2], double *rates) {
    const double *R = point->R;
    for (int i = 0; i < n; i++) {
        rates[i] = f[0] * R[i] + f[1] * R[n + i] - R[2 * n + i];
    }
}
