/* The impulse-level law for several rigid contacts (Moreau; the linear complementarity literature):
 *
 *   v+ = v- + W I
 *   0 <= I_n  perp  v_n+ - e max(-v_n-, 0) >= 0
 *   I_t = -mu I_n v_t+/|v_t+|,   or   |I_t| <= mu I_n with v_t+ = 0
 *
 * No stiffness, no events. e = 0 never creates energy; e > 0 with friction may. There may be no
 * solution (e > 0 and contacts that press against each other) or several (large mu): the one of
 * least energy is returned. docs/impulse.md has the method. */
#include "impulse/impulse.h"

#include <float.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "contact/block.h"
#include "contact/check.h"
#include "contact/result.h"
#include "impulse/contact_order.h"
#include "impulse/dense.h"
#include "impulse/search.h"
#include "math/functions.h"
#include "math/vec2.h"

/* W may be indefinite by this, relative to its diagonal. */
static const double INDEFINITE = 1e-9;

/* Rounding of a velocity, relative to the terms of its sum. */
static const double IMPULSE_ROUNDING = 32 * DBL_EPSILON;

/* crm_impulse_workspace_size() of CAROM_STACK_CONTACTS contacts is no more. */
enum { IMPULSE_STACK_BYTES = 64000 };

/* ---- memory ---- */

static void take_state(Block *block, size_t n, size_t m, StrikeState *state) {
    state->I = block_take(block, m, sizeof(double));
    state->v = block_take(block, m, sizeof(double));
    state->share = block_take(block, m, sizeof(double));
    state->slip = block_take(block, 2 * n, sizeof(double));
    state->yield = block_take(block, n, sizeof(double));
    state->mode = block_take(block, n, sizeof(StrikeMode));
}

static void take_system(Block *block, size_t m, ModeSystem *system) {
    system->row = block_take(block, m, sizeof(ModeRow));
    system->WE = block_take(block, m, sizeof(double *));
    system->WD = block_take(block, m, sizeof(double *));
    system->product = block_take(block, 2 * m * m, sizeof(double));
    system->G = block_take(block, m * m, sizeof(double));
    system->L = block_take(block, m * m, sizeof(double));
    system->T = block_take(block, m * m, sizeof(double));
    system->S = block_take(block, m * m, sizeof(double));
    system->x = block_take(block, m, sizeof(double));
    system->right = block_take(block, m, sizeof(double));
    system->scale = block_take(block, m, sizeof(double));
    system->order = block_take(block, m, sizeof(int));
    system->pivots = block_take(block, m, sizeof(int));
}

static void take_sharing(Block *block, size_t m, Sharing *sharing) {
    sharing->rank = -1;
    sharing->L = block_take(block, m * m, sizeof(double));
    sharing->H = block_take(block, m * m, sizeof(double));
    sharing->lambda = block_take(block, m, sizeof(double));
    sharing->step = block_take(block, m, sizeof(double));
    sharing->gradient = block_take(block, m, sizeof(double));
    sharing->trial = block_take(block, m, sizeof(double));
    sharing->image = block_take(block, m, sizeof(double));
    sharing->y = block_take(block, m, sizeof(double));
    sharing->order = block_take(block, m, sizeof(int));
}

static size_t lay_out_search(AnswerSearch *search, char *start, int count, int rows) {
    Block block = {start, 0};
    size_t n = (size_t)count, m = n * (size_t)rows;
    Strike *strike = &search->strike;
    *strike = (Strike){.count = count, .rows = rows, .size = count * rows};
    strike->order = block_take(&block, n, sizeof(int));
    strike->W = block_take(&block, m * m, sizeof(double));
    strike->v_before = block_take(&block, m, sizeof(double));
    strike->b = block_take(&block, n, sizeof(double));
    strike->e = block_take(&block, n, sizeof(double));
    strike->mu = block_take(&block, n, sizeof(double));
    strike->w_n = block_take(&block, n, sizeof(double));
    strike->w_t = block_take(&block, n, sizeof(double));
    search->soft = *strike;
    search->soft.W = block_take(&block, m * m, sizeof(double));
    search->soft.mu = block_take(&block, n, sizeof(double));
    take_system(&block, m, &search->system);
    take_sharing(&block, m, &search->sharing);
    take_state(&block, n, m, &search->state);
    take_state(&block, n, m, &search->spare);
    take_state(&block, n, m, &search->best);
    search->velocity = block_take(&block, SEARCH_ANSWERS * m, sizeof(double));
    /* not needed together with a system's factors */
    search->splitting = (Splitting){.inverse = block_take(&block, m * m, sizeof(double)),
                                    .factor = search->system.L,
                                    .s = block_take(&block, n, sizeof(double)),
                                    .z = block_take(&block, m, sizeof(double)),
                                    .u = block_take(&block, m, sizeof(double)),
                                    .right = block_take(&block, m, sizeof(double))};
    /* what the next system or sharing overwrites is not needed then */
    search->descent =
        (EnergyDescent){.dI = search->splitting.inverse,
                        .dv = search->sharing.H,
                        .slope = search->splitting.right,
                        .force = block_take(&block, m, sizeof(double)),
                        .pull = block_take(&block, m, sizeof(double)),
                        .step = search->splitting.u,
                        .change = search->splitting.z,
                        .bound = block_take(&block, 2 * m, sizeof(EnergyBound)),
                        .quadratic = {.most = 2 * (int)m,
                                      .H = search->system.G,
                                      .g = search->sharing.lambda,
                                      .y = search->sharing.step,
                                      .z = search->sharing.gradient,
                                      .A = search->system.T,
                                      .B = search->system.S,
                                      .slack = block_take(&block, 2 * m, sizeof(double)),
                                      .lambda = block_take(&block, 2 * m, sizeof(double))}};
    return block.used;
}

