/* Several rigid contacts at impulse level: implicit differentiation of the active modes.
 *
 * With y = v- + W I each contact obeys, in its mode,
 *
 *   open    I = 0
 *   stick   y_t = 0,                        y_n = target
 *   slip    I_t + mu I_n y_t/|y_t| = 0,     y_n = target,   target = e max(-v_n-, 0)
 *
 * These are equations F(I, y) = c with F_y = C and, as dy = W dI + (dW I + dv-),
 *
 *   A dI = -C (dW I + dv-) + (what mu, e and v_n- change),   A = F_I + C W.
 *
 * One elimination serves all inputs. In reverse, lambda = A^-T w gives the gradient of every input.
 */
#include "derivative/impulse_slope.h"

#include <stdint.h>
#include <string.h>

#include <carom/solve.h>

#include "contact/check.h"
#include "derivative/elimination.h"
#include "derivative/kink_list.h"
#include "derivative/packed.h"
#include "math/functions.h"

/* Relative to all speeds: below this a contact sticks. */
static const double NO_SLIP_SPEED = 1e-10;

/* Relative to the largest impulse: below this it is open. */
static const double NO_IMPULSE = 1e-13;

/* Largest accepted error of the identities: the impulse is homogeneous of degree 1 in v and -1 in
 * W. Relative to the impulses: contacts that almost share their load have large derivatives without
 * digits. */
static const double IMPULSE_MISMATCH = 1e-8;

typedef enum ImpulseMode { ACTIVE_OPEN, ACTIVE_STICK, ACTIVE_SLIP } ImpulseMode;

/* The problem at its solution; arrays are in the workspace. */
typedef struct ImpulseSlope {
    const CaromProblem *problem;
    int rows, each; /* each: rows of a contact */
    double *I, *y;
    double *A;                          /* eliminated */
    double *C;                          /* m x m, block diagonal */
    double *transposed;                 /* A^T, eliminated */
    double *scratch;                    /* 4 m */
    double *pivots, *transposed_pivots; /* indices */
    double *modes;
    double *row; /* room for a gradient */
} ImpulseSlope;

size_t crm_impulse_slope_workspace(int contact_count) {
    size_t bytes = carom_workspace_size(contact_count);
    if (bytes == 0) {
        return 0;
    }
    size_t n = (size_t)contact_count, m = 3 * n;
    size_t row = (size_t)carom_inputs(contact_count, 0).count;
    return 3 * m * m + 8 * m + n + row + bytes / sizeof(double) + 3;
}

static void lay_out_slope(const CaromProblem *problem, double *workspace, ImpulseSlope *slope) {
    size_t n = (size_t)problem->contact_count, m = 3 * n;
    slope->problem = problem;
    slope->each = problem->planar ? 2 : 3;
    slope->rows = slope->each * problem->contact_count;
    slope->I = workspace;
    slope->y = slope->I + m;
    slope->A = slope->y + m;
    slope->transposed = slope->A + m * m;
    slope->C = slope->transposed + m * m;
    slope->scratch = slope->C + m * m;
    slope->pivots = slope->scratch + 4 * m;
    slope->transposed_pivots = slope->pivots + m;
    slope->modes = slope->transposed_pivots + m;
    slope->row = slope->modes + n;
}

/* What is left of the workspace, aligned for the solver. */
static void *solver_memory(const ImpulseSlope *slope) {
    double *rest = slope->row + carom_inputs(slope->problem->contact_count, 0).count;
    return (uintptr_t)rest % 16 ? rest + 1 : rest;
}

/* ---- the equations ---- */

/* Tangential rows of a vector at a contact; planar: one. Returns their length. */
static double tangential_part(const ImpulseSlope *slope, const double *x, int contact,
                              double t[2]) {
    const double *at = x + slope->each * contact;
    t[0] = at[0];
    t[1] = slope->each == 3 ? at[1] : 0;
    return hypot(t[0], t[1]);
}

