#include "impulse/mode_sets.h"

#include <math.h>
#include <string.h>

#include "impulse/planar_share.h"
#include "math/vec2.h"

/* A fall of the energy by more, relative, is a way to another answer. */
static const double DESCENT = 1e-9;

enum { TURNS = 8 }; /* steps of Newton's method on the directions of slip */

int crm_mode_sets_solve(AnswerSearch *search) {
    search->work++;
    if (!crm_modes_factor(&search->soft, &search->state, 0, &search->system)) {
        return 0;
    }
    crm_modes_solve(&search->soft, &search->system, &search->state);
    return 1;
}

/* Modes number set, two bits for each contact: open, stick, slip along the slip before or against
 * it. 0: no such modes. */
static int set_modes(AnswerSearch *search, int set) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    for (int i = 0; i < strike->count; i++) {
        int mode = set >> (2 * i) & 3;
        const double *v = strike->v_before + i * strike->rows;
        double speed = crm_strike_tangential(strike, strike->v_before, i);
        double sign = strike->mu[i] == 0 ? 0 : mode == 3 ? -1 : 1;
        if (strike->mu[i] == 0 && (mode == 1 || mode == 3)) {
            return 0;
        }
        state->mode[i] = mode == 3 ? STRIKE_SLIP : (StrikeMode)mode;
        state->slip[2 * i] = speed > 0 ? sign * v[0] / speed : sign;
        state->slip[2 * i + 1] = speed > 0 && strike->rows == 3 ? sign * v[1] / speed : 0;
        state->yield[i] = strike->rows == 2 ? -1 : 0;
    }
    return 1;
}

/* ---- planar ---- */

/* Impulses that the modes of set leave free: one where a contact slips, two where it sticks. */
static int count_free(int set, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int mode = set >> (2 * i) & 3;
        sum += mode == 1 ? 2 : mode > 0;
    }
    return sum;
}

/* Share the impulse of the modes of state for a goal, and keep the answer if there is one. Returns
 * its energy; INFINITY: there is none. */
static double keep_share(AnswerSearch *search, ShareGoal goal) {
    const Strike *strike = &search->strike;
    StrikeState *state = &search->state;
    if (!crm_planar_share(strike, &search->system, goal, state) ||
        !crm_answer_holds(strike, state)) {
        return INFINITY;
    }
    if (goal == SHARE_LEAST_ENERGY) {
        crm_search_keep(search);
    }
    return crm_strike_energy(strike, state->I, state->v);
}

/* Keep the answer of the modes of state; where they share the load in many ways, the one of least
 * energy. */
static void keep_planar(AnswerSearch *search) {
    const Strike *strike = &search->strike;
    ModeSystem *system = &search->system;
    StrikeState *state = &search->state;
    search->work++;
    int regular = crm_modes_factor(strike, state, MODES_CUT, system);
    if (!regular || system->rank < system->k) {
        double energy = keep_share(search, SHARE_LEAST_ENERGY);
        double other = energy < INFINITY ? keep_share(search, SHARE_SMALL) : INFINITY;
        search->descended |= other < INFINITY && other > energy + DESCENT * fabs(energy);
        return;
    }
    crm_modes_solve(strike, system, state);
    if (crm_answer_holds(strike, state)) {
        crm_search_keep(search);
    }
}

/* With x >= 0 the parts of the impulses along the edges of the cones, the answers of a set of modes
 * are x >= 0 with linear bounds on W x: a polyhedron with a vertex. There no more of x than the
 * rank of W are positive. An edge is slip, two are stick; so sets with more unknowns are not
 * needed. */
void crm_mode_sets_planar(AnswerSearch *search) {
    int count = search->strike.count, rank = crm_sharing_rank(&search->strike, &search->sharing);
    for (int set = 1; set < 1 << (2 * count); set++) {
        if (count_free(set, count) <= rank && set_modes(search, set)) {
            keep_planar(search);
        }
    }
}

/* ---- in space ---- */

/* Turn the slip to where the impulse points. Returns the largest change of a direction. */
static double turn_slip(const Strike *strike, StrikeState *state) {
    double most = 0;
    for (int i = 0; i < strike->count; i++) {
        const double *I = state->I + 3 * i, *v = state->v + 3 * i;
        double *s = state->slip + 2 * i, size = norm2(I);
        if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0 && size > 0) {
            double sign = I[2] > 0 ? -1 : 1, next[2] = {sign * I[0] / size, sign * I[1] / size};
            most = most_of(most, fabs(next[0] - s[0]) + fabs(next[1] - s[1]));
            state->yield[i] = fabs(dot2(v, next)) / size;
            memcpy(s, next, sizeof next);
        }
    }
    return most;
}

/* Newton's method on the directions of slip, the modes kept. */
static int newton_of_modes(AnswerSearch *search) {
    double change = 1;
    for (int step = 0; step < TURNS && change > 1e-6; step++) {
        if (!crm_mode_sets_solve(search)) {
            return 0;
        }
        change = turn_slip(&search->strike, &search->state);
    }
    return change <= 1e-6;
}

/* Do velocities agree with the modes, whatever the impulses are? */
static int is_consistent(const Strike *strike, const StrikeState *state, double slack) {
    for (int i = 0; i < strike->count; i++) {
        const double *v = state->v + i * strike->rows, *s = state->slip + 2 * i;
        double along = s[0] * v[0] + (strike->rows == 3 ? s[1] * v[1] : 0);
        if ((state->mode[i] == STRIKE_OPEN && v[strike->rows - 1] < strike->b[i] - slack) ||
            (state->mode[i] == STRIKE_SLIP && along < -slack)) {
            return 0;
        }
    }
    return 1;
}

/* An answer of the modes of state: with the impulses that they have, or shared in another way. */
static int complete_modes(AnswerSearch *search) {
    const Strike *soft = &search->soft;
    StrikeState *state = &search->state;
    double slack = 1e-5 * crm_strike_scale(soft, state->I);
    if (crm_strike_residual(soft, state->I, state->v) <= slack) {
        return crm_search_complete(search);
    }
    return is_consistent(soft, state, slack) &&
           crm_answer_by_velocity(&search->strike, &search->system, &search->sharing, state);
}

void crm_mode_sets_spatial(AnswerSearch *search) {
    for (int set = 1; set < 1 << (2 * search->strike.count); set++) {
        if (set_modes(search, set) && newton_of_modes(search) && complete_modes(search)) {
            crm_search_keep(search);
        }
    }
}