size_t crm_impulse_workspace_size(int contact_count) {
    AnswerSearch none;
    return lay_out_search(&none, NULL, contact_count, 3);
}

/* ---- input ---- */

static CaromStatus impulse_check(const CaromProblem *problem, const char **message) {
    int rows = problem->planar ? 2 : 3, n = problem->contact_count;
    CaromStatus status = CAROM_OK;
    for (int i = 0; i < n && !status; i++) {
        CaromContact contact = problem->contacts[i];
        contact.stiffness = contact.stiffness_ratio = 0; /* play no part */
        status = crm_check_contact(&contact, message);
        if (!status && contact_mu_static(&contact) != contact.mu) {
            *message = "mu_static must equal mu: several rigid contacts have one coefficient of "
                       "friction";
            status = CAROM_INVALID_INPUT;
        }
    }
    if (!status) {
        status = crm_check_matrix(problem->inverse_inertia, rows * n, message);
    }
    return status ? status : crm_check_velocity(problem->velocity, n, rows, message);
}

/* Row of the problem that is row i here. */
static int given_row(const Strike *strike, int i) {
    return strike->order[i / strike->rows] * strike->rows + i % strike->rows;
}

/* Contacts in an order of their own. Units: largest speed of a contact before, largest W_nn or mean
 * W_tt of a contact; rotation of tangents changes neither. 0: nothing can move. */
static int impulse_scale(const CaromProblem *problem, Strike *strike) {
    int m = strike->size, rows = strike->rows;
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    double speed = 0, w = 0;
    crm_contact_order(problem, strike->order);
    for (int i = 0; i < strike->count; i++) {
        int at = i * rows, n = at + rows - 1;
        double trace = W[at * (m + 1)] + (rows == 3 ? W[(at + 1) * (m + 1)] : 0);
        speed = most_of(speed, hypot(crm_strike_tangential(strike, v, i), v[n]));
        w = most_of(w, most_of(W[n * (m + 1)], trace / (rows - 1)));
    }
    strike->unit_velocity = ldexp(1, ilogb(speed));
    strike->speed = speed / strike->unit_velocity;
    speed = strike->unit_velocity;
    double unit = w > 0 ? ldexp(1, ilogb(w)) : 1;
    strike->mobility = w / unit;
    strike->unit_impulse = speed / unit;
    for (int i = 0; i < m && w > 0; i++) {
        int from = given_row(strike, i);
        strike->v_before[i] = v[from] / speed;
        for (int j = 0; j < m; j++) { /* exactly symmetric */
            int to = given_row(strike, j);
            strike->W[i * m + j] = (W[from * m + to] / 2 + W[to * m + from] / 2) / unit;
        }
    }
    for (int i = 0; i < strike->count; i++) {
        int at = i * rows, n = at + rows - 1;
        double trace = strike->W[at * (m + 1)] + (rows == 3 ? strike->W[(at + 1) * (m + 1)] : 0);
        const CaromContact *contact = &problem->contacts[strike->order[i]];
        strike->b[i] = contact->e * most_of(-strike->v_before[n], 0);
        strike->mu[i] = contact->mu;
        strike->e[i] = contact->e;
        strike->w_n[i] = strike->W[n * (m + 1)];
        strike->w_t[i] = trace / (rows - 1);
    }
    return w > 0;
}

/* ---- result ---- */

static void fill_energy(const Strike *strike, const StrikeState *state, CaromEnergy *energy) {
    double normal = 0, friction = 0, unit = strike->unit_velocity * strike->unit_impulse;
    for (int i = 0; i < strike->size; i++) {
        double work = state->I[i] * (strike->v_before[i] + state->v[i]) / 2;
        *(i % strike->rows == strike->rows - 1 ? &normal : &friction) -= work;
    }
    *energy = (CaromEnergy){.change = crm_strike_energy(strike, state->I, state->v),
                            .normal_loss = normal,
                            .friction_loss = friction};
    energy_scale(energy, unit);
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
}

