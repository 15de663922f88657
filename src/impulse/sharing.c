/* min |I|^2/2 with W I = W I0 and I in a cone K that the velocity decides. With W = L L^T and
 * y = L^T I0 the dual is
 *
 *   min over lambda  |P(L lambda)|^2/2 - y.lambda,   I = P(L lambda),   P: projection onto K,
 *
 * convex and once differentiable: Newton's method with a line search. */
#include "impulse/sharing.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "impulse/dense.h"
#include "impulse/modes.h"
#include "math/vec2.h"

enum { SHARING_STEPS = 60, SHARING_HALVES = 30 };

static const double SHARING_DAMPING = 1e-5; /* at first; halved in each step */

/* Norm of an impulse, in units of the impulse that stops the fastest contact, that is too large. */
static const double SHARING_LARGEST = 1e6;

/* The same for a rest that is only looked for: a jam that presses more is left out. */
static const double REST_LARGEST = 1e3;

/* What the velocity allows a contact. */
typedef enum Allowed { ALLOWED_NOTHING, ALLOWED_RAY, ALLOWED_CONE } Allowed;

static Allowed allowed(const Strike *strike, const StrikeState *state, double touch, int contact) {
    if (state->v[strike_normal(strike, contact)] - strike->b[contact] > touch) {
        return ALLOWED_NOTHING;
    }
    return strike->mu[contact] == 0 || crm_strike_tangential(strike, state->v, contact) > touch
               ? ALLOWED_RAY
               : ALLOWED_CONE;
}

/* Direction of the impulse of a contact that slips. */
static void ray(const Strike *strike, const StrikeState *state, int contact, double g[3]) {
    int tangents = strike->rows - 1;
    double speed = crm_strike_tangential(strike, state->v, contact);
    for (int k = 0; k < tangents; k++) {
        g[k] = strike->mu[contact] > 0
                   ? -strike->mu[contact] * state->v[contact * strike->rows + k] / speed
                   : 0;
    }
    g[tangents] = 1;
}

/* P at one contact, and its derivative D (rows x rows). */
static void project_ray(const double g[3], int rows, const double *p, double *out, double D[3][3]) {
    double square = 0, along = 0;
    for (int k = 0; k < rows; k++) {
        square += g[k] * g[k];
        along += g[k] * p[k];
    }
    for (int i = 0; i < rows; i++) {
        out[i] = along > 0 ? along / square * g[i] : 0;
        for (int j = 0; j < rows; j++) {
            D[i][j] = along >= 0 ? g[i] * g[j] / square : 0;
        }
    }
}

static void project_cone(double mu, int rows, const double *p, double *out, double D[3][3]) {
    int tangents = rows - 1;
    double n = p[tangents], t = tangents == 2 ? sqrt(p[0] * p[0] + p[1] * p[1]) : fabs(p[0]);
    if (t <= mu * n || n + mu * t <= 0) {
        int inside = t <= mu * n;
        for (int i = 0; i < rows; i++) {
            out[i] = inside ? p[i] : 0;
            for (int j = 0; j < rows; j++) {
                D[i][j] = inside && i == j;
            }
        }
        return;
    }
    double on = (n + mu * t) / (1 + mu * mu), g[3] = {0, 0, 0};
    for (int k = 0; k < tangents; k++) {
        g[k] = mu * p[k] / t;
    }
    g[tangents] = 1;
    for (int i = 0; i < rows; i++) {
        out[i] = on * g[i];
        for (int j = 0; j < rows; j++) {
            D[i][j] = g[i] * g[j] / (1 + mu * mu);
        }
    }
    if (tangents == 2) { /* the direction turns with p */
        double across[2] = {-p[1] / t, p[0] / t}, turn = mu * on / t;
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                D[i][j] += turn * across[i] * across[j];
            }
        }
    }
}

