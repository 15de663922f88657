#include "impulse/search.h"

#include <math.h>
#include <string.h>

#include "impulse/consistent.h"
#include "impulse/dense.h"
#include "impulse/mode_sets.h"
#include "impulse/semismooth.h"
#include "math/vec2.h"

/* Softness relative to the largest diagonal entry of W: answers of the softened problem have the
 * modes of the rigid one unless they are closer than this to others; it is removed afterwards. */
static const double SOFTNESS = 1e-7;

/* Least softness. */
static const double HARDEST = 0.9e-11;

/* Velocities further apart than this, relative to the largest before, are different answers. */
static const double DIFFERENT = 1e-7;

/* Velocities of the softened problem closer than this to an answer lead to it. */
static const double NEAR = 1e-5;

enum {
    NEWTON_STEPS = 10, /* 3 to 6 are usual */
    EASY_STEPS = 9,    /* systems solved in all; more are a sign of answers close to others */
    STICK_STEPS = 3,   /* to see whether all contacts stick, or nearly */
    RESTART_STEPS = 8, /* from a neighbour */
    FRICTION_STEPS = 20,
    CHANCE_STARTS = 1000,
    CHANCE_STEPS = 20,
    SPLITTING_STEPS = 16,
    SPLITTING_MOST = 1024,
    ENUMERATION_CONTACTS = 5, /* 4^5 sets of modes */
    MODE_STARTS = 3,          /* contacts of which all modes are starts */
    SMALL = 4,                /* contacts; a search is cheap */
    MEDIUM = 6                /* contacts that are searched from all starts */
};

/* ---- starts ---- */

static void soften(AnswerSearch *search, double delta) {
    int m = search->strike.size;
    for (int i = 0; i < m; i++) {
        search->soft.W[i * (m + 1)] =
            search->strike.W[i * (m + 1)] + delta * search->strike.mobility;
    }
}

static void start_from_nothing(AnswerSearch *search) {
    StrikeState *state = &search->state;
    size_t bytes = (size_t)search->strike.size * sizeof(double);
    memset(state->I, 0, bytes);
    memset(state->share, 0, bytes);
    memcpy(state->v, search->strike.v_before, bytes);
    for (int i = 0; i < search->strike.count; i++) {
        state->mode[i] = STRIKE_OPEN;
    }
}

static int newton(AnswerSearch *search, int steps) {
    int work = crm_semismooth_solve(&search->soft, steps, &search->system, &search->state);
    search->work += work > 0 ? work : steps;
    return work > 0;
}

/* Every contact sticks. */
static int start_from_stick(AnswerSearch *search) {
    for (int i = 0; i < search->strike.count; i++) {
        search->state.mode[i] = STRIKE_STICK;
    }
    return crm_mode_sets_solve(search);
}

/* The answer without friction. */
static int start_from_smooth(AnswerSearch *search) {
    size_t bytes = (size_t)search->strike.count * sizeof(double);
    start_from_nothing(search);
    memset(search->soft.mu, 0, bytes);
    int solved = newton(search, NEWTON_STEPS);
    memcpy(search->soft.mu, search->strike.mu, bytes);
    return solved;
}

/* ---- ways from a start ---- */

/* An answer from the state of the problem softened by first. Velocities asked for that redundant
 * contacts cannot all have may differ by less than the softness: then less of it decides. */
static int complete_from(AnswerSearch *search, double first) {
    int done = 0;
    for (double delta = first; delta >= HARDEST && !done; delta /= 100) {
        if (delta < first) {
            soften(search, delta);
            if (!newton(search, RESTART_STEPS)) {
                break;
            }
        }
        search->work++;
        done = crm_answer_complete(&search->strike, &search->system, &search->sharing,
                                   &search->state, &search->spare);
    }
    soften(search, SOFTNESS);
    return done;
}

int crm_search_complete(AnswerSearch *search) {
    return complete_from(search, SOFTNESS);
}

/* The answer of softer contacts, where there is less to jam. */
static void start_from_softness(AnswerSearch *search, double delta) {
    start_from_nothing(search);
    soften(search, delta);
    newton(search, RESTART_STEPS);
    soften(search, SOFTNESS);
}

static int by_softness(AnswerSearch *search, double delta) {
    start_from_softness(search, delta);
    return newton(search, NEWTON_STEPS) && crm_search_complete(search);
}