/* The velocity of a row: as the law asks for it where the contact is closed, also without impulse,
 * if the difference is rounding. */
static double exact_velocity(const Strike *strike, const StrikeState *state, int row) {
    int contact = row / strike->rows, normal = row == strike_normal(strike, contact);
    double asked = normal ? strike->b[contact] : 0, size = fabs(strike->v_before[row]);
    for (int j = 0; j < strike->size; j++) {
        size += fabs(strike->W[row * strike->size + j] * state->I[j]);
    }
    int kept = normal || state->mode[contact] == STRIKE_STICK;
    return kept && fabs(state->v[row] - asked) <= IMPULSE_ROUNDING * size ? asked : state->v[row];
}

static void fill_result(const Strike *strike, const StrikeState *state, CaromResult *result) {
    for (int i = 0; i < strike->size; i++) {
        int to = given_row(strike, i);
        if (result->impulse) {
            double push = state->I[strike_normal(strike, i / strike->rows)];
            result->impulse[to] = push != 0 ? strike->unit_impulse * state->I[i] : 0;
        }
        if (result->velocity) {
            result->velocity[to] = strike->unit_velocity * exact_velocity(strike, state, i);
        }
    }
    fill_energy(strike, state, &result->energy);
    double push = 0;
    for (int i = 0; i < strike->size; i++) {
        push += fabs(state->I[i]) * (fabs(strike->v_before[i]) + fabs(state->v[i]));
    }
    push *= strike->unit_velocity * strike->unit_impulse;
    if (result->energy.change > 64 * DBL_EPSILON * push) {
        result->status = CAROM_ENERGY_GAIN;
    }
}

static CaromStatus impulse_in(const CaromProblem *problem, void *workspace, CaromResult *result) {
    AnswerSearch search = {0};
    int rows = problem->planar ? 2 : 3, entries = rows * problem->contact_count;
    lay_out_search(&search, workspace, problem->contact_count, rows);
    int moves = impulse_scale(problem, &search.strike);
    if (!moves ||
        !crm_dense_is_semidefinite(entries, search.strike.W, INDEFINITE, search.system.L)) {
        return crm_result_fail(result, entries, CAROM_INVALID_INPUT,
                               moves ? "inverse_inertia is not positive semidefinite"
                                     : "inverse_inertia is zero: nothing can move");
    }
    search.soft.speed = search.strike.speed;
    search.soft.mobility = search.strike.mobility;
    memcpy(search.soft.mu, search.strike.mu, (size_t)problem->contact_count * sizeof(double));
    memcpy(search.soft.W, search.strike.W, (size_t)entries * (size_t)entries * sizeof(double));
    crm_result_begin(result);
    if (!crm_search_first(&search)) {
        int none = search.none;
        const char *why = "no answer found within the bounded work";
        if (none) {
            why = search.proved ? "contacts: the law has no solution, the contacts jam"
                                : "contacts: no solution was found, and the contacts cannot all "
                                  "open at once: they jam";
        }
        return crm_result_fail(result, entries, none ? CAROM_NO_SOLUTION : CAROM_NOT_CONVERGED,
                               why);
    }
    crm_search_others(&search);
    crm_search_end(&search);
    result->error = search.error;
    result->work = search.work;
    int solutions = search.count + search.descended;
    result->solutions = search.continuum ? CAROM_SOLUTIONS_CONTINUUM : solutions;
    result->message = search.continuum ? "contacts that slip share the load in more than one way: "
                                         "the share of least kinetic energy after is taken"
                      : solutions > 1  ? "the law has other solutions, with more kinetic energy "
                                         "after"
                                       : "";
    if (search.count > 1 && !search.continuum) {
        result->jump = (CaromJump){crm_search_distance(&search), -1,
                                   "another solution nearly takes the place of this one"};
    }
    fill_result(&search.strike, &search.best, result);
    return result->status;
}

CaromStatus crm_impulse_solve(const CaromProblem *problem, void *workspace, CaromResult *result) {
    alignas(max_align_t) char stack[IMPULSE_STACK_BYTES];
    int n = problem->contact_count, entries = (problem->planar ? 2 : 3) * n;
    const char *message = "";
    void *own = NULL;
    CaromStatus status = impulse_check(problem, &message);
    if (status) {
        return crm_result_fail(result, entries, status, message);
    }
    size_t bytes = crm_impulse_workspace_size(n);
    if (!workspace && bytes > sizeof stack) {
        workspace = own = malloc(bytes);
        if (!own) {
            return crm_result_fail(result, entries, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    status = impulse_in(problem, workspace ? workspace : stack, result);
    free(own);
    return status;
}
