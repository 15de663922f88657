/* Several rigid contacts at impulse level: implicit differentiation of the law of the active modes
 * (impulse_system.h), row by row in reverse (impulse_adjoint.h). */
#include "derivative/impulse_slope.h"

#include <stdint.h>
#include <string.h>

#include <carom/solve.h>

#include "derivative/impulse_adjoint.h"
#include "derivative/impulse_kinks.h"
#include "derivative/kink_list.h"
#include "derivative/packed.h"
#include "math/functions.h"

/* Largest accepted error of the identities: the impulse is homogeneous of degree 1 in v and -1 in
 * W. Relative to the impulses: contacts that almost share their load have large derivatives without
 * digits. */
static const double IMPULSE_MISMATCH = 1e-8;

enum { SLOPE_VECTORS = 13 };

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
    double **const vectors[] = {&slope->w,    &slope->wy,    &slope->b,      &slope->a,
                                &slope->Wa,   &slope->z,     &slope->p,      &slope->by_I,
                                &slope->by_y, &slope->by_mu, &slope->release};
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

/* A gradient that exists must be homogeneous. */
static int gradient_is_sound(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                             double *gradient, CaromDerivative *derivative) {
    if (!crm_impulse_gradient(slope, weight_I, weight_y, gradient)) {
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

static void fill_with_nan(size_t count, double *numbers) {
    for (size_t i = 0; i < count && numbers; i++) {
        numbers[i] = NAN;
    }
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

/* What derivatives of contacts that share their load hold for. */
static void describe_redundancy(const ImpulseSystem *system, CaromDerivative *derivative) {
    int redundant = system->alike || system->A.rank < system->rows;
    derivative->smoothness = redundant ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    derivative->message =
        !redundant ? ""
        : system->alike
            ? "contacts share the load in many ways: derivatives hold for changes that leave the "
              "contacts redundant, of all mu in proportion, and of all e together"
        : system->rigid
            ? "contacts share the load in many ways: derivatives hold for changes of motion and "
              "inertia, of mu, and of all e together"
            : "contacts share the load in many ways: derivatives hold for changes that leave the "
              "contacts redundant, and of all e together";
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
    why = why ? why : crm_impulse_unloaded(&slope);
    if (why) {
        set_not_smooth(&slope.system, reverse, derivative, why);
        return status;
    }
    describe_redundancy(&slope.system, derivative);
    crm_impulse_kinks(&slope, slope.row, derivative);
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
