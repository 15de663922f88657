#include "impulse/search.h"

#include <math.h>
#include <string.h>

#include "impulse/dense.h"
#include "impulse/semismooth.h"

/* Softness relative to the largest diagonal entry of W: answers of the softened problem have the
 * modes of the rigid one unless they are closer than this to others; it is removed afterwards. */
static const double SOFTNESS = 1e-7;

/* Velocities further apart than this, relative to the largest before, are different answers. */
static const double DIFFERENT = 1e-7;

enum {
    NEWTON_STEPS = 12, /* 3 to 6 are usual */
    RESTART_STEPS = 8, /* from a neighbour */
    FRICTION_STEPS = 20,
    SPLITTING_STEPS = 16,
    SPLITTING_MOST = 1024,
    ENUMERATION_CONTACTS = 5, /* 4^5 sets of modes */
    SMALL = 4                 /* contacts; a search is cheap */
};

/* ---- starts ---- */

static void soften(Search *search, double delta) {
    int m = search->strike.size;
    for (int i = 0; i < m; i++) {
        search->soft.W[i * (m + 1)] = search->strike.W[i * (m + 1)] + delta;
    }
}

static void start_from_nothing(Search *search) {
    StrikeState *state = &search->state;
    size_t bytes = (size_t)search->strike.size * sizeof(double);
    memset(state->I, 0, bytes);
    memset(state->share, 0, bytes);
    memcpy(state->v, search->strike.v_before, bytes);
    for (int i = 0; i < search->strike.count; i++) {
        state->mode[i] = STRIKE_OPEN;
    }
}

/* Every contact sticks. */
static int start_from_stick(Search *search) {
    for (int i = 0; i < search->strike.count; i++) {
        search->state.mode[i] = STRIKE_STICK;
    }
    search->work++;
    if (!crm_modes_factor(&search->soft, &search->state, 0, &search->system)) {
        return 0;
    }
    crm_modes_solve(&search->soft, &search->system, &search->state);
    return 1;
}

/* ---- ways from a start ---- */

static int newton(Search *search, int steps) {
    int work = crm_semismooth_solve(&search->soft, 0, steps, &search->system, &search->state);
    search->work += work > 0 ? work : steps;
    return work > 0;
}

static int complete(Search *search) {
    search->work++;
    return crm_answer_complete(&search->strike, &search->system, &search->sharing, &search->state,
                               &search->spare);
}

/* From soft contacts, where there is nothing to jam, to rigid ones. */
static int by_continuation(Search *search) {
    int solved = 0;
    start_from_nothing(search);
    for (double delta = 1; delta > SOFTNESS / 2; delta /= 10) {
        soften(search, delta);
        solved = newton(search, RESTART_STEPS);
        if (!solved && delta < 1e-4) {
            break;
        }
    }
    soften(search, SOFTNESS);
    return solved && complete(search);
}

/* From the answer without friction, which is unique, to the given friction. */
static int by_friction(Search *search) {
    int solved = 0;
    start_from_nothing(search);
    for (int step = 0; step <= FRICTION_STEPS; step++) {
        for (int i = 0; i < search->strike.count; i++) {
            search->soft.mu[i] = search->strike.mu[i] * step / FRICTION_STEPS;
        }
        solved = newton(search, RESTART_STEPS);
    }
    return solved && complete(search);
}

/* Does the law ask for a velocity of separation? If not, there is always an answer. */
static int is_asked(const Strike *strike) {
    double most = 0;
    for (int i = 0; i < strike->count; i++) {
        most = fmax(most, strike->b[i]);
    }
    return most > 0;
}

/* Can all contacts open at once, each faster than it slides: v_n > mu |v_t| for some v = W z? Then
 * impulses in the cones cannot balance, and the law has an answer for all v- and e. z is looked for
 * as the answer of a convex problem, min z.W z/2 - sum z_n in the cones. */
static int can_open(Search *search) {
    Strike probe = search->strike;
    StrikeState *state = &search->state;
    probe.v_before = search->spare.I;
    probe.b = search->spare.v;
    for (int i = 0; i < probe.size; i++) {
        probe.v_before[i] = i % probe.rows == probe.rows - 1 ? -1 : 0;
        probe.b[i < probe.count ? i : 0] = 0;
    }
    search->splitting.convex = 1;
    crm_splitting_begin(&probe, 0.2, &search->splitting);
    crm_splitting_run(&probe, SPLITTING_MOST, &search->splitting, state);
    search->splitting.convex = 0;
    for (int i = 0; i < probe.count; i++) {
        double opening = state->v[strike_normal(&probe, i)] + 1;
        if (!(opening > probe.mu[i] * crm_strike_tangential(&probe, state->v, i) + 0.1)) {
            return 0;
        }
    }
    return 1;
}

/* An answer from the neighbourhood that splitting has reached. */
static int from_splitting(Search *search) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    double scale = crm_strike_scale(strike, state->I);
    if (crm_strike_residual(strike, state->I, state->v) > 1e-10 * scale) {
        return newton(search, RESTART_STEPS) && complete(search);
    }
    memcpy(state->share, state->I, (size_t)strike->size * sizeof *state->I);
    crm_semismooth_modes(strike, STRIKE_TOUCH * scale, state);
    if (complete(search)) {
        return 1;
    }
    crm_splitting_run(strike, 0, &search->splitting, state);
    return crm_answer_holds(strike, state);
}

/* Newton's method from more and more steps of splitting. */
static int by_splitting(Search *search, double penalty) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    crm_splitting_begin(strike, penalty, &search->splitting);
    for (int steps = SPLITTING_STEPS; steps <= SPLITTING_MOST ; steps *= 2) {
        start_from_nothing(search);
        crm_splitting_run(strike, steps, &search->splitting, state);
        search->work++;
        if (from_splitting(search)) {
            return 1;
        }
    }
    return 0;
}

