#include "support/impulse/oracle.h"

#include <math.h>
#include <string.h>

enum { SIZE = 24, SWEEPS = 3000 };

static void velocity(const MultipleProblem *problem, const long double *I, long double *v) {
    int rows = multiple_rows(problem);
    for (int i = 0; i < rows; i++) {
        v[i] = problem->v[i];
        for (int j = 0; j < rows; j++) {
            v[i] += (long double)problem->W[i * rows + j] * I[j];
        }
    }
}

static long double asked(const MultipleProblem *problem, int contact) {
    int per = problem->planar ? 2 : 3;
    double n = problem->v[per * contact + per - 1];
    return n < 0 ? -(long double)problem->contacts[contact].e * n : 0;
}

/* Keep a solution unless it is known. */
static void keep(const MultipleProblem *problem, const long double *I, const long double *v,
                 ImpulseOracle *oracle) {
    int rows = multiple_rows(problem);
    long double energy = 0;
    for (int k = 0; k < oracle->count; k++) {
        long double gap = 0;
        for (int i = 0; i < rows; i++) {
            gap = fmaxl(gap, fabsl(oracle->v[k][i] - v[i]));
        }
        if (gap < 1e-7L) {
            return;
        }
    }
    for (int i = 0; i < rows; i++) {
        energy += I[i] * (problem->v[i] + v[i]) / 2;
    }
    if (oracle->count < IMPULSE_ORACLE_MOST) {
        int at = oracle->count++;
        memcpy(oracle->I[at], I, (size_t)rows * sizeof *I);
        memcpy(oracle->v[at], v, (size_t)rows * sizeof *v);
        oracle->energy[at] = energy;
    }
}

/* ---- planar ---- */

/* A x = b in place, full pivoting; 0 if singular. */
static int eliminate(int k, long double A[SIZE][SIZE + 1], long double *x) {
    int column[SIZE];
    for (int c = 0; c < k; c++) {
        column[c] = c;
    }
    for (int step = 0; step < k; step++) {
        int row = step, col = step;
        for (int i = step; i < k; i++) {
            for (int j = step; j < k; j++) {
                if (fabsl(A[i][j]) > fabsl(A[row][col])) {
                    row = i;
                    col = j;
                }
            }
        }
        if (fabsl(A[row][col]) < 1e-13L) {
            return 0;
        }
        for (int j = 0; j <= k; j++) {
            long double a = A[step][j];
            A[step][j] = A[row][j];
            A[row][j] = a;
        }
        for (int i = 0; i < k; i++) {
            long double a = A[i][step];
            A[i][step] = A[i][col];
            A[i][col] = a;
        }
        int other = column[step];
        column[step] = column[col];
        column[col] = other;
        for (int i = 0; i < k; i++) {
            long double factor = i == step ? 0 : A[i][step] / A[step][step];
            for (int j = step; j <= k && i != step; j++) {
                A[i][j] -= factor * A[step][j];
            }
        }
    }
    for (int i = 0; i < k; i++) {
        x[column[i]] = A[i][k] / A[i][i];
    }
    return 1;
}

/* Equations of all rows: I = 0 or I_t = -+mu I_n or v = target. */
static int solve_modes(const MultipleProblem *problem, int set, long double *I) {
    int rows = multiple_rows(problem);
    long double A[SIZE][SIZE + 1];
    memset(A, 0, sizeof A);
    for (int i = 0; i < problem->count; i++) {
        int mode = set >> (2 * i) & 3, t = 2 * i, n = t + 1;
        double mu = problem->contacts[i].mu;
        for (int j = 0; j < rows; j++) {
            A[n][j] = mode ? problem->W[n * rows + j] : j == n;
            A[t][j] = mode == 1 ? problem->W[t * rows + j] : j == t;
        }
        A[n][rows] = mode ? asked(problem, i) - problem->v[n] : 0;
        A[t][rows] = mode == 1 ? -(long double)problem->v[t] : 0;
        if (mode > 1) {
            A[t][n] = mode == 2 ? mu : -mu;
        }
    }
    return eliminate(rows, A, I);
}

static int holds(const MultipleProblem *problem, int set, const long double *I,
                 const long double *v) {
    const long double slack = 1e-13L;
    for (int i = 0; i < problem->count; i++) {
        int mode = set >> (2 * i) & 3, t = 2 * i, n = t + 1;
        double mu = problem->contacts[i].mu;
        int fine = mode == 0   ? v[n] >= asked(problem, i) - slack
                   : mode == 1 ? I[n] >= -slack && fabsl(I[t]) <= mu * I[n] + slack
                               : I[n] >= -slack && (mode == 2 ? v[t] : -v[t]) >= -slack;
        if (!fine) {
            return 0;
        }
    }
    return 1;
}

void impulse_oracle_planar(const MultipleProblem *problem, ImpulseOracle *oracle) {
    long double I[SIZE], v[SIZE];
    oracle->count = 0;
    for (int set = 0; set < 1 << (2 * problem->count); set++) {
        if (solve_modes(problem, set, I)) {
            velocity(problem, I, v);
            if (holds(problem, set, I, v)) {
                keep(problem, I, v, oracle);
            }
        }
    }
}

/* ---- spatial ---- */

/* One sweep over the contacts; returns the largest change. */
static long double sweep(const MultipleProblem *problem, long double *I) {
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3;
    long double most = 0;
    for (int i = 0; i < problem->count; i++) {
        int at = per * i, n = at + per - 1;
        long double v[3], w = 0, length = 0, old[3];
        for (int k = 0; k < per; k++) {
            v[k] = problem->v[at + k];
            for (int j = 0; j < rows; j++) {
                v[k] += (long double)problem->W[(at + k) * rows + j] * I[j];
            }
            w += problem->W[(at + k) * (rows + 1)];
            old[k] = I[at + k];
        }
        I[n] -= (v[per - 1] - asked(problem, i)) / w;
        I[n] = I[n] > 0 ? I[n] : 0;
        for (int k = 0; k < per - 1; k++) {
            I[at + k] -= v[k] / w;
            length += I[at + k] * I[at + k];
        }
        length = sqrtl(length);
        long double radius = problem->contacts[i].mu * I[n];
        for (int k = 0; k < per - 1; k++) {
            I[at + k] *= length > radius ? radius / length : 1;
        }
        for (int k = 0; k < per; k++) {
            most = fmaxl(most, fabsl(I[at + k] - old[k]));
        }
    }
    return most;
}

void impulse_oracle_spatial(const MultipleProblem *problem, Random *random, int starts,
                            ImpulseOracle *oracle) {
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3;
    long double I[SIZE], v[SIZE];
    oracle->count = 0;
    for (int start = 0; start < starts; start++) {
        for (int i = 0; i < rows; i++) {
            I[i] = start == 0 ? 0 : 3 * (random_uniform(random) - (i % per < per - 1 ? 0.5 : 0));
        }
        long double change = 1;
        for (int k = 0; k < SWEEPS && change > 1e-18L; k++) {
            change = sweep(problem, I);
        }
        if (change <= 1e-17L) {
            velocity(problem, I, v);
            keep(problem, I, v, oracle);
        }
    }
}
