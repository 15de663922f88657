/* The public calls: choose the solver, arrange its derivatives, sort the kinks. */
#include <carom/derivative.h>

#include <string.h>

#include "contact/check.h"
#include "contact/result.h"
#include "derivative/compliant_follow.h"
#include "derivative/impulse_slope.h"
#include "derivative/multiple_slope.h"
#include "derivative/one.h"
#include "derivative/planar_inputs.h"
#include "derivative/rigid_choice.h"
#include "math/array.h"
#include "math/functions.h"

size_t carom_derivative_workspace(int contact_count) {
    if (contact_count < 2 || contact_count > CAROM_CONTACTS_MAX) {
        return 0;
    }
    size_t impulse = crm_impulse_slope_workspace(contact_count);
    size_t multiple = crm_multiple_slope_workspace(contact_count);
    return impulse > multiple ? impulse : multiple;
}

/* The inputs of one contact as a vector, with defaults written out. */
static void fill_inputs(const CaromProblem *problem, double inputs[CAROM_INPUTS_ONE]) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    const CaromContact *contact = problem->contacts;
    double flat[9] = {W[0], 0, W[1], 0, 0, 0, W[2], 0, W[3]};
    const double *full = problem->planar ? flat : W;
    const double all[CAROM_INPUTS_ONE] = {full[0],
                                          full[1],
                                          full[2],
                                          full[4],
                                          full[5],
                                          full[8],
                                          v[0],
                                          problem->planar ? 0 : v[1],
                                          v[problem->planar ? 1 : 2],
                                          contact->mu,
                                          contact_mu_static(contact),
                                          contact->e,
                                          contact->stiffness > 0 ? contact->stiffness : 1,
                                          contact_stiffness_ratio(contact)};
    memcpy(inputs, all, sizeof all);
}

/* Write the kinks, nearest first, and the smoothness: on a kink the derivative is one-sided. */
static void write_kinks(const CaromProblem *problem, const OneSlope *slope,
                        CaromDerivative *derivative) {
    double inputs[CAROM_INPUTS_ONE];
    CaromKink kinks[CAROM_KINKS_ONE];
    derivative->kink_count = slope->kink_count;
    derivative->smoothness = slope->smoothness;
    derivative->residual = slope->residual;
    if (slope->kink_count == 0) {
        return;
    }
    fill_inputs(problem, inputs);
    for (int i = 0; i < slope->kink_count; i++) {
        const OneKink *kink = &slope->kinks[i];
        double reach = 0;
        for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
            double change = fabs(kink->by[j] * inputs[j]);
            reach = change > reach ? change : reach;
        }
        double phi = fabs(kink->phi), distance = phi == 0 ? 0 : reach > 0 ? phi / reach : INFINITY;
        CaromKink out = {kink->kind, 0, kink->happens, distance, kink->jumps};
        if (distance == 0 && slope->smoothness == CAROM_SMOOTH) {
            derivative->smoothness = CAROM_ONE_SIDED;
        }
        int at = i;
        for (; at > 0 && kinks[at - 1].distance > distance; at--) {
            kinks[at] = kinks[at - 1];
        }
        kinks[at] = out;
    }
    for (int i = 0; derivative->kinks && i < slope->kink_count && i < derivative->kink_capacity;
         i++) {
        derivative->kinks[i] = kinks[i];
    }
}

/* Does it take the program for several contacts? As carom_solve() has it. */
static int is_several(const CaromProblem *problem) {
    return problem->contact_count > 1 ||
           (problem->model == CAROM_MODEL_COMPLIANT && problem->law == CAROM_LAW_MONO_STIFFNESS);
}

/* One contact by the solver of its model. */
static CaromStatus differentiate_one(const CaromProblem *problem, CaromResult *result,
                                     OneSlope *slope) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    const CaromContact *contact = problem->contacts;
    CaromStatus (*rigid)(const double *, const double *, const CaromContact *, CaromLaw,
                         CaromResult *, OneSlope *) =
        problem->planar ? crm_planar_slope : crm_rigid_slope;
    if (problem->model == CAROM_MODEL_COMPLIANT && contact->mu != 0) {
        return crm_compliant_follow(W, v, problem->planar ? 2 : 3, contact, result, slope);
    }
    /* without friction both models are the same, mu = 0 included: slip follows v_t */
    return rigid(W, v, contact, problem->law, result, slope);
}

/* Rows of a spatial contact, or those of the planar one. */
static void write_outcome_rows(int planar, double rows[3][CAROM_INPUTS_ONE], double *out) {
    if (!planar) {
        memcpy(out, rows, 3 * sizeof *rows);
        return;
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < PLANAR_COUNT; j++) {
            out[i * PLANAR_COUNT + j] = rows[2 * i][PLANAR_INPUTS[j]];
        }
    }
}

static CaromStatus fail_derivative(const CaromProblem *problem, CaromStatus status,
                                   const char *message, CaromDerivative *derivative) {
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    size_t size = (size_t)inputs.rows * (size_t)inputs.count;
    array_fill_nan(derivative->impulse, size);
    array_fill_nan(derivative->velocity, size);
    derivative->kink_count = 0;
    derivative->smoothness = CAROM_NOT_SMOOTH;
    derivative->residual = NAN;
    derivative->message = message;
    return status;
}

