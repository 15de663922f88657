#include "impulse/modes.h"

#include <math.h>
#include <string.h>

#include "impulse/dense.h"
#include "math/vec2.h"

/* Change of velocity per change of impulse, W being at most 1, that is more than rounding. */
static const double MODES_FREE = 1e-8;

static double at_row(const Strike *strike, const ModeRow *row, const double *vector,
                     const double *e) {
    const double *part = vector + row->contact * strike->rows;
    if (row->unit >= 0) {
        return part[row->unit];
    }
    return strike->rows == 3 ? e[0] * part[0] + e[1] * part[1] + e[2] * part[2]
                             : e[0] * part[0] + e[1] * part[1];
}

static void add_row(ModeSystem *system, ModeRow row) {
    system->row[system->k++] = row;
}

static void add_slip(const Strike *strike, const StrikeState *state, int contact,
                     ModeSystem *system) {
    int n = strike->rows - 1;
    const double *s = state->slip + 2 * contact;
    double mu = strike->mu[contact];
    ModeRow row = {.contact = contact, .unit = mu > 0 ? -1 : n};
    row.e[n] = row.d[n] = 1;
    for (int i = 0; i < n; i++) {
        row.d[i] = -mu * s[i];
    }
    add_row(system, row);
    if (n == 2 && mu > 0 && state->yield[contact] >= 0) {
        ModeRow across = {.contact = contact,
                          .unit = -1,
                          .e = {-s[1], s[0], 0},
                          .d = {-s[1], s[0], 0},
                          .yield = state->yield[contact]};
        add_row(system, across);
    }
}

static void list_rows(const Strike *strike, const StrikeState *state, ModeSystem *system) {
    system->k = 0;
    for (int i = 0; i < strike->count; i++) {
        if (state->mode[i] == STRIKE_STICK) {
            for (int unit = 0; unit < strike->rows; unit++) {
                add_row(system, (ModeRow){.contact = i, .unit = unit});
            }
        } else if (state->mode[i] == STRIKE_SLIP) {
            add_slip(strike, state, i, system);
        }
    }
}

/* W times a vector at one contact; W is symmetric, so its rows are its columns. */
static const double *weigh(const Strike *strike, const ModeRow *row, const double *e, double *out) {
    const double *W = strike->W + (size_t)(row->contact * strike->rows) * (size_t)strike->size;
    int size = strike->size;
    if (row->unit >= 0) {
        return W + row->unit * size;
    }
    memset(out, 0, (size_t)size * sizeof *out);
    for (int c = 0; c < strike->rows; c++) {
        if (e[c] != 0) {
            dense_add(out, e[c], W + c * size, size);
        }
    }
    return out;
}

static void weigh_rows(const Strike *strike, ModeSystem *system) {
    double *out = system->product;
    for (int j = 0; j < system->k; j++) {
        const ModeRow *row = &system->row[j];
        system->WE[j] = system->WD[j] = weigh(strike, row, row->e, out);
        out += strike->size;
        if (row->unit < 0 && row->e[strike->rows - 1] != 0) {
            system->WD[j] = weigh(strike, row, row->d, out);
            out += strike->size;
        }
    }
}

static void fill_G(const Strike *strike, ModeSystem *system) {
    int k = system->k;
    for (int j = 0; j < k; j++) {
        for (int i = j; i < k; i++) {
            const ModeRow *row = &system->row[i];
            system->G[i * k + j] = system->G[j * k + i] =
                at_row(strike, row, system->WE[j], row->e) + (i == j ? row->yield : 0);
        }
    }
}

/* Entry of A in row i, column j. */
static double entry(const Strike *strike, const ModeSystem *system, int i, int j) {
    const ModeRow *row = &system->row[i];
    return at_row(strike, row, system->WD[j], row->e) + (i == j ? row->yield : 0);
}

/* S = A_B Z */
static void fill_S(const Strike *strike, ModeSystem *system) {
    int rank = system->rank, k = system->k;
    for (int a = 0; a < rank; a++) {
        double *row = system->S + a * rank;
        int i = system->order[a];
        for (int b = 0; b < rank; b++) {
            row[b] = entry(strike, system, i, system->order[b]);
        }
        for (int at = rank; at < k; at++) {
            dense_add(row, entry(strike, system, i, system->order[at]), system->T + at * k, rank);
        }
    }
}

int crm_modes_factor(const Strike *strike, const StrikeState *state, double cut,
                     ModeSystem *system) {
    list_rows(strike, state, system);
    weigh_rows(strike, system);
    int k = system->k, rank = k;
    if (cut > 0) {
        fill_G(strike, system);
        rank = crm_dense_rank(k, system->G, cut, system->L, system->scale, system->order);
    }
    system->rank = rank;
    for (int i = 0; cut == 0 && i < k; i++) {
        system->order[i] = i;
    }
    system->has_share = cut > 0;
    for (int at = rank; at < k; at++) {
        double *T = system->T + at * k;
        memcpy(T, system->L + system->order[at] * k, (size_t)rank * sizeof *T);
        crm_dense_backward(rank, k, system->L, system->order, T);
    }
    fill_S(strike, system);
    return crm_dense_lu(rank, system->S, system->pivots, system->scale) > 1e-14;
}

/* x in the order of system->order: first x_B, then x_N from it. */
static void expand(ModeSystem *system, const double *x_B) {
    int rank = system->rank, k = system->k;
    for (int at = 0; at < k; at++) {
        system->x[system->order[at]] =
            at < rank ? x_B[at] : dense_dot(system->T + at * k, x_B, rank);
    }
}