/* The same in small steps. */
static int by_continuation(AnswerSearch *search) {
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
    return solved && crm_search_complete(search);
}

/* From the answer without friction, which is unique, to the given friction. */
static int by_friction(AnswerSearch *search) {
    int solved = 0;
    start_from_nothing(search);
    for (int step = 0; step <= FRICTION_STEPS; step++) {
        for (int i = 0; i < search->strike.count; i++) {
            search->soft.mu[i] = search->strike.mu[i] * step / FRICTION_STEPS;
        }
        solved = newton(search, RESTART_STEPS);
    }
    return solved && crm_search_complete(search);
}

/* Does the law ask for a velocity of separation? If not, there is always an answer. */
static int is_asked(const Strike *strike) {
    double most = 0;
    for (int i = 0; i < strike->count; i++) {
        most = most_of(most, strike->b[i]);
    }
    return most > 0;
}

/* Can all contacts open at once, each faster than it slides: v_n > mu |v_t| for some v = W z? Then
 * impulses in the cones cannot balance, and the law has an answer for all v- and e. z is looked for
 * as the answer of a convex problem, min z.W z/2 - sum z_n in the cones. */
static int can_open(AnswerSearch *search) {
    Strike probe = search->strike;
    StrikeState *state = &search->state;
    probe.v_before = search->spare.I;
    probe.b = search->spare.v;
    for (int i = 0; i < probe.size; i++) {
        probe.v_before[i] = i % probe.rows == probe.rows - 1 ? -1 : 0;
        probe.b[i] = 0; /* the first count of them are used */
    }
    crm_splitting_begin(&probe, 0.2 * probe.mobility, 0, &search->splitting);
    crm_splitting_run(&probe, SPLITTING_MOST, &search->splitting, state);
    for (int i = 0; i < probe.count; i++) {
        double opening = state->v[strike_normal(&probe, i)] + 1;
        if (!(opening > probe.mu[i] * crm_strike_tangential(&probe, state->v, i) + 0.1)) {
            return 0;
        }
    }
    return 1;
}

/* An answer from the neighbourhood that splitting has reached. */
static int from_splitting(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    double scale = crm_strike_scale(strike, state->I);
    if (crm_strike_residual(strike, state->I, state->v) > 1e-10 * scale) {
        return newton(search, RESTART_STEPS) && crm_search_complete(search);
    }
    memcpy(state->share, state->I, (size_t)strike->size * sizeof *state->I);
    crm_semismooth_modes(strike, STRIKE_TOUCH * scale, state);
    if (crm_search_complete(search)) {
        return 1;
    }
    crm_splitting_run(strike, 0, &search->splitting, state);
    return crm_answer_holds(strike, state);
}

/* Newton's method from more and more steps of splitting. */
static int by_splitting(AnswerSearch *search, double penalty, double pace, int most) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    crm_splitting_begin(strike, penalty * strike->mobility, pace, &search->splitting);
    for (int steps = SPLITTING_STEPS; steps <= most; steps *= 2) {
        start_from_nothing(search);
        crm_splitting_run(strike, steps, &search->splitting, state);
        search->work++;
        if (from_splitting(search)) {
            return 1;
        }
    }
    return 0;
}

/* Penalties from large to small. */
static int by_any_splitting(AnswerSearch *search) {
    return by_splitting(search, 0.2, 1, SPLITTING_MOST) ||
           by_splitting(search, 0.02, 1, SPLITTING_MOST) ||
           by_splitting(search, 0.002, 1, SPLITTING_MOST);
}

/* The same with more patience, for an answer that is known to exist. */
static int by_patient_splitting(AnswerSearch *search) {
    return by_splitting(search, 0.02, 0.1, 8 * SPLITTING_MOST) ||
           by_splitting(search, 0.002, 0.1, 16 * SPLITTING_MOST) ||
           by_splitting(search, 0.0002, 0.1, 16 * SPLITTING_MOST);
}

/* Newton's method from many starts, for an answer that is known to exist. The same numbers every
 * time; contacts have an order of their own, so that the order given plays no part. */