static void find_active_modes(ImpulseSlope *slope) {
    int n = slope->problem->contact_count, each = slope->each;
    double speed = 0, push = 0;
    for (int i = 0; i < slope->rows; i++) {
        speed = fmax(speed, fmax(fabs(slope->y[i]), fabs(slope->problem->velocity[i])));
        push = fmax(push, fabs(slope->I[i]));
    }
    for (int i = 0; i < n; i++) {
        double t[2], r = tangential_part(slope, slope->y, i, t), *I = slope->I + each * i;
        int open = I[each - 1] <= NO_IMPULSE * push;
        slope->modes[i] = open                         ? ACTIVE_OPEN
                          : r <= NO_SLIP_SPEED * speed ? ACTIVE_STICK
                                                       : ACTIVE_SLIP;
        if (!open && slope->problem->contacts[i].mu == 0) {
            slope->modes[i] = ACTIVE_SLIP;
        }
    }
}

/* C, and F_I in A. */
static void set_mode_blocks(ImpulseSlope *slope) {
    int m = slope->rows, each = slope->each, last = each - 1;
    memset(slope->A, 0, (size_t)m * (size_t)m * sizeof *slope->A);
    memset(slope->C, 0, (size_t)m * (size_t)m * sizeof *slope->C);
    for (int i = 0; i < slope->problem->contact_count; i++) {
        int at = each * i, n = at + last;
        double *A = slope->A, *C = slope->C, t[2], mu = slope->problem->contacts[i].mu;
        if (slope->modes[i] == ACTIVE_OPEN) {
            for (int k = at; k <= n; k++) {
                A[k * m + k] = 1;
            }
            continue;
        }
        C[n * m + n] = 1;
        double r = tangential_part(slope, slope->y, i, t), I = slope->I[n];
        for (int k = 0; k < last; k++) {
            if (slope->modes[i] == ACTIVE_STICK) {
                C[(at + k) * m + at + k] = 1;
                continue;
            }
            double s = r > 0 ? t[k] / r : 0;
            A[(at + k) * m + at + k] = 1;
            A[(at + k) * m + n] = mu * s;
            for (int l = 0; l < last && r > 0; l++) {
                C[(at + k) * m + at + l] = mu * I * ((k == l) - s * t[l] / r) / r;
            }
        }
    }
}

/* A = F_I + C W, and its transpose; 0 if singular. */
static int set_implicit_system(ImpulseSlope *slope) {
    int m = slope->rows;
    const double *W = slope->problem->inverse_inertia;
    set_mode_blocks(slope);
    for (int i = 0; i < m; i++) {
        int block = slope->each * (i / slope->each);
        for (int j = 0; j < m; j++) {
            for (int k = block; k < block + slope->each; k++) {
                slope->A[i * m + j] += slope->C[i * m + k] * W[k * m + j];
            }
        }
    }
    for (int i = 0; i < m * m; i++) {
        slope->transposed[i] = slope->A[(i % m) * m + i / m];
    }
    return eliminate_rows(m, slope->A, slope->pivots, slope->scratch) &&
           eliminate_rows(m, slope->transposed, slope->transposed_pivots, slope->scratch);
}

/* ---- reverse ---- */

