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

/* ---- next to an answer ---- */

enum { POLISH = 36 };

/* A x = b with rank found by full pivoting; x = 0 where columns have no pivot. */
static void eliminate_singular(int k, long double A[POLISH][POLISH + 1], long double *x) {
    int column[POLISH], rank = 0;
    long double first = 0;
    for (int c = 0; c < k; c++) {
        column[c] = c;
    }
    for (; rank < k; rank++) {
        int row = rank, col = rank;
        for (int i = rank; i < k; i++) {
            for (int j = rank; j < k; j++) {
                if (fabsl(A[i][j]) > fabsl(A[row][col])) {
                    row = i;
                    col = j;
                }
            }
        }
        first = rank == 0 ? fabsl(A[row][col]) : first;
        if (fabsl(A[row][col]) <= 1e-10L * first) {
            break;
        }
        for (int j = 0; j <= k; j++) {
            long double a = A[rank][j];
            A[rank][j] = A[row][j];
            A[row][j] = a;
        }
        for (int i = 0; i < k; i++) {
            long double a = A[i][rank];
            A[i][rank] = A[i][col];
            A[i][col] = a;
        }
        int other = column[rank];
        column[rank] = column[col];
        column[col] = other;
        for (int i = 0; i < k; i++) {
            long double factor = i == rank ? 0 : A[i][rank] / A[rank][rank];
            for (int j = rank; j <= k && i != rank; j++) {
                A[i][j] -= factor * A[rank][j];
            }
        }
    }
    for (int i = 0; i < k; i++) {
        x[column[i]] = i < rank ? A[i][k] / A[i][i] : 0;
    }
}

/* Equations of contact i, in rows at ... of A, from I and v: open I = 0; stick v_t = 0; slip
 * |v_t| I_t + mu I_n v_t = 0; v_n = b. */
static void fill_contact(const MultipleProblem *problem, int i, int open, int slips,
                         const long double *I, const long double *v,
                         long double A[POLISH][POLISH + 1]) {
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3, at = per * i;
    int n = at + per - 1;
    long double mu = problem->contacts[i].mu, speed = 0;
    for (int k = at; k < n; k++) {
        speed += v[k] * v[k];
    }
    speed = sqrtl(speed);
    for (int k = at; k <= n; k++) {
        int unit = open || (k < n && mu == 0);
        for (int j = 0; j < rows; j++) {
            A[k][j] = unit ? j == k : problem->W[k * rows + j];
        }
        A[k][rows] = unit ? -I[k] : k == n ? asked(problem, i) - v[k] : -v[k];
        if (unit || k == n || !slips) {
            continue;
        }
        for (int j = 0; j < rows; j++) {
            long double turn = 0; /* d|v_t|/dI_j */
            for (int c = at; c < n; c++) {
                turn += v[c] / speed * problem->W[c * rows + j];
            }
            A[k][j] = turn * I[k] + mu * I[n] * problem->W[k * rows + j];
            A[k][j] += (j == k ? speed : 0) + (j == n ? mu * v[k] : 0);
        }
        A[k][rows] = -(speed * I[k] + mu * I[n] * v[k]);
    }
}

int impulse_polish(const MultipleProblem *problem, long double *I, long double *v) {
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3, n = problem->count;
    int open[POLISH], slips[POLISH];
    long double A[POLISH][POLISH + 1], x[POLISH], speed = 0, last = 1;
    for (int i = 0; i < rows; i++) {
        speed = fmaxl(speed, fabsl((long double)problem->v[i]));
    }
    for (int i = 0; i < n; i++) {
        long double t = 0;
        for (int k = per * i; k < per * i + per - 1; k++) {
            t += v[k] * v[k];
        }
        slips[i] = sqrtl(t) > 1e-9L * speed;
        open[i] = I[per * i + per - 1] == 0;
    }
    for (int step = 0; step < 8; step++) {
        velocity(problem, I, v);
        for (int i = 0; i < n; i++) {
            fill_contact(problem, i, open[i], slips[i], I, v, A);
        }
        eliminate_singular(rows, A, x);
        last = 0;
        for (int i = 0; i < rows; i++) {
            I[i] += x[i];
            last = fmaxl(last, fabsl(x[i]));
        }
    }
    velocity(problem, I, v);
    return last < 1e-15L;
}
