#include "impulse/answer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "impulse/semismooth.h"
#include "math/vec2.h"

/* Largest residual, in units of the largest velocity before, and of the sums that cancel in the
 * velocity after: contacts that jam press against each other. */
static const double ANSWER_RESIDUAL = 1e-12;
static const double ANSWER_ROUNDING = 3e-13;

/* Largest sum of velocities that may cancel in the velocity after; beyond, it has no digits left.
 */
static const double ANSWER_LARGEST = 1e6;

/* Slip of the softened problem that may be none: a contact that others keep from moving. */
static const double ANSWER_WEAK = 1e-6;

/* A last step that changes impulses by less, relative, leaves an error at rounding level. */
static const double REFINED = 1e-10;

enum { ANSWER_STEPS = 6, REFINE_STEPS = 3 };

int crm_answer_holds(const Strike *strike, const StrikeState *state) {
    double scale = crm_strike_scale(strike, state->I);
    double most = ANSWER_RESIDUAL * strike->speed + 64 * DBL_EPSILON * scale;
    return scale <= ANSWER_LARGEST * strike->speed &&
           crm_strike_residual(strike, state->I, state->v) <=
               most_of(most, ANSWER_ROUNDING * scale);
}

void crm_answer_copy(const Strike *strike, const StrikeState *from, StrikeState *to) {
    size_t size = (size_t)strike->size, count = (size_t)strike->count;
    memcpy(to->I, from->I, size * sizeof *to->I);
    memcpy(to->v, from->v, size * sizeof *to->v);
    memcpy(to->share, from->share, size * sizeof *to->share);
    memcpy(to->mode, from->mode, count * sizeof *to->mode);
    memcpy(to->slip, from->slip, 2 * count * sizeof *to->slip);
    memcpy(to->yield, from->yield, count * sizeof *to->yield);
}

int crm_answer_least_norm(const Strike *strike, Sharing *sharing, StrikeState *state) {
    if (!crm_sharing_solve(strike, sharing, state)) {
        return 0;
    }
    crm_strike_velocity(strike, state->I, state->v, NULL);
    return crm_answer_holds(strike, state);
}

/* Newton's method with the modes at hand. */
static int by_modes(const Strike *strike, ModeSystem *system, StrikeState *state) {
    for (int work = 0; work < ANSWER_STEPS; work++) {
        if (!crm_modes_factor(strike, state, MODES_CUT, system)) {
            return 0;
        }
        crm_modes_solve(strike, system, state);
        int changed =
            crm_semismooth_modes(strike, STRIKE_TOUCH * crm_strike_scale(strike, state->I), state);
        if (crm_answer_holds(strike, state) && (!changed || work == ANSWER_STEPS - 1)) {
            return 1;
        }
    }
    return 0;
}

/* Take slip that may be none as none. 1 if there is any. */
static int hold_weak(const Strike *strike, StrikeState *state) {
    double scale = crm_strike_scale(strike, state->I);
    int weak = 0;
    for (int i = 0; i < strike->count; i++) {
        if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0 &&
            crm_strike_tangential(strike, state->v, i) <= ANSWER_WEAK * scale) {
            state->mode[i] = STRIKE_STICK;
            weak = 1;
        }
    }
    return weak;
}

int crm_answer_by_velocity(const Strike *strike, ModeSystem *system, Sharing *sharing,
                           StrikeState *state) {
    for (int work = 0; work < ANSWER_STEPS; work++) {
        if (!crm_modes_factor(strike, state, MODES_CUT, system) || system->rank == system->k) {
            return 0;
        }
        crm_modes_solve(strike, system, state);
        if (crm_answer_least_norm(strike, sharing, state)) {
            return 1;
        }
        /* directions of the others converge */
        int turning = 0;
        for (int i = 0; i < strike->count; i++) {
            double *s = state->slip + 2 * i, speed = crm_strike_tangential(strike, state->v, i);
            int n = strike_normal(strike, i);
            if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0 && speed > 0) {
                turning = strike->rows == 3;
                for (int k = 0; k < strike->rows - 1; k++) {
                    s[k] = state->v[i * strike->rows + k] / speed;
                }
                state->yield[i] = speed / (strike->mu[i] * most_of(state->I[n], 1e-12));
            }
        }
        if (!turning) {
            return 0;
        }
    }
    return 0;
}

