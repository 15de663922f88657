/* Redundant contacts that slip share the load in many ways. Along a change dI of the share, with
 * the law kept, the kinetic energy T changes by
 *
 *   dT = v.dI = sum over contacts that slip of (b - mu |v_t|) dI_n,
 *   d2T = dI.W dI + sum c (s'.dI_t)^2 + sum (b - mu |v_t|) d2I_n,   c = |v_t|/(mu I_n),
 *
 * s' across the slip. The last sum vanishes if friction does not change normal velocities: then T
 * is convex in the share and its least value has one velocity. A step minimises the quadratic
 * model without the last sum, while normal impulses stay positive, impulses of contacts that stick
 * in their cones, contacts that are open stay open and slip does not turn round; a Newton step back
 * to the law follows. */
#include "impulse/energy_descent.h"

#include <math.h>
#include <string.h>

#include "impulse/answer.h"
#include "impulse/dense.h"
#include "math/vec2.h"

/* Continua of more directions than ENERGY_ACTIVE are left as they are. */
enum {
    ENERGY_STEPS = 30,
    ENERGY_HALVES = 6,
    ENERGY_BACK = 4,
    ENERGY_ACTIVE = 16,
    ENERGY_ROUNDS = 4
};

/* Steps that change no velocity by more than this, relative, are the last; or below the second if
 * they get no smaller. */
static const double ENERGY_DONE = 1e-13, ENERGY_SMALL = 1e-9;

/* Contacts that stick go this part of the way to the boundary of their cones in a step; they are
 * there if no more than this is left, relative. */
static const double ENERGY_PART = 0.95, ENERGY_BOUNDARY = 1e-7;

static double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = most_of(most, fabs(x[i]));
    }
    return most;
}

/* Change of impulse across the direction of slip. */
static double across(const StrikeState *state, const double *dI, int contact) {
    const double *s = state->slip + 2 * contact, *t = dI + 3 * contact;
    return s[0] * t[1] - s[1] * t[0];
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

/* Change of energy along the directions. */
static void fill_gradient(const Strike *strike, const StrikeState *state, int d,
                          EnergyDescent *descent) {
    for (int a = 0; a < d; a++) {
        descent->g[a] = dense_dot(state->v, descent->dI + a * strike->size, strike->size);
    }
}

/* Quadratic model of the energy; bend: its true curvature relative to the model's. */
static void fill_model(const Strike *strike, const StrikeState *state, int d, double bend,
                       EnergyDescent *descent) {
    int size = strike->size;
    double trace = 0;
    for (int a = 0; a < d; a++) {
        const double *dI = descent->dI + a * size;
        for (int b = 0; b <= a; b++) {
            const double *other = descent->dI + b * size;
            double sum = dense_dot(dI, descent->dv + b * size, size);
            for (int i = 0; i < strike->count && strike->rows == 3; i++) {
                if (state->mode[i] == STRIKE_SLIP && state->yield[i] > 0) {
                    sum += state->yield[i] * across(state, dI, i) * across(state, other, i);
                }
            }
            descent->H[a * d + b] = bend * sum;
        }
        trace += descent->H[a * d + a];
    }
    descent->little = 1e-5 * trace;
    for (int a = 0; a < d; a++) { /* directions may depend on each other */
        descent->H[a * d + a] += descent->little;
    }
}

/* Add the constraint slack + A y >= 0, its row by contact's entries e of dI and u of dv. */
static void add_constraint(const Strike *strike, int d, int contact, const double e[3],
                           const double u[3], double slack, int *count, EnergyDescent *descent) {
    double *row = descent->A + *count * d;
    for (int a = 0; a < d; a++) {
        int at = a * strike->size + contact * strike->rows;
        row[a] = 0;
        for (int c = 0; c < strike->rows; c++) {
            row[a] += e[c] * descent->dI[at + c] + u[c] * descent->dv[at + c];
        }
    }
    descent->slack[(*count)++] = slack;
}

/* Constraints of all contacts. Returns their number. */
static int list_constraints(const Strike *strike, const StrikeState *state, int d,
                            EnergyDescent *descent) {
    static const double none[3] = {0, 0, 0};
    int count = 0, n = strike->rows - 1;
    for (int i = 0; i < strike->count; i++) {
        const double *I = state->I + i * strike->rows, *v = state->v + i * strike->rows;
        double e[3] = {0, 0, 0}, u[3] = {0, 0, 0};
        e[n] = u[n] = 1;
        if (state->mode[i] == STRIKE_OPEN) {
            add_constraint(strike, d, i, none, u, most_of(v[n] - strike->b[i], 0), &count, descent);
            continue;
        }
        add_constraint(strike, d, i, e, none, most_of(I[n], 0), &count, descent);
        double size = crm_strike_tangential(strike, I, 0);
        if (state->mode[i] == STRIKE_STICK && size > 0) {
            for (int k = 0; k < n; k++) {
                e[k] = -I[k] / size;
            }
            e[n] = strike->mu[i];
            double slack = ENERGY_PART * most_of(strike->mu[i] * I[n] - size, 0);
            add_constraint(strike, d, i, e, none, slack - descent->room[i], &count, descent);
        } else if (state->mode[i] == STRIKE_SLIP && strike->mu[i] > 0) {
            double s[3] = {state->slip[2 * i], n == 2 ? state->slip[2 * i + 1] : 0, 0};
            double speed = crm_strike_tangential(strike, v, 0);
            add_constraint(strike, d, i, none, s, speed, &count, descent);
        }
    }
    return count;
}

/* Cholesky in place; then x = H^-1 x. */
static void factor(int d, double *H) {
    for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = H[i * d + j] - dense_dot(H + i * d, H + j * d, j);
            H[i * d + j] = i > j ? rest / H[j * d + j] : sqrt(most_of(rest, 1e-300));
        }
    }
}