static int by_chance(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    unsigned number = 1;
    for (int start = 0; start < CHANCE_STARTS; start++) {
        double delta = start % 3 == 0   ? SOFTNESS
                       : start % 3 == 1 ? 1e-2 * SOFTNESS
                                        : 1e-4 * SOFTNESS;
        start_from_nothing(search);
        for (int i = 0; i < strike->size; i++) {
            number = 1664525 * number + 1013904223; /* Numerical Recipes */
            double unit = strike->speed / strike->mobility * (number >> 8) / 0x1p22;
            state->I[i] = state->share[i] = i % strike->rows == strike->rows - 1 ? unit : 0;
        }
        crm_strike_velocity(strike, state->I, state->v, NULL);
        soften(search, delta);
        if (newton(search, CHANCE_STEPS) && complete_from(search, delta)) {
            return 1;
        }
    }
    soften(search, SOFTNESS);
    return 0;
}

/* ---- answers ---- */

/* Is there a contact without impulse that others keep at its velocity? */
static int touches(const Strike *strike, const StrikeState *state) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    for (int i = 0; i < strike->count; i++) {
        int n = strike_normal(strike, i);
        if (state->I[n] == 0 && state->v[n] - strike->b[i] <= touch) {
            return 1;
        }
    }
    return 0;
}

void crm_search_keep(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    size_t size = (size_t)strike->size;
    const double *v = search->state.v;
    for (int k = 0; k < search->count; k++) {
        double gap = 0;
        for (size_t i = 0; i < size; i++) {
            gap = most_of(gap, fabs(search->velocity[(size_t)k * size + i] - v[i]));
        }
        if (gap <= DIFFERENT * strike->speed) {
            return;
        }
    }
    double energy = crm_strike_energy(strike, search->state.I, v);
    if (search->count < SEARCH_ANSWERS) {
        memcpy(search->velocity + (size_t)search->count * size, v, size * sizeof *v);
        search->energies[search->count++] = energy;
    }
    if (search->count == 1 || energy < search->energy) {
        StrikeState other = search->best;
        search->best = search->state;
        search->state = other;
        search->energy = energy;
        search->redundant =
            search->system.rank < search->system.k || touches(strike, &search->best);
    }
}

double crm_search_distance(const AnswerSearch *search) {
    const Strike *strike = &search->strike;
    size_t size = (size_t)strike->size;
    double distance = INFINITY;
    for (int k = 0; k < search->count; k++) {
        double gap = 0, energy = search->energies[k];
        for (size_t i = 0; i < size; i++) {
            gap = most_of(gap, fabs(search->velocity[(size_t)k * size + i] - search->best.v[i]));
        }
        if (gap > DIFFERENT * strike->speed) {
            double all = most_of(fabs(energy), fabs(search->energy));
            distance = fmin(distance, (energy - search->energy) / all * strike->speed / gap);
        }
    }
    return distance;
}

/* Is the state of the softened problem near an answer that is known? Then it leads there. */
static int is_known(const AnswerSearch *search) {
    int size = search->strike.size;
    for (int k = 0; k < search->count; k++) {
        double gap = 0;
        for (int i = 0; i < size; i++) {
            gap = most_of(gap, fabs(search->velocity[k * size + i] - search->state.v[i]));
        }
        if (gap <= NEAR * search->strike.speed) {
            return 1;
        }
    }
    return 0;
}

/* From the start in state to another answer. */
static void look_from(AnswerSearch *search) {
    if (newton(search, NEWTON_STEPS) && !is_known(search) && crm_search_complete(search)) {
        crm_search_keep(search);
    }
}

static int can_enumerate(const AnswerSearch *search) {
    return search->strike.rows == 2 && search->strike.count <= ENUMERATION_CONTACTS;
}

/* The ways that lead to nearly all answers. */
static int by_usual_ways(AnswerSearch *search) {
    soften(search, SOFTNESS);
    start_from_nothing(search);
    int solved = newton(search, NEWTON_STEPS) && crm_search_complete(search);
    search->hard = !solved || search->work > EASY_STEPS;
    if (!solved) {
        search->from_stick =
            start_from_stick(search) && newton(search, STICK_STEPS) && crm_search_complete(search);
    }
    return solved || search->from_stick || by_softness(search, 1e-2) || by_continuation(search);
}

