/* Redundant contacts that slip share the load in many ways. T is minimised over them by sequential
 * quadratic programming. With v = dT/dI, the law at a contact that slips as F = I_t + mu I_n s = 0,
 * s = v_t/r, r = |v_t|, and the Lagrangian T + sum eta.F + (terms linear in I),
 *
 *   d2L = dI.W dI + sum 2 mu eta' dI_n x/r - mu I_n (eta_s x^2 + 2 eta' x y)/r^2,
 *   x = s'.dv_t, y = s.dv_t, s' across the slip; eta_s = eta.s, eta' = eta.s'.
 *
 * A step minimises this model along the directions of the continuum, while normal impulses stay
 * positive, impulses of contacts that stick in their cones, contacts that are open stay open and
 * slip does not turn round. Newton steps back to the law follow. With eta = -v_t the model is never
 * negative: the way out where the other is. */
#include "impulse/energy_descent.h"

#include <math.h>
#include <string.h>

#include "impulse/answer.h"
#include "impulse/dense.h"
#include "math/vec2.h"

enum { ENERGY_STEPS = 40, ENERGY_HALVES = 8, ENERGY_BACK = 6, ENERGY_CUTS = 12 };

/* Steps that change no velocity by more than this, relative, are the last; or below the second if
 * they get no smaller. */
static const double ENERGY_DONE = 1e-13, ENERGY_SMALL = 1e-9;

/* Contacts that stick are at the boundary of their cones if no more than this is left, relative. */
static const double ENERGY_BOUNDARY = 1e-7;

/* Added to the model, relative: directions may depend on each other or change no velocity. */
static const double ENERGY_LITTLE = 1e-5;

/* Velocity per impulse whose square is rounding of the model. */
static const double ENERGY_NOISE = 1e-8;

/* Cuts of a cone that are closer in direction would make the active set singular. */
static const double ENERGY_APART = 1e-3;

static double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = most_of(most, fabs(x[i]));
    }
    return most;
}

/* Directions of the continuum, and those that change no velocity: they make room for the others in
 * the cones. Returns their number; 0 if no velocity changes. */
static int list_directions(const Strike *strike, ModeSystem *system, EnergyDescent *descent) {
    int count = 0, any = 0;
    for (int at = system->rank; at < system->k; at++) {
        int row = count++ * strike->size;
        any |= crm_modes_free(strike, system, at, descent->dI + row, descent->dv + row);
    }
    return any ? count : 0;
}

/* slope = v + W q, q the multipliers of the modes; eta of a contact that slips is -slope_t. */
static void find_slope(const Strike *strike, const StrikeState *state, ModeSystem *system,
                       EnergyDescent *descent) {
    double *slope = descent->slope, *q = descent->step, *gradient = descent->change;
    int size = strike->size;
    for (int i = 0; i < size; i++) {
        gradient[i] =
            state->v[i] - descent->force[i] - dense_dot(strike->W + i * size, descent->pull, size);
    }
    crm_modes_multipliers(strike, system, gradient, q);
    for (int i = 0; i < size; i++) {
        slope[i] = gradient[i] + dense_dot(strike->W + i * size, q, size);
    }
}

/* What the slip of one contact adds to the model, for two directions; s: its direction. */
static double curvature(const double *eta, const double *s, double mu, double push, double r,
                        const double *dI, const double *dv, const double *dJ, const double *du) {
    double x = cross2(s, dv), y = dot2(s, dv), X = cross2(s, du), Y = dot2(s, du);
    double along = dot2(eta, s), across = cross2(s, eta);
    return mu * across * (dI[2] * X + dJ[2] * x) / r -
           mu * push * (along * x * X + across * (x * Y + X * y)) / (r * r);
}