void crm_answer_share(const Strike *strike, Sharing *sharing, StrikeState *state,
                      StrikeState *spare) {
    crm_answer_copy(strike, state, spare);
    if (!crm_answer_least_norm(strike, sharing, state)) {
        crm_answer_copy(strike, spare, state);
    }
}

int crm_answer_complete(const Strike *strike, ModeSystem *system, Sharing *sharing,
                        StrikeState *state, StrikeState *spare) {
    crm_answer_copy(strike, state, spare);
    if (hold_weak(strike, state)) {
        if (crm_answer_by_velocity(strike, system, sharing, state)) {
            return 1;
        }
        crm_answer_copy(strike, spare, state);
    }
    if (!by_modes(strike, system, state)) {
        crm_answer_copy(strike, spare, state);
        return 0;
    }
    return 1;
}

void crm_answer_classify(const Strike *strike, const StrikeState *state, StrikeState *modes) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    for (int i = 0; i < strike->count; i++) {
        const double *v = state->v + i * strike->rows;
        double speed = crm_strike_tangential(strike, state->v, i);
        double push = most_of(state->I[strike_normal(strike, i)], touch);
        int open = v[strike->rows - 1] - strike->b[i] > touch;
        int rough = strike->mu[i] > 0, slips = speed > touch;
        modes->mode[i] = open ? STRIKE_OPEN : rough && !slips ? STRIKE_STICK : STRIKE_SLIP;
        modes->yield[i] = rough ? speed / (strike->mu[i] * push) : -1;
        for (int k = 0; k < strike->rows - 1; k++) {
            modes->slip[2 * i + k] = rough && slips ? v[k] / speed : 0;
        }
    }
}

int crm_answer_is_continuum(const Strike *strike, ModeSystem *system, const StrikeState *state,
                            StrikeState *spare) {
    int any = 0, found = 0;
    crm_answer_classify(strike, state, spare);
    for (int i = 0; i < strike->count; i++) {
        any |= spare->mode[i] == STRIKE_SLIP && strike->mu[i] > 0;
    }
    if (!any || !crm_modes_factor(strike, spare, MODES_CUT, system)) {
        return 0;
    }
    for (int at = system->rank; at < system->k && !found; at++) {
        found = crm_modes_free(strike, system, at, spare->I, spare->v);
    }
    return found;
}

void crm_answer_align(const Strike *strike, StrikeState *state) {
    for (int i = 0; i < strike->count; i++) {
        double *I = state->I + i * strike->rows, *s = state->slip + 2 * i;
        double speed = crm_strike_tangential(strike, state->v, i);
        if (state->mode[i] == STRIKE_SLIP && state->yield[i] >= 0 && strike->mu[i] > 0) {
            double most = strike->mu[i] * I[strike->rows - 1];
            for (int k = 0; k < strike->rows - 1; k++) {
                s[k] = state->v[i * strike->rows + k] / speed;
                I[k] = -most * s[k];
            }
            state->yield[i] = speed / most;
        }
    }
}

double crm_answer_refine(const Strike *strike, ModeSystem *system, StrikeState *state,
                         StrikeState *spare) {
    double scale = crm_strike_scale(strike, state->I), impulse = 0, step = 0;
    crm_strike_velocity(strike, state->I, state->v, NULL);
    double residual = crm_strike_residual(strike, state->I, state->v);
    for (int i = 0; i < strike->size; i++) {
        state->share[i] = state->I[i];
        impulse = most_of(impulse, fabs(state->I[i]));
    }
    crm_semismooth_modes(strike, STRIKE_TOUCH * scale, state);
    for (int i = 0; i < strike->count; i++) { /* slip without velocity */
        if (state->mode[i] == STRIKE_SLIP && state->yield[i] < 0 && strike->mu[i] > 0) {
            state->mode[i] = STRIKE_STICK;
        }
    }
    for (int work = 0; work < REFINE_STEPS && (work == 0 || step > REFINED); work++) {
        crm_answer_copy(strike, state, spare);
        crm_answer_align(strike, state);
        if (!crm_modes_factor(strike, state, MODES_CUT, system)) {
            break;
        }
        step = crm_modes_refine(strike, system, state) / impulse;
        double after = crm_strike_residual(strike, state->I, state->v);
        if (after > most_of(residual, 4 * DBL_EPSILON * scale)) {
            crm_answer_copy(strike, spare, state);
            step = residual / scale;
            break;
        }
        residual = after;
    }
    return 2 * DBL_EPSILON + 10 * step * step + residual / scale;
}