/* The gradient of L with dL/dI = weight_I, dL/dy = weight_y (either NULL). */
static void reverse_gradient(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                             double *gradient) {
    const CaromProblem *problem = slope->problem;
    const double *W = problem->inverse_inertia, *I = slope->I;
    int m = slope->rows, each = slope->each, last = each - 1;
    double *lambda = slope->scratch, *g = lambda + m;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    for (int i = 0; i < m; i++) {
        lambda[i] = weight_I ? weight_I[i] : 0;
        for (int j = 0; weight_y && j < m; j++) {
            lambda[i] += W[j * m + i] * weight_y[j];
        }
    }
    solve_rows(m, slope->transposed, slope->transposed_pivots, lambda);
    /* g = dL/d(dW I + dv-) */
    for (int i = 0; i < m; i++) {
        int block = each * (i / each);
        g[i] = weight_y ? weight_y[i] : 0;
        for (int k = block; k < block + each; k++) {
            g[i] -= slope->C[k * m + i] * lambda[k];
        }
    }
    memset(gradient, 0, (size_t)inputs.count * sizeof *gradient);
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            gradient[packed_index(m, i, j)] = i == j ? g[i] * I[i] : g[i] * I[j] + g[j] * I[i];
        }
        gradient[inputs.v + i] = g[i];
    }
    for (int i = 0; i < problem->contact_count; i++) {
        int n = each * i + last;
        const CaromContact *contact = &problem->contacts[i];
        double t[2], r = tangential_part(slope, slope->y, i, t), before = problem->velocity[n];
        double *coefficient = gradient + inputs.contact + CAROM_COEFFICIENT_COUNT * i;
        if (slope->modes[i] != ACTIVE_OPEN && before < 0) {
            coefficient[CAROM_COEFFICIENT_E] = -before * lambda[n];
            gradient[inputs.v + n] -= contact->e * lambda[n];
        }
        for (int k = 0; k < last && slope->modes[i] == ACTIVE_SLIP && r > 0; k++) {
            coefficient[CAROM_COEFFICIENT_MU] -= lambda[each * i + k] * I[n] * t[k] / r;
        }
    }
}

/* Is the gradient of weight_I.I + weight_y.y homogeneous as it must be? */
static int gradient_is_homogeneous(const ImpulseSlope *slope, const double *weight_I,
                                   const double *weight_y, const double *gradient) {
    const CaromProblem *problem = slope->problem;
    const double *W = problem->inverse_inertia;
    int m = slope->rows, v = m * (m + 1) / 2;
    double by_v = 0, by_W = 0, size = 0, speed = 0, push = 0;
    for (int i = 0; i < m; i++) {
        double I = weight_I ? weight_I[i] : 0, y = weight_y ? weight_y[i] : 0;
        by_v += gradient[v + i] * problem->velocity[i] - I * slope->I[i] - y * slope->y[i];
        by_W += I * slope->I[i];
        speed = fmax(speed, fmax(fabs(slope->y[i]), fabs(problem->velocity[i])));
        push = fmax(push, fabs(slope->I[i]));
        for (int j = i; j < m; j++) {
            by_W += gradient[packed_index(m, i, j)] * W[i * m + j];
        }
    }
    for (int i = 0; i < m; i++) {
        size += (weight_I ? fabs(weight_I[i]) * push : 0);
        size += (weight_y ? fabs(weight_y[i]) * speed : 0);
    }
    return fabs(by_v) + fabs(by_W) <= IMPULSE_MISMATCH * size;
}

/* ---- kinks ---- */

/* The weights of the function that vanishes at the kink of contact i; returns its value. */
static double kink_weights(const ImpulseSlope *slope, int i, double *weight_I, double *weight_y) {
    int each = slope->each, at = each * i, n = at + each - 1;
    const CaromProblem *problem = slope->problem;
    double t[2], before = problem->velocity[n], e = problem->contacts[i].e;
    if (slope->modes[i] == ACTIVE_OPEN) {
        weight_y[n] = 1;
        return slope->y[n] - (before < 0 ? -e * before : 0);
    }
    if (slope->modes[i] == ACTIVE_STICK) {
        double r = tangential_part(slope, slope->I, i, t), mu = problem->contacts[i].mu;
        weight_I[n] = mu;
        for (int k = 0; k < each - 1 && r > 0; k++) {
            weight_I[at + k] = -t[k] / r;
        }
        return mu * slope->I[n] - r;
    }
    double r = tangential_part(slope, slope->y, i, t);
    for (int k = 0; k < each - 1 && r > 0; k++) {
        weight_y[at + k] = t[k] / r;
    }
    return r;
}

/* Does a contact that acts rest before, at the corner of max(-v_n-, 0)? */
static int is_on_corner(const ImpulseSlope *slope) {
    for (int i = 0; i < slope->problem->contact_count; i++) {
        double before = slope->problem->velocity[slope->each * (i + 1) - 1];
        if (slope->modes[i] != ACTIVE_OPEN && before == 0 && slope->problem->contacts[i].e > 0) {
            return 1;
        }
    }
    return 0;
}

