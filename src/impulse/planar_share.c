/* The answers of given modes are a polyhedron in the unknowns x of the system: v = v- + W D x is b
 * or 0 in the rows that are kept, v_n >= b at open contacts, slip does not turn round, impulses are
 * in their cones. One point of it is the solution of a quadratic program. */
#include "impulse/planar_share.h"

#include <string.h>

#include "impulse/quadratic.h"
#include "math/vec2.h"

enum {
    UNKNOWNS = 2 * PLANAR_SHARE_CONTACTS,
    BOUNDS = 6 * PLANAR_SHARE_CONTACTS /* of a contact that sticks */
};

/* Added to the energy, relative: impulses may change no velocity. */
static const double SHARE_LITTLE = 1e-12;

/* Velocities may be off by this, relative to the largest before: rows depend on each other to
 * rounding. */
static const double SHARE_ROOM = 2e-13;

typedef struct Share {
    const Strike *strike;
    const ModeSystem *system;
    Quadratic quadratic;
    double H[UNKNOWNS * UNKNOWNS], g[UNKNOWNS], y[UNKNOWNS], z[UNKNOWNS];
    double A[BOUNDS * UNKNOWNS], B[BOUNDS * UNKNOWNS], slack[BOUNDS], lambda[BOUNDS];
} Share;

/* Entry of the impulse by unknown a. */
static double impulse_by(const ModeSystem *system, int a, int row) {
    const ModeRow *own = &system->row[a];
    return row / 2 != own->contact ? 0 : own->unit >= 0 ? row % 2 == own->unit : own->d[row % 2];
}

/* sign v_row >= least */
static void bound_velocity(Share *share, int row, double sign, double least) {
    double *A = crm_quadratic_row(&share->quadratic);
    for (int a = 0; a < share->quadratic.d; a++) {
        A[a] = sign * share->system->WD[a][row];
    }
    crm_quadratic_add(&share->quadratic, sign * share->strike->v_before[row] - least +
                                             SHARE_ROOM * share->strike->speed);
}

/* I_n of a contact times n and I_t times t are not negative together. */
static void bound_impulse(Share *share, int contact, double t, double n) {
    double *A = crm_quadratic_row(&share->quadratic);
    for (int a = 0; a < share->quadratic.d; a++) {
        A[a] = t * impulse_by(share->system, a, 2 * contact) +
               n * impulse_by(share->system, a, 2 * contact + 1);
    }
    crm_quadratic_add(&share->quadratic, 0);
}

static void keep_velocity(Share *share, int row, double value) {
    bound_velocity(share, row, 1, value);
    bound_velocity(share, row, -1, -value);
}

static void add_bounds_of(Share *share, const StrikeState *state, int contact) {
    double b = share->strike->b[contact], mu = share->strike->mu[contact];
    int t = 2 * contact, n = t + 1;
    if (state->mode[contact] == STRIKE_OPEN) {
        bound_velocity(share, n, 1, b);
        return;
    }
    keep_velocity(share, n, b);
    if (state->mode[contact] == STRIKE_STICK) {
        keep_velocity(share, t, 0);
        bound_impulse(share, contact, 1, mu);
        bound_impulse(share, contact, -1, mu);
    } else {
        bound_impulse(share, contact, 0, 1);
        if (mu > 0) {
            bound_velocity(share, t, state->slip[2 * contact], 0);
        }
    }
}

/* |D x|^2/2, or the energy and a little of it. */
static void set_goal(Share *share, ShareGoal goal) {
    const Strike *strike = share->strike;
    double energy = goal == SHARE_LEAST_ENERGY;
    double norm = energy > 0 ? SHARE_LITTLE * strike->mobility : 1;
    for (int a = 0, d = share->quadratic.d; a < d; a++) {
        share->g[a] = 0;
        for (int row = 0; row < strike->size; row++) {
            share->g[a] += energy * impulse_by(share->system, a, row) * strike->v_before[row];
        }
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int row = 0; row < strike->size; row++) {
                sum +=
                    impulse_by(share->system, a, row) *
                    (energy * share->system->WD[b][row] + norm * impulse_by(share->system, b, row));
            }
            share->H[a * d + b] = sum;
        }
    }
}

int crm_planar_share(const Strike *strike, const ModeSystem *system, ShareGoal goal,
                     StrikeState *state) {
    Share share = {.strike = strike, .system = system};
    if (strike->rows != 2 || strike->count > PLANAR_SHARE_CONTACTS) {
        return 0;
    }
    share.quadratic = (Quadratic){.d = system->k,
                                  .most = BOUNDS,
                                  .H = share.H,
                                  .g = share.g,
                                  .y = share.y,
                                  .z = share.z,
                                  .A = share.A,
                                  .B = share.B,
                                  .slack = share.slack,
                                  .lambda = share.lambda};
    set_goal(&share, goal);
    crm_quadratic_factor(&share.quadratic, 0);
    crm_quadratic_begin(&share.quadratic);
    for (int i = 0; i < strike->count; i++) {
        add_bounds_of(&share, state, i);
    }
    if (!crm_quadratic_solve(&share.quadratic)) {
        return 0;
    }
    memset(state->I, 0, (size_t)strike->size * sizeof *state->I);
    for (int a = 0; a < system->k; a++) {
        for (int row = 0; row < strike->size; row++) {
            state->I[row] += share.y[a] * impulse_by(system, a, row);
        }
    }
    crm_strike_velocity(strike, state->I, state->v, NULL);
    return 1;
}