static void project_contact(const Strike *strike, const StrikeState *state, double touch,
                            int contact, const double *p, double *out, double D[3][3]) {
    double g[3];
    memset(D, 0, 9 * sizeof(double));
    switch (allowed(strike, state, touch, contact)) {
    case ALLOWED_NOTHING:
        memset(out, 0, (size_t)strike->rows * sizeof *out);
        break;
    case ALLOWED_RAY:
        ray(strike, state, contact, g);
        project_ray(g, strike->rows, p, out, D);
        break;
    default:
        project_cone(strike->mu[contact], strike->rows, p, out, D);
    }
}

/* H += L^T D L of one contact, lower triangle; L: its rows, m apart. */
static void add_curvature(const double *L, int m, int rows, int rank, double D[3][3], double *H) {
    const double *first = L, *second = L + m, *third = rows == 3 ? L + 2 * m : L;
    if (D[rows - 1][rows - 1] == 0) {
        return; /* no impulse */
    }
    for (int a = 0; a < rank; a++) {
        double x[3] = {first[a], second[a], third[a]}, y[3], *row = H + a * rank;
        for (int c = 0; c < 3; c++) {
            y[c] = D[c][0] * x[0] + D[c][1] * x[1] + D[c][2] * x[2];
        }
        for (int b = 0; b <= a; b++) {
            row[b] += y[0] * first[b] + y[1] * second[b] + y[2] * third[b];
        }
    }
}

/* I = P(L lambda), gradient = L^T I - y. Returns the dual function. With H not NULL also its second
 * derivative L^T D L. */
static double dual(const Strike *strike, const StrikeState *state, double touch, Sharing *sharing,
                   const double *lambda, double *I, double *H) {
    int m = strike->size, rank = sharing->rank, rows = strike->rows;
    double value = 0, p[3], D[3][3];
    for (int a = 0; a < rank; a++) {
        sharing->gradient[a] = -sharing->y[a];
        value -= sharing->y[a] * lambda[a];
    }
    if (H) {
        memset(H, 0, (size_t)rank * (size_t)rank * sizeof *H);
    }
    for (int i = 0; i < strike->count; i++) {
        const double *L = sharing->L + (size_t)(i * rows) * (size_t)m;
        for (int c = 0; c < rows; c++) {
            p[c] = dense_dot(L + c * m, lambda, rank);
        }
        project_contact(strike, state, touch, i, p, I + i * rows, D);
        for (int c = 0; c < rows; c++) {
            value += I[i * rows + c] * I[i * rows + c] / 2;
            dense_add(sharing->gradient, I[i * rows + c], L + c * m, rank);
        }
        if (H) {
            add_curvature(L, m, rows, rank, D, H);
        }
    }
    return value;
}

/* step = -(H + little)^-1 gradient, by Cholesky in the lower triangle of H. little, relative to H,
 * goes to 0 with the gradient. */
static void newton_step(int rank, double *H, double little, const double *gradient, double *step) {
    double trace = 0;
    for (int a = 0; a < rank; a++) {
        trace += H[a * rank + a];
        step[a] = -gradient[a];
    }
    for (int i = 0; i < rank; i++) {
        double *row = H + i * rank;
        for (int j = 0; j <= i; j++) {
            double rest = row[j] + (i == j ? little * trace : 0) - dense_dot(row, H + j * rank, j);
            row[j] = i > j ? rest / H[j * rank + j] : sqrt(most_of(rest, 1e-14 * trace));
        }
        step[i] = (step[i] - dense_dot(row, step, i)) / row[i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        step[i] /= H[i * rank + i];
        dense_add(step, -step[i], H + i * rank, i);
    }
}

static double largest_entry(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = most_of(most, fabs(x[i]));
    }
    return most;
}

int crm_sharing_rank(const Strike *strike, Sharing *sharing) {
    if (sharing->rank < 0) {
        sharing->rank = crm_dense_rank(strike->size, strike->W, MODES_CUT, sharing->L,
                                       sharing->image, sharing->order);
    }
    return sharing->rank;
}

/* L once for the strike, y for the state. */
static void sharing_begin(const Strike *strike, const StrikeState *state, Sharing *sharing) {
    int m = strike->size;
    crm_sharing_rank(strike, sharing);
    memset(sharing->y, 0, (size_t)sharing->rank * sizeof *sharing->y);
    memset(sharing->lambda, 0, (size_t)sharing->rank * sizeof *sharing->lambda);
    for (int i = 0; i < m; i++) {
        dense_add(sharing->y, state->I[i], sharing->L + i * m, sharing->rank);
    }
}