int crm_search_first(AnswerSearch *search) {
    int solved = by_usual_ways(search);
    if (!solved) {
        search->drift = crm_consistent_make(&search->strike, &search->system);
        solved = search->drift > 0 && by_usual_ways(search);
    }
    if (!solved && can_enumerate(search)) {
        crm_mode_sets_planar(search);
        search->none = search->proved = search->count == 0 && is_asked(&search->strike);
        return search->count > 0;
    }
    solved = solved || by_friction(search) || by_any_splitting(search);
    int exists = solved || !is_asked(&search->strike) || can_open(search);
    if (solved || (exists && (by_chance(search) || by_patient_splitting(search)))) {
        crm_search_keep(search);
    } else if (search->strike.count <= ENUMERATION_CONTACTS) {
        crm_mode_sets_spatial(search);
    }
    search->none = search->count == 0 && !exists;
    return search->count > 0;
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

/* Is the answer unique for certain? For two answers
 *
 *   dI.W dI <= sum_i mu_i |dI_n,i| |dv_t,i|,
 *
 * with dI.W dI >= |dI_n|^2/lambda_max(S^-1), S the Schur complement W_nn - W_nt W_tt^-1 W_tn, and
 * |dv_t|^2 <= lambda_max(W_tt) dI.W dI. So there is one only if mu^2 lambda_max(W_tt)
 * lambda_max(S^-1) < 1; traces stand for the eigenvalues. */
static int is_unique(AnswerSearch *search) {
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

/* Does every contact stick? */
static int all_stick(const Strike *strike, const StrikeState *state) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    for (int i = 0; i < strike->count; i++) {
        if (fabs(state->v[strike_normal(strike, i)] - strike->b[i]) > touch ||
            crm_strike_tangential(strike, state->v, i) > touch) {
            return 0;
        }
    }
    return 1;
}

/* The answer where every contact sticks, if there is one: for e = 0 none has less energy. Its
 * velocity is known; whether impulses in the cones lead to it is a convex problem. */
static void look_at_rest(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    int rank = crm_sharing_rank(strike, &search->sharing);
    if (rank == strike->size || all_stick(strike, &search->best)) {
        return; /* W definite: it is unique, and easily found from there */
    }
    for (int i = 0; i < strike->count; i++) {
        state->mode[i] = STRIKE_STICK;
    }
    search->work++;
    if (crm_sharing_at_rest(strike, &search->sharing, state)) {
        crm_strike_velocity(strike, state->I, state->v, NULL);
        if (crm_answer_holds(strike, state) &&
            crm_modes_factor(strike, state, MODES_CUT, &search->system)) {
            crm_search_keep(search);
        }
    }
}

/* From other starts. */
static void look_from_starts(AnswerSearch *search, double friction) {
    int count = search->strike.count;
    if (count <= MODE_STARTS || (count == SMALL && friction > 1)) {
        crm_mode_sets_spatial(search);
    }
    if (!search->from_stick && start_from_stick(search)) {
        look_from(search);
    }
    int thorough = search->hard || count <= MEDIUM;
    if (thorough && count > MODE_STARTS) {
        start_from_softness(search, 0.1);
        look_from(search);
    }
    if (thorough && start_from_smooth(search)) {
        look_from(search);
    }
}

static int has_friction(const Strike *strike) {
    int any = 0;
    for (int i = 0; i < strike->count; i++) {
        any |= strike->mu[i] > 0;
    }
    return any;
}

void crm_search_others(AnswerSearch *search) {
    double friction = coupling(&search->strike);
    int rough = has_friction(&search->strike);
    int small = search->strike.count <= SMALL;
    double least = search->hard ? (small ? 0 : 0.2) : small ? 0.2 : 0.6;
    if (can_enumerate(search)) {
        if (rough && !is_unique(search)) {
            crm_mode_sets_planar(search);
        }
        return;
    }
    if (rough && (search->hard || search->strike.count <= MEDIUM)) {
        look_at_rest(search);
    }
    if (friction > least && !is_unique(search)) {
        look_from_starts(search, friction);
    }
}

void crm_search_end(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    StrikeState *best = &search->best;
    double rest = 0;
    int shared = !search->redundant;
    if (search->redundant) {
        search->continuum = crm_answer_is_continuum(strike, &search->system, best, &search->spare);
        shared = !search->continuum && crm_sharing_is_least(strike, best);
    }
    if (search->continuum) {
        rest = crm_energy_descent_run(strike, &search->system, &search->sharing, &search->descent,
                                      best, &search->spare);
        shared = search->descent.unique;
    }
    if (!shared) {
        crm_answer_share(strike, &search->sharing, best, &search->spare);
    }
    search->error =
        crm_answer_refine(strike, &search->system, best, &search->spare) + rest + search->drift;
}
