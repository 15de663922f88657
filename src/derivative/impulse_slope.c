/* Several rigid contacts at impulse level: implicit differentiation of the law of the active modes
 * (impulse_system.h). In reverse, with weights w of I and of y brought to I, the adjoints
 *
 *   a = Z S^+ Z^T w,   A^T b = w - H a
 *
 * give the gradient of every input at once. Where A is not singular, a = 0. */
#include "derivative/impulse_slope.h"

#include <stdint.h>
#include <string.h>

#include <carom/solve.h>

#include "derivative/impulse_system.h"
#include "derivative/kink_list.h"
#include "derivative/packed.h"
#include "math/functions.h"
#include "math/vec2.h"

/* Largest accepted error of the identities: the impulse is homogeneous of degree 1 in v and -1 in
 * W. Relative to the impulses: contacts that almost share their load have large derivatives without
 * digits. */
static const double IMPULSE_MISMATCH = 1e-8;

/* Weights along changes of the share that no rule decides; less is rounding. Relative. */
static const double UNDECIDED = 1e-9;

/* A velocity that counts as none, relative. */
static const double IMPULSE_TOUCH = 1e-11;

typedef struct ImpulseSlope {
    ImpulseSystem system;
    double *w, *wy, *b;    /* m: weights of I and of y, adjoint of the equations */
    double *a, *Wa;        /* m: adjoint of the least energy */
    double *z, *p, *by_mu; /* m: weights of the share of least norm; W x; n: by mu through it */
    double *by_I, *by_y;   /* m */
    double *weights;       /* 2 m */
    double *row;           /* room for a gradient */
} ImpulseSlope;

enum { SLOPE_VECTORS = 12 };

size_t crm_impulse_slope_workspace(int contact_count) {
    size_t bytes = carom_workspace_size(contact_count);
    if (bytes == 0) {
        return 0;
    }
    size_t m = 3 * (size_t)contact_count, row = (size_t)carom_inputs(contact_count, 0).count;
    return crm_impulse_system_workspace(contact_count) + SLOPE_VECTORS * m + row +
           bytes / sizeof(double) + 3;
}

static void lay_out_slope(const CaromProblem *problem, double *workspace, ImpulseSlope *slope) {
    size_t m = 3 * (size_t)problem->contact_count;
    double *at = crm_impulse_system_lay_out(problem, workspace, &slope->system);
    double **const vectors[] = {&slope->w, &slope->wy, &slope->b,    &slope->a,    &slope->Wa,
                                &slope->z, &slope->p,  &slope->by_I, &slope->by_y, &slope->by_mu};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, at += m) {
        *vectors[i] = at;
    }
    slope->weights = at;
    slope->row = at + 2 * m;
}

/* What is left of the workspace, aligned for the solver. */
static void *solver_memory(const ImpulseSlope *slope) {
    double *rest = slope->row + carom_inputs(slope->system.problem->contact_count, 0).count;
    return (uintptr_t)rest % 16 ? rest + 1 : rest;
}

/* ---- reverse ---- */

static void fill_with_nan(size_t count, double *numbers) {
    for (size_t i = 0; i < count && numbers; i++) {
        numbers[i] = NAN;
    }
}

/* z, the part of w that only changes the share, goes from w to where the share of least norm
 * depends on: to y, mu and, with x, to W. 0: that share is not decided by x. */
static int weigh_share(ImpulseSlope *slope) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows;
    double size = 0, part = 0;
    memset(slope->by_mu, 0, (size_t)m * sizeof *slope->by_mu);
    for (int i = 0; i < m; i++) {
        slope->z[i] = slope->w[i];
        size = fmax(size, fabs(slope->w[i]));
    }
    crm_rank_project(m, system->neutral_count, system->neutral, slope->w);
    for (int i = 0; i < m; i++) {
        slope->z[i] -= slope->w[i];
        part = fmax(part, fabs(slope->z[i]));
    }
    if (part <= UNDECIDED * size || !system->least) {
        memset(slope->z, 0, (size_t)m * sizeof *slope->z);
        return part <= UNDECIDED * size;
    }
    crm_impulse_respond(system, system->share, slope->p);
    for (int i = 0; i < system->problem->contact_count; i++) {
        double s[2], across[2], r, p[2];
        int at = system->each * i, n = at + system->each - 1;
        if (!crm_impulse_slip(system, i, s, across, &r)) {
            continue;
        }
        double mu = system->problem->contacts[i].mu;
        crm_impulse_tangential(system, slope->p, i, p);
        for (int k = 0; k < system->each - 1; k++) {
            slope->wy[at + k] -= mu * slope->z[n] * dot2(across, p) * across[k] / r;
        }
        slope->by_mu[i] -= slope->z[n] * (dot2(s, p) + mu * system->I[n]);
    }
    return 1;
}