/* ---- answers ---- */

static void keep(Search *search) {
    const Strike *strike = &search->strike;
    size_t size = (size_t)strike->size;
    const double *v = search->state.v;
    for (int k = 0; k < search->count; k++) {
        double gap = 0;
        for (size_t i = 0; i < size; i++) {
            gap = fmax(gap, fabs(search->velocity[(size_t)k * size + i] - v[i]));
        }
        if (gap <= DIFFERENT) {
            return;
        }
    }
    double energy = crm_strike_energy(strike, search->state.I, v);
    if (search->count < SEARCH_ANSWERS) {
        memcpy(search->velocity + (size_t)search->count * size, v, size * sizeof *v);
        search->count++;
    }
    if (search->count == 1 || energy < search->energy) {
        StrikeState other = search->best;
        search->best = search->state;
        search->state = other;
        search->energy = energy;
    }
}

/* All sets of modes of a planar problem. */
static void enumerate(Search *search) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    int sets = 1 << (2 * strike->count);
    for (int set = 0; set < sets; set++) {
        int known = 1;
        for (int i = 0; i < strike->count; i++) {
            int mode = set >> (2 * i) & 3;
            known &= strike->mu[i] > 0 || mode == 0 || mode == 2;
            state->mode[i] = mode == 3 ? STRIKE_SLIP : (StrikeMode)mode;
            state->slip[2 * i] = strike->mu[i] == 0 ? 0 : mode == 3 ? -1 : 1;
            state->yield[i] = -1;
        }
        if (known && crm_modes_factor(strike, state, MODES_CUT, &search->system)) {
            crm_modes_solve(strike, &search->system, state);
            double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
            if (crm_answer_holds(strike, state) && !crm_semismooth_modes(strike, touch, state)) {
                keep(search);
            }
        }
        search->work++;
    }
}

static int can_enumerate(const Search *search) {
    return search->strike.rows == 2 && search->strike.count <= ENUMERATION_CONTACTS;
}

int crm_search_first(Search *search) {
    soften(search, SOFTNESS);
    start_from_nothing(search);
    int solved = (newton(search, NEWTON_STEPS) && complete(search)) || by_continuation(search);
    if (!solved && can_enumerate(search)) {
        enumerate(search);
        search->none = search->count == 0 && is_asked(&search->strike);
        return search->count > 0;
    }
    solved = solved || by_friction(search) || by_splitting(search, 0.2) ||
             by_splitting(search, 0.02) || by_splitting(search, 0.002);
    if (solved) {
        keep(search);
    }
    search->none = !solved && is_asked(&search->strike) && !can_open(search);
    return solved;
}

void crm_search_others(Search *search) {
    if (can_enumerate(search)) {
        enumerate(search);
        return;
    }
    if (start_from_stick(search) && newton(search, NEWTON_STEPS) && complete(search)) {
        keep(search);
    }
    if (by_continuation(search)) {
        keep(search);
    }
}

/* Is the answer unique for certain? For two answers
 *
 *   dI.W dI <= sum_i mu_i |dI_n,i| |dv_t,i|,
 *
 * with dI.W dI >= |dI_n|^2/lambda_max(S^-1), S the Schur complement W_nn - W_nt W_tt^-1 W_tn, and
 * |dv_t|^2 <= lambda_max(W_tt) dI.W dI. So there is one only if mu^2 lambda_max(W_tt)
 * lambda_max(S^-1) < 1; traces stand for the eigenvalues. */
static int is_unique(Search *search) {
    const Strike *strike = &search->strike;
    int m = strike->size, n = strike->count, rows = strike->rows, t = n * (rows - 1);
    double *L = search->system.L, *row = search->system.right, along = 0, across = 0;
    for (int i = 0; i < m; i++) { /* Cholesky, tangential rows first */
        int from = i < t ? i / (rows - 1) * rows + i % (rows - 1) : strike_normal(strike, i - t);
        for (int j = 0; j <= i; j++) {
            int to = j < t ? j / (rows - 1) * rows + j % (rows - 1) : strike_normal(strike, j - t);
            double rest = strike->W[from * m + to] - dense_dot(L + i * m, L + j * m, j);
            if (i == j && !(rest > MODES_CUT * strike->W[from * (m + 1)])) {
                return 0;
            }
            L[i * m + j] = i == j ? sqrt(rest) : rest / L[j * m + j];
        }
        if (i < t) {
            double mu = strike->mu[i / (rows - 1)];
            along += mu * mu * strike->W[from * (m + 1)];
        }
    }
    for (int c = t; c < m; c++) { /* columns of the inverse of the last block of L */
        for (int i = c; i < m; i++) {
            row[i] = ((i == c) - dense_dot(L + i * m + c, row + c, i - c)) / L[i * m + i];
            across += row[i] * row[i];
        }
    }
    return along * across < 1;
}

/* Largest coupling mu |W_nt| between two contacts, in units of their W_nn. */
static double coupling(const Strike *strike) {
    double most = 0;
    for (int i = 0; i < strike->count; i++) {
        const double *row = strike->W + strike_normal(strike, i) * strike->size;
        for (int j = 0; j < strike->count; j++) {
            double part = strike->mu[j] * crm_strike_tangential(strike, row, j);
            double unit = strike->w_n[i] * strike->w_n[j];
            most = part * part > most * unit ? part * part / unit : most;
        }
    }
    return sqrt(most);
}

int crm_search_is_worth(Search *search) {
    double least = search->strike.count <= SMALL ? 0.2 : 0.5;
    return coupling(&search->strike) > least && !is_unique(search);
}
