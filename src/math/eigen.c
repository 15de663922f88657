#include "math/eigen.h"

#include <float.h>
#include <math.h>

/* Rotate in the plane of i and j so that A[i][j] becomes 0. */
static void rotate(int n, double *A, double *Q, int i, int j) {
    double off = A[i * n + j], gap = A[j * n + j] - A[i * n + i];
    /* the smaller angle: tan = 2 off/(gap +- sqrt(gap^2 + 4 off^2)) */
    double root = sqrt(gap * gap + 4 * off * off);
    double t = 2 * off / (gap >= 0 ? gap + root : gap - root);
    double c = 1 / sqrt(1 + t * t), s = t * c;
    A[i * n + i] -= t * off;
    A[j * n + j] += t * off;
    A[i * n + j] = A[j * n + i] = 0;
    for (int k = 0; k < n; k++) {
        double q = Q[k * n + i], r = Q[k * n + j];
        Q[k * n + i] = c * q - s * r;
        Q[k * n + j] = s * q + c * r;
        if (k != i && k != j) {
            double a = A[k * n + i], b = A[k * n + j];
            A[k * n + i] = A[i * n + k] = c * a - s * b;
            A[k * n + j] = A[j * n + k] = s * a + c * b;
        }
    }
}

/* n = 2: a single rotation. */
static void solve_two(const double A[4], double Q[4], double value[2]) {
    double off = A[1], gap = A[3] - A[0], t = 0;
    if (off != 0) {
        double root = sqrt(gap * gap + 4 * off * off);
        t = 2 * off / (gap >= 0 ? gap + root : gap - root);
    }
    double c = 1 / sqrt(1 + t * t), s = t * c;
    value[0] = A[0] - t * off;
    value[1] = A[3] + t * off;
    Q[0] = Q[3] = c;
    Q[1] = s;
    Q[2] = -s;
}

void crm_eigen_symmetric(int n, double *A, double *Q, double *value) {
    if (n == 2) {
        solve_two(A, Q, value);
        return;
    }
    double scale = 0;
    for (int i = 0; i < n; i++) {
        scale += fabs(A[i * n + i]);
        for (int j = 0; j < n; j++) {
            Q[i * n + j] = i == j;
        }
    }
    /* convergence is quadratic: 3 to 5 sweeps */
    for (int sweep = 0; sweep < 12; sweep++) {
        double off = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double a = fabs(A[i * n + j]);
                if (a > DBL_EPSILON / 8 * sqrt(fabs(A[i * n + i]) * fabs(A[j * n + j])) &&
                    a > DBL_MIN * scale) {
                    off += a;
                    rotate(n, A, Q, i, j);
                }
            }
        }
        if (!(off > DBL_EPSILON / 8 * scale)) {
            break;
        }
    }
    for (int i = 0; i < n; i++) {
        value[i] = A[i * n + i];
    }
}