/* What is not differentiated. */
static const char *check_derivative(const CaromProblem *problem, const double *workspace) {
    if (!problem->inverse_inertia || !problem->velocity || !problem->contacts) {
        return "inverse_inertia, velocity and contacts must not be NULL";
    }
    if (problem->contact_count < 1 || problem->contact_count > CAROM_CONTACTS_MAX) {
        return "contact_count must be at least 1 and at most CAROM_CONTACTS_MAX";
    }
    if (problem->contact_count > 1 && !workspace) {
        return "workspace: several contacts need one";
    }
    if ((unsigned)problem->model > CAROM_MODEL_COMPLIANT) {
        return "model is not a known model";
    }
    if (problem->model == CAROM_MODEL_COMPLIANT && problem->law != CAROM_LAW_ENERGETIC &&
        problem->law != CAROM_LAW_MONO_STIFFNESS) {
        return "derivatives: compliant contacts take the energetic law or mono_stiffness";
    }
    return NULL;
}

/* Several contacts by the solver of their model. */
static CaromStatus differentiate_several(const CaromProblem *problem, double *workspace,
                                         CaromResult *result, const Reverse *reverse,
                                         CaromDerivative *derivative) {
    derivative->residual = NAN;
    if (problem->contact_count == 1) {
        return crm_multiple_slope_one(problem, result, reverse, derivative);
    }
    return (problem->model == CAROM_MODEL_COMPLIANT ? crm_multiple_slope : crm_impulse_slope)(
        problem, workspace, result, reverse, derivative);
}

/* Fail both result and derivative. */
static CaromStatus refuse_derivative(const CaromProblem *problem, const char *message,
                                     CaromResult *result, CaromDerivative *derivative) {
    crm_result_fail(result, problem_entries(problem), CAROM_INVALID_INPUT, message);
    return fail_derivative(problem, CAROM_INVALID_INPUT, message, derivative);
}

/* A result that the caller does not want. */
static CaromResult *empty_result(CaromResult *result) {
    *result = (CaromResult){0};
    return result;
}

CaromStatus carom_differentiate(const CaromProblem *problem, double *workspace, CaromResult *result,
                                CaromDerivative *derivative) {
    CaromResult own;
    OneSlope slope;
    slope.weights = NULL;
    if (!problem || !derivative) {
        return CAROM_INVALID_INPUT;
    }
    slope.wants_kinks = 1;
    slope.residual = NAN;
    slope.wants_near = derivative->kinks && derivative->kink_capacity > 0;
    result = result ? result : empty_result(&own);
    const char *message = check_derivative(problem, workspace);
    if (message) {
        return refuse_derivative(problem, message, result, derivative);
    }
    if (is_several(problem)) {
        CaromStatus several = differentiate_several(problem, workspace, result, NULL, derivative);
        return several < 0 ? fail_derivative(problem, several, derivative->message, derivative)
                           : several;
    }
    CaromStatus status = differentiate_one(problem, result, &slope);
    if (status < 0) {
        return fail_derivative(problem, status,
                               result->status < 0 ? result->message : slope.message, derivative);
    }
    if (derivative->impulse) {
        write_outcome_rows(problem->planar, slope.outcome, derivative->impulse);
    }
    if (derivative->velocity) {
        write_outcome_rows(problem->planar, slope.outcome + 3, derivative->velocity);
    }
    write_kinks(problem, &slope, derivative);
    derivative->message = slope.message;
    return status;
}

/* One contact in reverse; kinks and the rest go to *rest. */
static CaromStatus reverse_one(const CaromProblem *problem, const Reverse *reverse, int wants_kinks,
                               CaromResult *result, CaromDerivative *rest) {
    double weights[6] = {0}, *gradient = reverse->gradient;
    OneSlope slope;
    slope.weights = weights;
    slope.wants_kinks = wants_kinks;
    slope.residual = NAN;
    slope.wants_near = rest->kinks && rest->kink_capacity > 0;
    for (int i = 0; i < 6; i++) {
        const double *given = i < 3 ? reverse->impulse : reverse->velocity;
        int at = problem->planar ? i % 3 / 2 : i % 3, left_out = problem->planar && i % 3 == 1;
        weights[i] = given && !left_out ? given[at] : 0;
    }
    CaromStatus status = differentiate_one(problem, result, &slope);
    if (status < 0) {
        rest->message = result->status < 0 ? result->message : slope.message;
        return status;
    }
    for (int j = 0; j < (problem->planar ? PLANAR_COUNT : CAROM_INPUTS_ONE); j++) {
        gradient[j] = slope.outcome[0][problem->planar ? PLANAR_INPUTS[j] : j];
    }
    write_kinks(problem, &slope, rest);
    rest->message = slope.message;
    return status;
}

CaromStatus carom_differentiate_reverse(const CaromProblem *problem, const double *impulse_weight,
                                        const double *velocity_weight, double *workspace,
                                        CaromResult *result, CaromDerivative *derivative,
                                        double *gradient) {
    CaromResult own;
    if (!problem || !gradient) {
        return CAROM_INVALID_INPUT;
    }
    CaromDerivative rest = derivative ? *derivative : (CaromDerivative){0};
    const Reverse reverse = {impulse_weight, velocity_weight, gradient};
    result = result ? result : empty_result(&own);
    rest.impulse = rest.velocity = NULL;
    const char *message = check_derivative(problem, workspace);
    CaromStatus status = message ? refuse_derivative(problem, message, result, &rest)
                         : is_several(problem)
                             ? differentiate_several(problem, workspace, result, &reverse, &rest)
                             : reverse_one(problem, &reverse, derivative != NULL, result, &rest);
    if (status < 0) {
        CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
        fail_derivative(problem, status, rest.message, &rest);
        array_fill_nan(gradient, (size_t)inputs.count);
    }
    if (derivative) {
        rest.impulse = derivative->impulse;
        rest.velocity = derivative->velocity;
        *derivative = rest;
    }
    return status;
}