int crm_sharing_is_least(const Strike *strike, const StrikeState *state) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I), I[3], D[3][3];
    for (int i = 0; i < strike->count; i++) {
        int at = i * strike->rows;
        project_contact(strike, state, touch, i, state->share + at, I, D);
        for (int c = 0; c < strike->rows; c++) {
            if (!(fabs(I[c] - state->I[at + c]) <= touch)) {
                return 0;
            }
        }
    }
    return 1;
}

/* A lower bound of the norm of all impulses that are allowed, I = P(L lambda): L lambda = I + Q
 * with Q in the polar cone. Where none is allowed it grows without bound. */
static double least_norm(const Strike *strike, const Sharing *sharing, const double *lambda,
                         const double *I) {
    return dense_dot(sharing->y, lambda, sharing->rank) / sqrt(dense_dot(I, I, strike->size));
}

/* The dual for y, given up where the least norm is above most. */
static int share(const Strike *strike, double most, Sharing *sharing, StrikeState *state) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    int rank = sharing->rank;
    double *lambda = sharing->lambda, *trial = sharing->trial, *I = state->share;
    double first = largest_entry(sharing->y, rank), last = INFINITY, damping = SHARING_DAMPING;
    for (int work = 0; work < SHARING_STEPS; work++, damping /= 2) {
        double value = dual(strike, state, touch, sharing, lambda, I, sharing->H), part = 1,
               slope = 0;
        double size = largest_entry(sharing->gradient, rank);
        double goal = 4e-15 * (first + largest_entry(I, strike->size));
        if (size <= goal || (size < 1e3 * goal && size >= last)) {
            memcpy(state->I, I, (size_t)strike->size * sizeof *I);
            return 1;
        }
        last = size;
        newton_step(rank, sharing->H, 1e-14 + damping * least_of(1, size / first),
                    sharing->gradient, sharing->step);
        for (int a = 0; a < rank; a++) {
            slope += sharing->step[a] * sharing->gradient[a];
        }
        for (int half = 0; half < SHARING_HALVES; half++, part /= 2) {
            for (int a = 0; a < rank; a++) {
                trial[a] = lambda[a] + part * sharing->step[a];
            }
            double next = dual(strike, state, touch, sharing, trial, I, NULL);
            if (least_norm(strike, sharing, trial, I) > most * strike->speed / strike->mobility) {
                return 0;
            }
            /* near the end the gradient has digits that the value has not */
            if (next <= value + 1e-4 * part * slope + 1e-15 * fabs(value) ||
                largest_entry(sharing->gradient, rank) < size / 2) {
                break;
            }
        }
        memcpy(lambda, trial, (size_t)rank * sizeof *lambda);
    }
    return 0;
}

int crm_sharing_solve(const Strike *strike, Sharing *sharing, StrikeState *state) {
    sharing_begin(strike, state, sharing);
    return share(strike, SHARING_LARGEST, sharing, state);
}

int crm_sharing_at_rest(const Strike *strike, Sharing *sharing, StrikeState *state) {
    int m = strike->size, rank = crm_sharing_rank(strike, sharing);
    double *y = sharing->y;
    for (int i = 0; i < m; i++) {
        int contact = i / strike->rows;
        state->v[i] = i == strike_normal(strike, contact) ? strike->b[contact] : 0;
        state->I[i] = 0;
    }
    for (int a = 0; a < rank; a++) {
        int i = sharing->order[a];
        y[a] = state->v[i] - strike->v_before[i];
        sharing->lambda[a] = 0;
    }
    crm_dense_forward(rank, m, sharing->L, sharing->order, y);
    for (int i = 0; i < m; i++) {
        double change = state->v[i] - strike->v_before[i];
        if (fabs(dense_dot(sharing->L + i * m, y, rank) - change) > STRIKE_TOUCH * strike->speed) {
            return 0;
        }
    }
    return share(strike, REST_LARGEST, sharing, state);
}
