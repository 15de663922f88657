/* Mechanisms in generalised coordinates.
 *
 * M = L L^T by rows; then M^-1 J^T row by row, L y = J_i^T forwards and L^T x = y backwards. Every
 * inner loop runs along a row of L, contiguous in memory. Cost: O(n^3/6) for the factor, O(n^2) for
 * each row of J. */
#include <carom/system.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "contact/status_end.h"
#include "math/array.h"
#include "mechanics/inertia.h"

/* Four partial sums: four times as fast as one, with less rounding. */
static double dot(const double *a, const double *b, size_t count) {
    double sum[4] = {0, 0, 0, 0}, rest = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            sum[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < count; i++) {
        rest += a[i] * b[i];
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest;
}

/* NULL, or a fault of M that shows without factoring it. */
static const char *matrix_problem(size_t n, const double *M) {
    if (!array_is_finite(M, n * n)) {
        return "mass_matrix has an entry that is not finite";
    }
    for (size_t i = 0; i < n; i++) {
        if (!(M[i * n + i] > 0)) {
            return "mass_matrix is not positive definite";
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = M[i * n + j], b = M[j * n + i];
            double scale = sqrt(M[i * n + i]) * sqrt(M[j * n + j]);
            if (a != b && !(fabs(a - b) <= INERTIA_ASYMMETRY * scale)) {
                return "mass_matrix is not symmetric";
            }
        }
    }
    return NULL;
}

/* Lower triangle of L, with 1/L_ii on the diagonal. Mirrored entries of M may differ by rounding;
 * their mean is used, as in the energy. False if M is not positive definite beyond rounding: each
 * pivot must exceed a few ulps of its diagonal entry, a test that does not depend on the units of
 * the coordinates. */
static bool cholesky_factor(size_t n, const double *M, double *L) {
    double least = (8 + (double)n) * DBL_EPSILON;
    for (size_t i = 0; i < n; i++) {
        double *row = L + i * n;
        for (size_t j = 0; j < i; j++) {
            double mean = M[i * n + j] / 2 + M[j * n + i] / 2;
            row[j] = (mean - dot(row, L + j * n, j)) * L[j * n + j];
        }
        double diagonal = M[i * n + i], pivot = diagonal - dot(row, row, i);
        if (!(pivot > least * diagonal)) {
            return false;
        }
        row[i] = 1 / sqrt(pivot);
    }
    return true;
}

/* x = M^-1 b */
static void cholesky_solve(size_t n, const double *L, const double *b, double *x) {
    for (size_t i = 0; i < n; i++) {
        const double *row = L + i * n;
        x[i] = (b[i] - dot(row, x, i)) * row[i];
    }
    for (size_t i = n; i-- > 0;) {
        const double *row = L + i * n;
        x[i] *= row[i];
        for (size_t j = 0; j < i; j++) {
            x[j] -= row[j] * x[i];
        }
    }
}

static const char *find_responses(size_t n, const double *M, size_t m, const double *J, double *L,
                                  double *R) {
    const char *problem = matrix_problem(n, M);
    if (problem) {
        return problem;
    }
    if (!array_is_finite(J, m * n)) {
        return "jacobian has an entry that is not finite";
    }
    if (!cholesky_factor(n, M, L)) {
        return "mass_matrix is not positive definite";
    }
    for (size_t i = 0; i < m; i++) {
        cholesky_solve(n, L, J + i * n, R + i * n);
    }
    return array_is_finite(R, m * n)
               ? NULL
               : "mass_matrix and jacobian exceed the range of double precision";
}

CaromStatus carom_system_responses(int n, const double *M, int m, const double *J,
                                   double *workspace, double *R, const char **message) {
    size_t columns = n > 0 ? (size_t)n : 0, rows = m > 0 ? (size_t)m : 0;
    const char *problem = "mass_matrix: there must be at least one coordinate";
    if (!M || !J || !workspace || !R) {
        problem = "mass_matrix, jacobian, workspace and responses must not be NULL";
    } else if (n > 0 && m > 0) {
        problem = find_responses(columns, M, rows, J, workspace, R);
    } else if (n > 0) {
        problem = "jacobian: there must be at least one row";
    }
    if (problem) {
        array_fill_nan(R, rows * columns);
    }
    return status_end(problem, message);
}

static void fill_system_W(size_t n, size_t m, const double *J, const double *R, double *W) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = i; j < m; j++) {
            W[i * m + j] = W[j * m + i] = dot(J + i * n, R + j * n, n);
        }
        /* a sum of squares; rounding may turn 0 into a negative number */
        double *diagonal = &W[i * m + i], size = 0;
        for (size_t k = 0; k < n && *diagonal < 0; k++) {
            size += fabs(J[i * n + k] * R[i * n + k]);
        }
        if (*diagonal < 0 && *diagonal >= -(double)n * DBL_EPSILON * size) {
            *diagonal = 0;
        }
    }
}

static const char *find_contact_space(size_t n, size_t m, const double *J, const double *R,
                                      const double *u, double *W, double *v) {
    if (!array_is_finite(J, m * n)) {
        return "jacobian has an entry that is not finite";
    }
    if (W) {
        if (!array_is_finite(R, m * n)) {
            return "responses have an entry that is not finite";
        }
        fill_system_W(n, m, J, R, W);
    }
    if (v) {
        if (!array_is_finite(u, n)) {
            return "velocity has an entry that is not finite";
        }
        for (size_t i = 0; i < m; i++) {
            v[i] = dot(J + i * n, u, n);
        }
    }
    /* finite input may overflow */
    return array_is_finite(W, m * m) && array_is_finite(v, m)
               ? NULL
               : "jacobian, responses and velocity exceed the range of double precision";
}

CaromStatus carom_system_contact_space(int n, int m, const double *J, const double *R,
                                       const double *u, double *W, double *v,
                                       const char **message) {
    size_t columns = n > 0 ? (size_t)n : 0, rows = m > 0 ? (size_t)m : 0;
    const char *problem = "jacobian: there must be at least one row and one column";
    if (!J || (W && !R) || (v && !u)) {
        problem = "jacobian, responses and velocity must not be NULL";
    } else if (n > 0 && m > 0) {
        problem = find_contact_space(columns, rows, J, R, u, W, v);
    }
    if (problem) {
        array_fill_nan(W, rows * rows);
        array_fill_nan(v, rows);
    }
    return status_end(problem, message);
}

void carom_system_apply(int n, int m, const double *R, const double *impulse, double *u) {
    size_t columns = n > 0 ? (size_t)n : 0;
    bool given = R && impulse && u;
    for (int i = 0; given && i < m; i++) {
        const double *row = R + (size_t)i * columns;
        for (size_t k = 0; k < columns; k++) {
            u[k] += row[k] * impulse[i];
        }
    }
}

double carom_system_energy(int n, const double *M, const double *u) {
    size_t columns = n > 0 ? (size_t)n : 0;
    double twice = M && u ? 0 : NAN;
    for (size_t i = 0; M && u && i < columns; i++) {
        twice += u[i] * dot(M + i * columns, u, columns);
    }
    return twice / 2;
}