/* The adjoints a and b of the weights w. */
static void find_adjoints(ImpulseSlope *slope) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows, k = system->S.m;
    const double *Z = system->A.right;
    double *part = slope->by_I;
    memset(slope->a, 0, (size_t)m * sizeof *slope->a);
    memset(slope->Wa, 0, (size_t)m * sizeof *slope->Wa);
    memcpy(slope->b, slope->w, (size_t)m * sizeof *slope->b);
    if (system->S.rank > 0) {
        for (int i = 0; i < k; i++) {
            part[i] = 0;
            for (int j = 0; j < m; j++) {
                part[i] += Z[i * m + j] * slope->w[j] / system->unit;
            }
        }
        crm_rank_solve_symmetric(&system->S, part);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < m; j++) {
                slope->a[j] += part[i] * Z[i * m + j];
            }
        }
        crm_impulse_respond(system, slope->a, slope->Wa);
        crm_impulse_bend(system, slope->a, slope->Wa, slope->by_I, slope->by_y);
        crm_impulse_respond(system, slope->by_y, slope->b);
        for (int j = 0; j < m; j++) {
            slope->b[j] = slope->w[j] - slope->Wa[j] - slope->by_I[j] - slope->b[j];
        }
    } else {
        memset(slope->by_y, 0, (size_t)m * sizeof *slope->by_y);
    }
    crm_rank_solve_transposed(&system->A, slope->b);
}

/* sum of C^T x at row i. */
static double weighted_row(const ImpulseSystem *system, const double *x, int i) {
    int block = system->each * (i / system->each), column = i - block;
    double sum = 0;
    for (int k = 0; k < system->each; k++) {
        sum += system->C[(block + k) * system->each + column] * x[block + k];
    }
    return sum;
}

/* By W and v, from g = dL/d(dW I + dv-). */
static void write_motion(const ImpulseSlope *slope, const double *g, const double *c,
                         double *gradient) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows, v = packed_count(m);
    const double *I = system->I, *a = slope->a, *z = slope->z, *x = system->share;
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            double sum = g[i] * I[j] - a[i] * c[j] + z[i] * x[j];
            if (i != j) {
                sum += g[j] * I[i] - a[j] * c[i] + z[j] * x[i];
            }
            gradient[packed_index(m, i, j)] = sum;
        }
        gradient[v + i] = g[i];
    }
}

/* By e, and the target by v-; by mu. */
static void write_by_coefficients(const ImpulseSlope *slope, double *gradient) {
    const ImpulseSystem *system = &slope->system;
    const CaromProblem *problem = system->problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    for (int i = 0; i < problem->contact_count; i++) {
        int at = system->each * i, n = at + system->each - 1;
        double s[2], across[2], r, b[2], l[2], v[2], before = problem->velocity[n];
        double *coefficient = gradient + inputs.contact + CAROM_COEFFICIENT_COUNT * i;
        if (system->modes[i] != ACTIVE_OPEN && before < 0) {
            coefficient[CAROM_COEFFICIENT_E] = -before * slope->b[n];
            gradient[inputs.v + n] -= problem->contacts[i].e * slope->b[n];
        }
        coefficient[CAROM_COEFFICIENT_MU] = slope->by_mu[i];
        if (crm_impulse_slip(system, i, s, across, &r)) {
            crm_impulse_tangential(system, slope->b, i, b);
            crm_impulse_tangential(system, system->multiplier, i, l);
            crm_impulse_tangential(system, slope->Wa, i, v);
            double second =
                slope->a[n] * dot2(l, s) + dot2(v, across) * system->I[n] * dot2(l, across) / r;
            coefficient[CAROM_COEFFICIENT_MU] -=
                system->unit * (dot2(b, s) * system->I[n] + second);
        }
    }
}

/* The gradient of L with dL/dI = weight_I, dL/dy = weight_y (either NULL). 0: it does not exist,
 * and is NaN. */