/* The model; eta: -slope or -v. */
static void fill_model(const Strike *strike, const StrikeState *state, const double *slope,
                       EnergyDescent *descent) {
    int size = strike->size, d = descent->quadratic.d;
    double *H = descent->quadratic.H, trace = 0;
    for (int a = 0; a < d; a++) {
        const double *dI = descent->dI + a * size, *dv = descent->dv + a * size;
        for (int b = 0; b <= a; b++) {
            const double *dJ = descent->dI + b * size, *du = descent->dv + b * size;
            double sum = dense_dot(dI, du, size);
            for (int i = 0; i < strike->count && strike->rows == 3; i++) {
                int at = 3 * i;
                double r = crm_strike_tangential(strike, state->v, i);
                if (state->mode[i] == STRIKE_SLIP && state->yield[i] > 0 && r > 0) {
                    double eta[2] = {-slope[at], -slope[at + 1]};
                    sum += curvature(eta, state->slip + 2 * i, strike->mu[i], state->I[at + 2], r,
                                     dI + at, dv + at, dJ + at, du + at);
                }
            }
            H[a * d + b] = sum;
        }
        trace +=
            dense_dot(dI, dv, size) + ENERGY_NOISE * strike->mobility * dense_dot(dI, dI, size);
    }
    descent->little = ENERGY_LITTLE * trace;
    for (int a = 0; a < d; a++) {
        H[a * (d + 1)] += descent->little;
    }
}

/* Add a bound. 0: there is no room. */
static int add_bound(const Strike *strike, EnergyBound bound, double slack,
                     EnergyDescent *descent) {
    Quadratic *quadratic = &descent->quadratic;
    double *row = crm_quadratic_row(quadratic);
    if (!row) {
        return 0;
    }
    descent->bound[quadratic->count] = bound;
    for (int a = 0; a < quadratic->d; a++) {
        const double *from = (bound.is_velocity ? descent->dv : descent->dI) + a * strike->size +
                             bound.contact * strike->rows;
        row[a] = 0;
        for (int c = 0; c < strike->rows; c++) {
            row[a] += bound.vector[c] * from[c];
        }
    }
    crm_quadratic_add(quadratic, slack);
    return 1;
}

/* Bounds of all contacts but for the cones. */
static void add_bounds(const Strike *strike, const StrikeState *state, EnergyDescent *descent) {
    int n = strike->rows - 1;
    for (int i = 0; i < strike->count; i++) {
        const double *I = state->I + i * strike->rows, *v = state->v + i * strike->rows;
        int open = state->mode[i] == STRIKE_OPEN;
        EnergyBound bound = {.contact = i, .is_velocity = open};
        bound.vector[n] = 1;
        add_bound(strike, bound, most_of(open ? v[n] - strike->b[i] : I[n], 0), descent);
        if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0) {
            EnergyBound turn = {.contact = i, .is_velocity = 1};
            memcpy(turn.vector, state->slip + 2 * i, (size_t)n * sizeof(double));
            add_bound(strike, turn, crm_strike_tangential(strike, v, 0), descent);
        }
    }
}

/* The step: change of impulse and of velocity. */
static void join_directions(const Strike *strike, EnergyDescent *descent) {
    int size = strike->size;
    memset(descent->step, 0, (size_t)size * sizeof(double));
    memset(descent->change, 0, (size_t)size * sizeof(double));
    for (int a = 0; a < descent->quadratic.d; a++) {
        dense_add(descent->step, descent->quadratic.y[a], descent->dI + a * size, size);
        dense_add(descent->change, descent->quadratic.y[a], descent->dv + a * size, size);
    }
}

/* Number of the last cut of a contact from number first on, or -1. */
static int last_cut(const EnergyDescent *descent, int first, int contact) {
    int at = descent->quadratic.count - 1;
    while (at >= first && descent->bound[at].contact != contact) {
        at--;
    }
    return at >= first ? at : -1;
}

/* Bound the step of a contact that leaves its cone by lack at impulse I: by the tangent plane
 * there, or, if that is nearly the last one, by a plane parallel to it further inside. */
