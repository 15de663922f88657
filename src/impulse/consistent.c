#include "impulse/consistent.h"

#include <float.h>
#include <math.h>

#include "impulse/dense.h"
#include "math/vec2.h"

/* Beyond this the input says something else than the rounding of it. */
static const double CONSISTENT_MOST = 1e-8;

/* Twice: the second time takes away the rounding of the first. */
enum { PROJECTIONS = 2 };

/* x (rank) = L^T r and back: out = L A^-1 x, with the factors of A = L^T L. */
static void onto_range(int m, int rank, const double *L, const double *A, const int *pivots,
                       const double *r, double *x, double *out) {
    for (int c = 0; c < rank; c++) {
        x[c] = 0;
        for (int i = 0; i < m; i++) {
            x[c] += L[i * m + c] * r[i];
        }
    }
    crm_dense_lu_solve(rank, A, pivots, x);
    for (int i = 0; i < m; i++) {
        out[i] += dense_dot(L + i * m, x, rank);
    }
}

double crm_consistent_make(Strike *strike, ModeSystem *system) {
    int m = strike->size;
    double *L = system->L, *A = system->G, *v = system->T, *left = system->right, least = INFINITY;
    int rank = crm_dense_rank(m, strike->W, MODES_CUT, L, system->scale, system->order);
    if (rank == m || rank == 0) {
        return 0;
    }
    for (int r = 0; r < rank; r++) {
        double pivot = L[system->order[r] * m + r];
        least = fmin(least, pivot * pivot);
        for (int c = 0; c < rank; c++) {
            A[r * rank + c] = 0;
            for (int i = 0; i < m; i++) {
                A[r * rank + c] += L[i * m + r] * L[i * m + c];
            }
        }
    }
    if (!(crm_dense_lu(rank, A, system->pivots, system->scale) > 0)) {
        return 0;
    }
    for (int i = 0; i < m; i++) {
        v[i] = 0;
    }
    for (int pass = 0; pass < PROJECTIONS; pass++) {
        for (int i = 0; i < m; i++) {
            left[i] = strike->v_before[i] - v[i];
        }
        onto_range(m, rank, L, A, system->pivots, left, system->x, v);
    }
    double most = 0;
    for (int i = 0; i < m; i++) {
        most = most_of(most, fabs(v[i] - strike->v_before[i]));
    }
    if (most <= DBL_EPSILON * strike->speed || most > CONSISTENT_MOST * strike->speed) {
        return 0;
    }
    for (int i = 0; i < m; i++) {
        strike->v_before[i] = v[i];
    }
    return most / strike->speed * most_of(strike->mobility / least, 1);
}