static void divide(int d, const double *H, double *x) {
    for (int i = 0; i < d; i++) {
        x[i] = (x[i] - dense_dot(H + i * d, x, i)) / H[i * d + i];
    }
    for (int i = d - 1; i >= 0; i--) {
        x[i] /= H[i * d + i];
        dense_add(x, -x[i], H + i * d, i);
    }
}

/* The multipliers t by which active constraints follow a unit of constraint c; B is H^-1 A. */
static void follow_active(int d, int c, const EnergyDescent *descent, const int *active, int count,
                          double *t) {
    double Q[ENERGY_ACTIVE * ENERGY_ACTIVE];
    for (int i = 0; i < count; i++) {
        const double *A = descent->A + active[i] * d;
        for (int j = 0; j <= i; j++) {
            Q[i * count + j] = dense_dot(A, descent->B + active[j] * d, d);
        }
        t[i] = dense_dot(A, descent->B + c * d, d);
    }
    factor(count, Q);
    divide(count, Q, t);
}

/* Constraint that is violated most, or -1. */
static int most_violated(int d, int constraints, const EnergyDescent *descent) {
    int worst = -1;
    double most = 0;
    for (int c = 0; c < constraints; c++) {
        const double *A = descent->A + c * d;
        double rate = dense_dot(A, descent->B + c * d, d), sum = descent->slack[c], size = sum;
        for (int a = 0; a < d; a++) {
            sum += A[a] * descent->y[a];
            size += fabs(A[a] * descent->y[a]);
        }
        if (rate > 0 && -sum > 1e-14 * size && -sum > most * sqrt(rate)) {
            most = -sum / sqrt(rate);
            worst = c;
        }
    }
    return worst;
}

/* Make constraint c active, others inactive where their multiplier would be negative. Returns the
 * number of active ones; -1: it cannot be. */
static int activate(int d, int c, EnergyDescent *descent, int *active, int count) {
    double t[ENERGY_ACTIVE], *lambda = descent->lambda;
    lambda[c] = 0;
    for (;;) {
        follow_active(d, c, descent, active, count, t);
        double *z = descent->g + d, step = INFINITY; /* g has room for two */
        int drop = -1;
        memcpy(z, descent->B + c * d, (size_t)d * sizeof *z);
        for (int j = 0; j < count; j++) {
            dense_add(z, -t[j], descent->B + active[j] * d, d);
            if (t[j] > 0 && lambda[active[j]] < step * t[j]) {
                step = lambda[active[j]] / t[j];
                drop = j;
            }
        }
        double rate = dense_dot(descent->A + c * d, z, d);
        double gap = descent->slack[c] + dense_dot(descent->A + c * d, descent->y, d);
        double whole = dense_dot(descent->A + c * d, descent->B + c * d, d);
        int full = count < d && rate > 1e-12 * whole && -gap <= step * rate;
        if (!full && drop < 0) {
            return -1;
        }
        step = full ? -gap / rate : step;
        dense_add(descent->y, rate > 1e-12 * whole ? step : 0, z, d);
        for (int j = 0; j < count; j++) {
            lambda[active[j]] -= step * t[j];
        }
        lambda[c] += step;
        if (full) {
            active[count] = c;
            return count + 1;
        }
        active[drop] = active[--count];
    }
}

/* min g.y + y.H y/2 with slack + A y >= 0, by active constraints (Goldfarb and Idnani). Returns
 * the number of active ones. */