static int add_cut(const Strike *strike, const StrikeState *state, int contact, const double I[3],
                   double lack, int first, EnergyDescent *descent) {
    int n = strike->rows - 1, last = last_cut(descent, first, contact);
    const double *from = state->I + contact * strike->rows;
    double size = crm_strike_tangential(strike, I, 0), slack = strike->mu[contact] * from[n];
    double apart = last < 0 ? 1 : 0;
    EnergyBound cut = {.contact = contact};
    cut.vector[n] = strike->mu[contact];
    for (int k = 0; k < n; k++) {
        cut.vector[k] = -I[k] / size;
        slack += cut.vector[k] * from[k];
        apart += last < 0 ? 0 : fabs(cut.vector[k] - descent->bound[last].vector[k]);
    }
    if (apart < ENERGY_APART) {
        cut = descent->bound[last];
        slack = descent->quadratic.slack[last];
        slack = most_of(slack - 2 * lack, slack / 2);
    }
    return add_bound(strike, cut, most_of(slack, 0), descent);
}

/* The cones are round: bound the step where it leaves them. Cuts have numbers from first on.
 * Returns the number of new bounds. */
static int add_cuts(const Strike *strike, const StrikeState *state, int first,
                    EnergyDescent *descent) {
    double touch = 1e-14 * crm_strike_scale(strike, state->I);
    int any = 0, n = strike->rows - 1;
    for (int i = 0; i < strike->count; i++) {
        double I[3] = {0, 0, 0};
        for (int k = 0; k <= n; k++) {
            I[k] = state->I[i * strike->rows + k] + descent->step[i * strike->rows + k];
        }
        double lack = crm_strike_tangential(strike, I, 0) - strike->mu[i] * I[n];
        if (state->mode[i] == STRIKE_STICK && lack > touch) {
            any += add_cut(strike, state, i, I, lack, first, descent);
        }
    }
    return any;
}

/* What active bounds pull at impulse and velocity, for the next model. */
static void keep_pull(const Strike *strike, EnergyDescent *descent) {
    memset(descent->force, 0, (size_t)strike->size * sizeof(double));
    memset(descent->pull, 0, (size_t)strike->size * sizeof(double));
    for (int k = 0; k < descent->quadratic.active_count; k++) {
        int c = descent->quadratic.active[k];
        const EnergyBound *bound = &descent->bound[c];
        double *to =
            (bound->is_velocity ? descent->pull : descent->force) + bound->contact * strike->rows;
        dense_add(to, descent->quadratic.lambda[c], bound->vector, strike->rows);
    }
}

/* The step of least energy by the model. */
static void find_descent(const Strike *strike, const StrikeState *state, ModeSystem *system,
                         EnergyDescent *descent) {
    Quadratic *quadratic = &descent->quadratic;
    for (int a = 0; a < quadratic->d; a++) {
        quadratic->g[a] = dense_dot(state->v, descent->dI + a * strike->size, strike->size);
    }
    find_slope(strike, state, system, descent);
    fill_model(strike, state, descent->slope, descent);
    if (!crm_quadratic_factor(quadratic, descent->little / 2)) {
        fill_model(strike, state, state->v, descent);
        crm_quadratic_factor(quadratic, 0);
    }
    descent->unique = 1;
    for (int a = 0; a < quadratic->d; a++) {
        double pivot = quadratic->H[a * (quadratic->d + 1)];
        descent->unique &= pivot * pivot > 10 * descent->little;
    }
    crm_quadratic_begin(quadratic);
    add_bounds(strike, state, descent);
    int first = quadratic->count;
    for (int cut = 0; cut < ENERGY_CUTS; cut++) {
        int solved = crm_quadratic_solve(quadratic);
        join_directions(strike, descent);
        if (!solved || !add_cuts(strike, state, first, descent)) {
            break;
        }
    }
    keep_pull(strike, descent);
}

/* Take part of the step. A contact without impulse is open from now on: others keep it in touch;
 * one whose slip ends sticks. */