static int reverse_gradient(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                            double *gradient) {
    const ImpulseSystem *system = &slope->system;
    CaromInputs inputs = carom_inputs(system->problem->contact_count, system->problem->planar);
    int m = system->rows;
    double *c = slope->by_I;
    for (int i = 0; i < m; i++) {
        slope->w[i] = weight_I ? weight_I[i] : 0;
        slope->wy[i] = weight_y ? weight_y[i] : 0;
    }
    memset(gradient, 0, (size_t)inputs.count * sizeof *gradient);
    if (!weigh_share(slope)) {
        fill_with_nan((size_t)inputs.count, gradient);
        return 0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            slope->w[i] += system->problem->inverse_inertia[j * m + i] * slope->wy[j];
        }
    }
    find_adjoints(slope);
    double *g = slope->wy;
    for (int i = 0; i < m; i++) {
        g[i] -= slope->a[i] + slope->by_y[i] + weighted_row(system, slope->b, i);
        c[i] = weighted_row(system, system->multiplier, i);
    }
    write_motion(slope, g, c, gradient);
    write_by_coefficients(slope, gradient);
    return 1;
}

/* Is the gradient of weight_I.I + weight_y.y homogeneous as it must be? */
static int gradient_is_homogeneous(const ImpulseSlope *slope, const double *weight_I,
                                   const double *weight_y, const double *gradient) {
    const ImpulseSystem *system = &slope->system;
    const CaromProblem *problem = system->problem;
    const double *W = problem->inverse_inertia;
    int m = system->rows, v = packed_count(m);
    double by_v = 0, by_W = 0, size = 0;
    for (int i = 0; i < m; i++) {
        double I = weight_I ? weight_I[i] : 0, y = weight_y ? weight_y[i] : 0;
        by_v += gradient[v + i] * problem->velocity[i] - I * system->I[i] - y * system->y[i];
        by_W += I * system->I[i];
        for (int j = i; j < m; j++) {
            by_W += gradient[packed_index(m, i, j)] * W[i * m + j];
        }
    }
    for (int i = 0; i < m; i++) {
        size += (weight_I ? fabs(weight_I[i]) * system->push : 0);
        size += (weight_y ? fabs(weight_y[i]) * system->speed : 0);
    }
    return fabs(by_v) + fabs(by_W) <= IMPULSE_MISMATCH * size;
}

/* ---- kinks ---- */

/* The weights of the function that vanishes at the kink of contact i; returns its value. */
static double kink_weights(const ImpulseSystem *system, int i, double *weight_I, double *weight_y) {
    int each = system->each, at = each * i, n = at + each - 1;
    const CaromProblem *problem = system->problem;
    double t[2], before = problem->velocity[n], e = problem->contacts[i].e;
    if (system->modes[i] == ACTIVE_OPEN) {
        weight_y[n] = 1;
        return system->y[n] - (before < 0 ? -e * before : 0);
    }
    if (system->modes[i] == ACTIVE_STICK) {
        double r = crm_impulse_tangential(system, system->I, i, t), mu = problem->contacts[i].mu;
        weight_I[n] = mu;
        for (int k = 0; k < each - 1 && r > 0; k++) {
            weight_I[at + k] = -t[k] / r;
        }
        return mu * system->I[n] - r;
    }
    double r = crm_impulse_tangential(system, system->y, i, t);
    for (int k = 0; k < each - 1 && r > 0; k++) {
        weight_y[at + k] = t[k] / r;
    }
    return r;
}

/* Does a contact act that rests before, at the corner of max(-v_n-, 0)? */
static int is_on_corner(const ImpulseSystem *system, int i) {
    return system->modes[i] != ACTIVE_OPEN && system->problem->contacts[i].e > 0 &&
           system->problem->velocity[system->each * (i + 1) - 1] == 0;
}

/* gradient: room for all inputs. A contact that others hold in touch stays so, and one whose share
 * no derivative is known of has no distance. */
static void find_kinks(ImpulseSlope *slope, double *gradient, CaromDerivative *derivative) {
    ImpulseSystem *system = &slope->system;
    const CaromProblem *problem = system->problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    int m = system->rows;
    double *weight_I = slope->weights, *weight_y = weight_I + m;
    for (int i = 0; i < problem->contact_count; i++) {
        int open = system->modes[i] == ACTIVE_OPEN, sticks = system->modes[i] == ACTIVE_STICK;
        memset(weight_I, 0, 2 * (size_t)m * sizeof *weight_I);
        double phi = fmax(kink_weights(system, i, weight_I, weight_y), 0);
        if (is_on_corner(system, i)) {
            kink_insert(derivative, (CaromKink){CAROM_KINK_TOUCH, i, .happens = 0, .distance = 0});
            derivative->smoothness = CAROM_ONE_SIDED;
        }
        if (!derivative->kinks ||
            (open && phi <= IMPULSE_TOUCH * system->speed && crm_impulse_depends(system, i)) ||
            !reverse_gradient(slope, weight_I, weight_y, gradient)) {
            continue;
        }
        CaromKink kink = {.kind = open     ? CAROM_KINK_TOUCH
                                  : sticks ? CAROM_KINK_STICK_HOLDS
                                           : CAROM_KINK_SLIP_STOPS,
                          .contact = i,
                          .happens = sticks,
                          .distance = kink_distance(problem, &inputs, phi, gradient)};
        kink_insert(derivative, kink);
    }
}