/* share = W E xi with G xi = x: what x is where rows are kept, continued to all other rows. */
static void find_share(const Strike *strike, ModeSystem *system, const double *x_B, double *share) {
    int rank = system->rank;
    double *xi = system->scale;
    memcpy(xi, x_B, (size_t)rank * sizeof *xi);
    crm_dense_forward(rank, system->k, system->L, system->order, xi);
    crm_dense_backward(rank, system->k, system->L, system->order, xi);
    memset(share, 0, (size_t)strike->size * sizeof *share);
    for (int at = 0; at < rank; at++) {
        dense_add(share, xi[at], system->WE[system->order[at]], strike->size);
    }
}

static void add_impulse(const Strike *strike, const ModeSystem *system, double *I) {
    for (int j = 0; j < system->k; j++) {
        const ModeRow *row = &system->row[j];
        double *part = I + row->contact * strike->rows;
        if (row->unit >= 0) {
            part[row->unit] += system->x[j];
        } else {
            for (int c = 0; c < strike->rows; c++) {
                part[c] += system->x[j] * row->d[c];
            }
        }
    }
}

/* What a row is to be kept at. */
static double target(const Strike *strike, const ModeRow *row) {
    int n = strike->rows - 1;
    return row->unit == n || (row->unit < 0 && row->e[n] != 0) ? strike->b[row->contact] : 0;
}

void crm_modes_solve(const Strike *strike, ModeSystem *system, StrikeState *state) {
    int rank = system->rank;
    double *x_B = system->right;
    for (int at = 0; at < rank; at++) {
        const ModeRow *row = &system->row[system->order[at]];
        x_B[at] = target(strike, row) - at_row(strike, row, strike->v_before, row->e);
    }
    crm_dense_lu_solve(rank, system->S, system->pivots, x_B);
    expand(system, x_B);
    memset(state->I, 0, (size_t)strike->size * sizeof *state->I);
    add_impulse(strike, system, state->I);
    memcpy(state->v, strike->v_before, (size_t)strike->size * sizeof *state->v);
    for (int j = 0; j < system->k; j++) {
        dense_add(state->v, system->x[j], system->WD[j], strike->size);
    }
    if (system->has_share) {
        find_share(strike, system, x_B, state->share);
    } else {
        memcpy(state->share, state->I, (size_t)strike->size * sizeof *state->I);
    }
}

double crm_modes_refine(const Strike *strike, ModeSystem *system, StrikeState *state) {
    int rank = system->rank;
    double *x_B = system->right, *gap = state->share, most = 0;
    crm_strike_velocity(strike, state->I, state->v, gap);
    for (int at = 0; at < rank; at++) {
        const ModeRow *row = &system->row[system->order[at]];
        x_B[at] = -at_row(strike, row, gap, row->e);
        if (row->yield > 0) { /* what the impulse has across the direction of slip */
            x_B[at] -= row->yield * at_row(strike, row, state->I, row->e);
        }
    }
    crm_dense_lu_solve(rank, system->S, system->pivots, x_B);
    expand(system, x_B);
    add_impulse(strike, system, state->I);
    for (int j = 0; j < system->k; j++) {
        most = most_of(most, fabs(system->x[j]));
    }
    crm_strike_velocity(strike, state->I, state->v, NULL);
    return most;
}

int crm_modes_free(const Strike *strike, ModeSystem *system, int at, double *dI, double *dv) {
    int rank = system->rank, k = system->k;
    const double *T = system->T + at * k;
    double *z = system->right, most = 0;
    memcpy(dv, system->WD[system->order[at]], (size_t)strike->size * sizeof *dv);
    for (int b = 0; b < rank; b++) {
        dense_add(dv, -T[b], system->WD[system->order[b]], strike->size);
    }
    for (int b = 0; b < rank; b++) {
        const ModeRow *row = &system->row[system->order[b]];
        z[b] = row->yield * T[b] - at_row(strike, row, dv, row->e);
    }
    crm_dense_lu_solve(rank, system->S, system->pivots, z);
    expand(system, z);
    for (int j = 0; j < k; j++) {
        dense_add(dv, system->x[j], system->WD[j], strike->size);
    }
    for (int b = 0; b < rank; b++) {
        system->x[system->order[b]] -= T[b];
    }
    system->x[system->order[at]] += 1;
    memset(dI, 0, (size_t)strike->size * sizeof *dI);
    add_impulse(strike, system, dI);
    for (int i = 0; i < strike->size; i++) {
        most = most_of(most, fabs(dv[i]));
    }
    return most > MODES_FREE * strike->mobility;
}

void crm_modes_multipliers(const Strike *strike, ModeSystem *system, const double *gradient,
                           double *pull) {
    int rank = system->rank, k = system->k;
    double *lambda = system->right;
    for (int at = 0; at < k; at++) {
        const ModeRow *row = &system->row[system->order[at]];
        double along = at_row(strike, row, gradient, row->d);
        if (at < rank) {
            lambda[at] = -along;
        } else {
            dense_add(lambda, -along, system->T + at * k, rank);
        }
    }
    crm_dense_lu_solve_transposed(rank, system->S, system->pivots, lambda);
    memset(pull, 0, (size_t)strike->size * sizeof *pull);
    for (int b = 0; b < rank; b++) {
        const ModeRow *row = &system->row[system->order[b]];
        double *part = pull + row->contact * strike->rows;
        for (int c = 0; c < strike->rows; c++) {
            part[c] += lambda[b] * (row->unit >= 0 ? c == row->unit : row->e[c]);
        }
    }
}
