/* The law as fixed point of a trial impulse (Alart and Curnier):
 *
 *   tau = I - (v - b n)/w,   open: tau_n <= 0,   stick: |tau_t| <= mu tau_n,   else slip along
 * -tau_t.
 *
 * Given the modes, everything but the direction of slip is linear; the system of modes.h has its
 * derivative, so that this is Newton's method. A velocity at rounding level decides nothing: there
 * tau is the share that the contact would have if all gave way evenly. No step depends on the order
 * of the contacts. */
#include "impulse/semismooth.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "math/vec2.h"

/* Directions of slip are this good; completing the answer makes them exact. */
static const double SEMISMOOTH_RESIDUAL = 1e-8;

enum { SEMISMOOTH_MOST = 20 };

/* Slip, and how the direction turns with the velocity. */
static void set_slip(const Strike *strike, int contact, const double trial[2], double length,
                     double radius, double speed, StrikeState *state) {
    double *s = state->slip + 2 * contact;
    s[0] = strike->mu[contact] > 0 ? -trial[0] / length : 0;
    s[1] = strike->mu[contact] > 0 ? -trial[1] / length : 0;
    state->yield[contact] = speed > 0 ? (length - radius) * strike->w_t[contact] / radius : -1;
}

static StrikeMode find_mode(const Strike *strike, int contact, double touch, StrikeState *state) {
    int at = contact * strike->rows, n = at + strike->rows - 1;
    double gap = state->v[n] - strike->b[contact], trial[2] = {0, 0};
    double push = fabs(gap) > touch ? state->I[n] - gap / strike->w_n[contact] : state->share[n];
    if (!(push > 0)) {
        return STRIKE_OPEN;
    }
    double speed = crm_strike_tangential(strike, state->v, contact);
    double w = strike->w_t[contact];
    speed = speed > touch ? speed : 0;
    for (int k = 0; k < strike->rows - 1; k++) {
        trial[k] = speed > 0 ? state->I[at + k] - state->v[at + k] / w : state->share[at + k];
    }
    double length = sqrt(trial[0] * trial[0] + trial[1] * trial[1]);
    double radius = strike->mu[contact] * push;
    if (strike->mu[contact] > 0 && length <= radius) {
        return STRIKE_STICK;
    }
    set_slip(strike, contact, trial, length, radius, speed, state);
    return STRIKE_SLIP;
}

int crm_semismooth_modes(const Strike *strike, double touch, StrikeState *state) {
    int changed = 0;
    for (int i = 0; i < strike->count; i++) {
        StrikeMode mode = find_mode(strike, i, touch, state);
        changed |= mode != state->mode[i];
        state->mode[i] = mode;
    }
    return changed;
}

/* What velocities are rounded relative to, roughly. */
static double largest_velocity(const Strike *strike, const StrikeState *state) {
    double most = strike->speed;
    for (int i = 0; i < strike->size; i++) {
        most = most_of(most, strike->mobility * fabs(state->I[i]));
    }
    return most;
}

/* The modes as one number. */
static uint64_t signature(const Strike *strike, const StrikeState *state) {
    uint64_t sum = 0;
    for (int i = 0; i < strike->count; i++) {
        sum = 3 * sum + (uint64_t)state->mode[i];
    }
    return sum;
}

/* Modes and residuals of the steps so far. */
typedef struct History {
    uint64_t modes[SEMISMOOTH_MOST];
    double residual[SEMISMOOTH_MOST];
} History;

/* Add a step. 1 if these modes were left before, and the residual has not become smaller since: the
 * steps go round in circles. */
static int is_cycle(History *history, int step, uint64_t modes, double residual) {
    int found = 0;
    for (int k = 0; k < step - 1; k++) {
        found |= history->modes[k] == modes && history->modes[k + 1] != modes &&
                 residual > 0.9 * history->residual[k];
    }
    history->modes[step] = modes;
    history->residual[step] = residual;
    return found;
}

int crm_semismooth_solve(const Strike *strike, int most, ModeSystem *system, StrikeState *state) {
    History history;
    most = most < SEMISMOOTH_MOST ? most : SEMISMOOTH_MOST;
    for (int work = 0; work <= most; work++) {
        int changed = crm_semismooth_modes(strike, 0, state);
        double residual = crm_strike_residual(strike, state->I, state->v);
        if (work > 0 && !changed &&
            residual <= SEMISMOOTH_RESIDUAL * largest_velocity(strike, state)) {
            return work;
        }
        if (work == most || is_cycle(&history, work, signature(strike, state), residual) ||
            !crm_modes_factor(strike, state, 0, system)) {
            return 0;
        }
        crm_modes_solve(strike, system, state);
    }
    return 0;
}