/* ---- the call ---- */

/* A gradient that exists must be homogeneous. */
static int gradient_is_sound(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                             double *gradient, CaromDerivative *derivative) {
    if (!reverse_gradient(slope, weight_I, weight_y, gradient)) {
        derivative->smoothness = CAROM_NOT_SMOOTH;
        derivative->message = "contacts share the load in many ways: the derivatives of their "
                              "velocities are known, those of some impulses are not";
        return 1;
    }
    return gradient_is_homogeneous(slope, weight_I, weight_y, gradient);
}

/* The Jacobian, row by row in reverse; velocity: of v+. 0: digits are lost. */
static int write_jacobian(ImpulseSlope *slope, int velocity, double *out,
                          CaromDerivative *derivative) {
    const CaromProblem *problem = slope->system.problem;
    int m = slope->system.rows, sound = 1;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    double *weight = slope->weights;
    for (int i = 0; out && i < m; i++) {
        memset(weight, 0, (size_t)m * sizeof *weight);
        weight[i] = 1;
        sound &= gradient_is_sound(slope, velocity ? NULL : weight, velocity ? weight : NULL,
                                   out + (size_t)i * (size_t)inputs.count, derivative);
    }
    return sound;
}

/* Solve with the system's own room for the answer. */
static CaromStatus solve_for_slope(const CaromProblem *problem, ImpulseSlope *slope,
                                   CaromResult *result) {
    CaromOptions options = {.workspace = solver_memory(slope)};
    double *impulse = result->impulse, *velocity = result->velocity;
    result->impulse = slope->system.I;
    result->velocity = slope->system.y;
    CaromStatus status = carom_solve(problem, &options, result);
    result->impulse = impulse;
    result->velocity = velocity;
    size_t bytes = (size_t)slope->system.rows * sizeof(double);
    if (impulse) {
        memcpy(impulse, slope->system.I, bytes);
    }
    if (velocity) {
        memcpy(velocity, slope->system.y, bytes);
    }
    return status;
}

static void set_not_smooth(const ImpulseSystem *system, const Reverse *reverse,
                           CaromDerivative *derivative, const char *why) {
    size_t inputs =
        (size_t)carom_inputs(system->problem->contact_count, system->problem->planar).count;
    size_t count = (size_t)system->rows * inputs;
    derivative->smoothness = CAROM_NOT_SMOOTH;
    derivative->message = why;
    if (system->kinked >= 0) {
        kink_insert(derivative, (CaromKink){CAROM_KINK_TOUCH, system->kinked, .distance = 0});
    }
    if (reverse) {
        fill_with_nan(inputs, reverse->gradient);
    } else {
        fill_with_nan(count, derivative->impulse);
        fill_with_nan(count, derivative->velocity);
    }
}

CaromStatus crm_impulse_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                              const Reverse *reverse, CaromDerivative *derivative) {
    ImpulseSlope slope;
    lay_out_slope(problem, workspace, &slope);
    CaromStatus status = solve_for_slope(problem, &slope, result);
    derivative->kink_count = 0;
    derivative->message = result->message;
    if (status < 0) {
        return status;
    }
    const char *why =
        crm_impulse_system_set(&slope.system, result->solutions == CAROM_SOLUTIONS_CONTINUUM);
    if (why) {
        set_not_smooth(&slope.system, reverse, derivative, why);
        return status;
    }
    int redundant = slope.system.A.rank < slope.system.rows;
    derivative->smoothness = redundant ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    derivative->message =
        !redundant ? ""
        : slope.system.rigid
            ? "contacts share the load in many ways: derivatives hold for changes of motion and "
              "inertia, of mu, and of all e together"
            : "contacts share the load in many ways: derivatives hold for changes that leave the "
              "contacts redundant, and of all e together";
    find_kinks(&slope, slope.row, derivative);
    int sound = reverse ? gradient_is_sound(&slope, reverse->impulse, reverse->velocity,
                                            reverse->gradient, derivative)
                        : write_jacobian(&slope, 0, derivative->impulse, derivative) &
                              write_jacobian(&slope, 1, derivative->velocity, derivative);
    if (!sound) {
        derivative->message = "contacts almost share the load: the derivatives have lost digits";
        return CAROM_NOT_CONVERGED;
    }
    return status;
}