/* gradient: room for all inputs. */
static void find_kinks(ImpulseSlope *slope, double *gradient, CaromDerivative *derivative) {
    const CaromProblem *problem = slope->problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    int m = slope->rows;
    double *weight_I = slope->scratch + 2 * m, *weight_y = weight_I + m;
    for (int i = 0; i < problem->contact_count && derivative->kinks; i++) {
        memset(weight_I, 0, 2 * (size_t)m * sizeof *weight_I);
        double phi = fmax(kink_weights(slope, i, weight_I, weight_y), 0);
        reverse_gradient(slope, weight_I, weight_y, gradient);
        CaromKink kink = {.kind = slope->modes[i] == ACTIVE_OPEN    ? CAROM_KINK_TOUCH
                                  : slope->modes[i] == ACTIVE_STICK ? CAROM_KINK_STICK_HOLDS
                                                                    : CAROM_KINK_SLIP_STOPS,
                          .contact = i,
                          .happens = slope->modes[i] == ACTIVE_STICK,
                          .distance = kink_distance(problem, &inputs, phi, gradient)};
        kink_insert(derivative, kink);
    }
}

/* ---- the call ---- */

/* The Jacobian, row by row in reverse; velocity: of v+. 0: digits are lost. */
static int write_jacobian(ImpulseSlope *slope, int velocity, double *out) {
    int m = slope->rows, sound = 1;
    CaromInputs inputs = carom_inputs(slope->problem->contact_count, slope->problem->planar);
    double *weight = slope->scratch + 2 * m;
    for (int i = 0; out && i < m; i++) {
        memset(weight, 0, (size_t)m * sizeof *weight);
        weight[i] = 1;
        const double *by_I = velocity ? NULL : weight, *by_v = velocity ? weight : NULL;
        double *row = out + (size_t)i * (size_t)inputs.count;
        reverse_gradient(slope, by_I, by_v, row);
        sound &= gradient_is_homogeneous(slope, by_I, by_v, row);
    }
    return sound;
}

CaromStatus crm_impulse_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                              const Reverse *reverse, CaromDerivative *derivative) {
    ImpulseSlope slope;
    lay_out_slope(problem, workspace, &slope);
    CaromOptions options = {.workspace = solver_memory(&slope)};
    double *impulse = result->impulse, *velocity = result->velocity;
    result->impulse = slope.I;
    result->velocity = slope.y;
    CaromStatus status = carom_solve(problem, &options, result);
    result->impulse = impulse;
    result->velocity = velocity;
    size_t bytes = (size_t)slope.rows * sizeof(double);
    if (impulse) {
        memcpy(impulse, slope.I, bytes);
    }
    if (velocity) {
        memcpy(velocity, slope.y, bytes);
    }
    derivative->kink_count = 0;
    derivative->message = result->message;
    if (status < 0) {
        return status;
    }
    derivative->message = "";
    find_active_modes(&slope);
    if (result->solutions == CAROM_SOLUTIONS_CONTINUUM || !set_implicit_system(&slope)) {
        derivative->message = "contacts share the load in many ways: there is no derivative";
        return CAROM_NOT_CONVERGED;
    }
    derivative->smoothness = is_on_corner(&slope) ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    find_kinks(&slope, slope.row, derivative);
    int sound;
    if (reverse) {
        reverse_gradient(&slope, reverse->impulse, reverse->velocity, reverse->gradient);
        sound =
            gradient_is_homogeneous(&slope, reverse->impulse, reverse->velocity, reverse->gradient);
    } else {
        sound = write_jacobian(&slope, 0, derivative->impulse);
        sound &= write_jacobian(&slope, 1, derivative->velocity);
    }
    if (!sound) {
        derivative->message = "contacts almost share the load: the derivatives have lost digits";
        return CAROM_NOT_CONVERGED;
    }
    return status;
}