static int solve_model(int d, int constraints, EnergyDescent *descent) {
    int active[ENERGY_ACTIVE], count = 0;
    double *y = descent->y;
    factor(d, descent->H);
    descent->unique = 1;
    for (int a = 0; a < d; a++) {
        double pivot = descent->H[a * d + a];
        descent->unique &= pivot * pivot > 10 * descent->little;
        y[a] = -descent->g[a];
    }
    divide(d, descent->H, y);
    for (int c = 0; c < constraints; c++) {
        memcpy(descent->B + c * d, descent->A + c * d, (size_t)d * sizeof *y);
        divide(d, descent->H, descent->B + c * d);
    }
    for (int work = 0; work < 4 * constraints && count >= 0; work++) {
        int c = most_violated(d, constraints, descent);
        if (c < 0) {
            return count;
        }
        count = activate(d, c, descent, active, count);
    }
    return count;
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

/* The step: change of impulse and of velocity. */
static void join_directions(const Strike *strike, int d, EnergyDescent *descent) {
    int size = strike->size;
    for (int i = 0; i < size; i++) {
        double I = 0, v = 0;
        for (int a = 0; a < d; a++) {
            I += descent->y[a] * descent->dI[a * size + i];
            v += descent->y[a] * descent->dv[a * size + i];
        }
        descent->step[i] = I;
        descent->change[i] = v;
    }
}

/* The cones are round: what the step lacks in them becomes room that it has to keep. 1 if any. */
static int keep_room(const Strike *strike, const StrikeState *state, EnergyDescent *descent) {
    double touch = STRIKE_TOUCH * crm_strike_scale(strike, state->I);
    int any = 0;
    for (int i = 0; i < strike->count; i++) {
        int at = i * strike->rows, n = strike->rows - 1;
        double I[3] = {0, 0, 0};
        for (int k = 0; k <= n; k++) {
            I[k] = state->I[at + k] + descent->step[at + k];
        }
        double lack = crm_strike_tangential(strike, I, 0) - strike->mu[i] * I[n];
        if (state->mode[i] == STRIKE_STICK && lack > touch) {
            descent->room[i] += 1.5 * lack;
            any = 1;
        }
    }
    return any;
}

/* Curvature of the model along the step. */
static double model_curvature(int d, const EnergyDescent *descent) {
    double sum = 0;
    for (int j = 0; j < d; j++) {
        double part = 0;
        for (int i = j; i < d; i++) {
            part += descent->H[i * d + j] * descent->y[i];
        }
        sum += part * part;
    }
    return sum;
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
            crm_strike_energy(strike, state->I, state->v) <= energy + 1e-15 * fabs(energy)) {
            return part;
        }
        crm_answer_copy(strike, spare, state);
    }
    return 0;
}

/* The step. Returns the number of constraints that bound it, -1 if there is none. */
static int find_descent(const Strike *strike, const StrikeState *state, int d, double bend,
                        EnergyDescent *descent) {
    int active = -1;
    memset(descent->room, 0, (size_t)strike->count * sizeof *descent->room);
    for (int round = 0; round < ENERGY_ROUNDS; round++) {
        fill_model(strike, state, d, bend, descent);
        active = solve_model(d, list_constraints(strike, state, d, descent), descent);
        join_directions(strike, d, descent);
        if (active < 0 || !keep_room(strike, state, descent)) {
            break;
        }
    }
    return active;
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

/* Slope of the energy here along the last step, as far as the direction at hand is the same. */
static double slope_along(const Strike *strike, const EnergyDescent *descent) {
    double along = dense_dot(descent->step, descent->dI, strike->size);
    return descent->g[0] * along / dense_dot(descent->dI, descent->dI, strike->size);
}

double crm_energy_descent_run(const Strike *strike, ModeSystem *system, Sharing *sharing,
                              EnergyDescent *descent, StrikeState *state, StrikeState *spare) {
    double change = 0, last = INFINITY, bend = 1, slope = 0, curvature = 0;
    int single = 0; /* the last step was along a single direction, and nothing bounded it */
    int held = 0;   /* contacts that stick are to keep sticking */
    for (int work = 0; work < ENERGY_STEPS; work++, last = change) {
        crm_answer_classify(strike, state, state);
        held = held || !release(strike, state);
        int d = crm_modes_factor(strike, state, MODES_CUT, system)
                    ? list_directions(strike, system, descent)
                    : 0;
        if (d == 0 || d > ENERGY_ACTIVE || 2 * d > strike->size) {
            return 0;
        }
        fill_gradient(strike, state, d, descent);
        if (single && d == 1) { /* secant */
            double turned = (slope_along(strike, descent) - slope) / curvature;
            bend *= least_of(most_of(turned, 0.1), 10);
        }
        int active = find_descent(strike, state, d, bend, descent);
        slope = dense_dot(descent->g, descent->y, d);
        curvature = model_curvature(d, descent);
        change = largest(descent->change, strike->size) / strike->speed;
        int done =
            active < 0 || change <= ENERGY_DONE || (change < ENERGY_SMALL && change > 0.9 * last);
        double part = done ? 0
                           : advance(strike, system, sharing, descent, held ? ENERGY_HALVES : 2,
                                     state, spare);
        if (part == 0 && held) {
            return done && active >= 0 ? change : 0;
        }
        held = part == 0;
        curvature *= part;
        single = d == 1 && active == 0;
    }
    return change;
}