static void take_step(const Strike *strike, const EnergyDescent *descent, double part,
                      StrikeState *state) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    dense_add(state->I, part, descent->step, strike->size);
    for (int i = 0; i < strike->count; i++) {
        int at = i * strike->rows;
        double *I = state->I + at, along = 0;
        for (int k = 0; k < strike->rows - 1; k++) {
            along += state->slip[2 * i + k] * (state->v[at + k] + part * descent->change[at + k]);
        }
        if (state->mode[i] != STRIKE_OPEN && I[strike->rows - 1] <= touch) {
            memset(I, 0, (size_t)strike->rows * sizeof *I);
            state->mode[i] = STRIKE_OPEN;
        } else if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0 && along <= touch) {
            state->mode[i] = STRIKE_STICK;
        }
    }
    crm_strike_velocity(strike, state->I, state->v, NULL);
}

/* From near the law to the law, modes kept. The impulses of contacts that stick may be shared in a
 * way that their cones do not allow; then the velocity is right, and another share may be. */
static int step_back(const Strike *strike, ModeSystem *system, Sharing *sharing,
                     StrikeState *state) {
    for (int step = 0; step < ENERGY_BACK; step++) {
        crm_answer_align(strike, state);
        if (!crm_modes_factor(strike, state, MODES_CUT, system)) {
            return 0;
        }
        crm_modes_refine(strike, system, state);
        if (crm_answer_holds(strike, state)) {
            return 1;
        }
    }
    return crm_answer_least_norm(strike, sharing, state);
}

/* Take the step or the largest part of it that leads to less energy. Returns the part; 0: none. */
static double advance(const Strike *strike, ModeSystem *system, Sharing *sharing,
                      const EnergyDescent *descent, int halves, StrikeState *state,
                      StrikeState *spare) {
    double energy = crm_strike_energy(strike, state->I, state->v), part = 1;
    crm_answer_copy(strike, state, spare);
    for (int half = 0; half < halves; half++, part /= 2) {
        take_step(strike, descent, part, state);
        if (step_back(strike, system, sharing, state) &&
            crm_strike_energy(strike, state->I, state->v) <= energy + 1e-14 * fabs(energy)) {
            return part;
        }
        crm_answer_copy(strike, spare, state);
    }
    return 0;
}

/* Contacts that stick at the boundary of their cones may begin to slip. 1 if there are any. */
static int release(const Strike *strike, StrikeState *state) {
    int any = 0;
    for (int i = 0; i < strike->count; i++) {
        const double *I = state->I + i * strike->rows;
        double size = crm_strike_tangential(strike, I, 0), push = I[strike->rows - 1];
        if (state->mode[i] == STRIKE_STICK && push > 0 &&
            size >= (1 - ENERGY_BOUNDARY) * strike->mu[i] * push) {
            for (int k = 0; k < strike->rows - 1; k++) {
                state->slip[2 * i + k] = -I[k] / size;
            }
            state->mode[i] = STRIKE_SLIP;
            state->yield[i] = 0;
            any = 1;
        }
    }
    return any;
}

double crm_energy_descent_run(const Strike *strike, ModeSystem *system, Sharing *sharing,
                              EnergyDescent *descent, StrikeState *state, StrikeState *spare) {
    double change = 0, last = INFINITY;
    int held = 0; /* contacts that stick are to keep sticking */
    memset(descent->force, 0, (size_t)strike->size * sizeof(double));
    memset(descent->pull, 0, (size_t)strike->size * sizeof(double));
    for (int work = 0; work < ENERGY_STEPS; work++, last = change) {
        crm_answer_classify(strike, state, state);
        held = held || !release(strike, state);
        int d = crm_modes_factor(strike, state, MODES_CUT, system) ? system->k - system->rank : 0;
        if (d == 0 || d > QUADRATIC_MOST || 2 * d > strike->size ||
            !list_directions(strike, system, descent)) {
            return 0;
        }
        descent->quadratic.d = d;
        find_descent(strike, state, system, descent);
        change = largest(descent->change, strike->size) / strike->speed;
        int done = change <= ENERGY_DONE || (change < ENERGY_SMALL && change > 0.9 * last);
        double part = done ? 0
                           : advance(strike, system, sharing, descent, held ? ENERGY_HALVES : 2,
                                     state, spare);
        if ((part == 0 && held) || !(change < INFINITY)) {
            return change;
        }
        held = part == 0;
    }
    return change;
}
