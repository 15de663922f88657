/* The general solve and trace: check, then the solver for the model. */
#include <carom/planar.h>
#include <carom/problem.h>
#include <carom/rigid.h>
#include <carom/trace.h>

#include <math.h>
#include <stddef.h>

#include "compliant/compliant.h"
#include "compliant/euler.h"
#include "core/check.h"
#include "multiple/multiple.h"
#include "planar/planar.h"
#include "rigid/rigid.h"
#include "rigid/schemes.h"

CaromContact carom_contact_default(void) {
    return (CaromContact){
        .mu = 0, .mu_static = -1, .e = 1, .stiffness = 1, .stiffness_ratio = 17.0 / 14};
}

CaromOptions carom_options_default(void) {
    return (CaromOptions){.method = CAROM_EXACT, .tolerance = INFINITY, .step = 0};
}

/* Solved by src/multiple: several contacts, or the unloading that only it knows. */
static int is_multiple(const CaromProblem *problem) {
    return problem->contact_count != 1 || problem->law == CAROM_MONO_STIFFNESS;
}

/* What the rigid model does not take. */
static const char *check_rigid(const CaromProblem *problem, const CaromOptions *options) {
    if (problem->contact_count != 1) {
        return "contacts: the rigid model takes exactly one";
    }
    if (problem->law == CAROM_MONO_STIFFNESS) {
        return "restitution: mono_stiffness belongs to the compliant model";
    }
    if ((unsigned)options->method > CAROM_VS) {
        return options->method == CAROM_EULER ? "method: euler belongs to the compliant model"
                                              : "method is not a known method";
    }
    return "";
}

/* What the compliant model does not take. */
static const char *check_compliant(const CaromProblem *problem, const CaromOptions *options) {
    if (problem->law == CAROM_POISSON || problem->law == CAROM_NEWTON) {
        return "restitution: the compliant model takes the energetic law only";
    }
    if (is_multiple(problem) && options->method == CAROM_EULER) {
        return "method: euler takes one contact of bi-stiffness";
    }
    if (options->method != CAROM_EXACT && options->method != CAROM_EULER) {
        return (unsigned)options->method < CAROM_EULER
                   ? "method: ni, fs and vs belong to the rigid model"
                   : "method is not a known method";
    }
    return "";
}

/* What no solver has to ask again. */
static CaromStatus check_problem(const CaromProblem *problem, const CaromOptions *options,
                                 const char **message) {
    *message = "";
    if (!problem->inverse_inertia || !problem->velocity || !problem->contacts) {
        *message = "inverse_inertia, velocity and contacts must not be NULL";
    } else if (problem->contact_count < 1) {
        *message = "contacts: there must be at least one";
    } else if ((unsigned)problem->law > CAROM_MONO_STIFFNESS) {
        *message = "restitution is not a known law";
    } else if ((unsigned)problem->model > CAROM_COMPLIANT) {
        *message = "model is not a known model";
    } else if (!(options->tolerance >= 0)) {
        *message = "tolerance must be a number >= 0";
    } else if (!(options->step >= 0 && options->step < INFINITY)) {
        *message = "step must be a finite number >= 0";
    } else if (!(options->stop_energy >= 0 && options->stop_energy < INFINITY)) {
        *message = "stop_energy must be a finite number >= 0";
    } else if (problem->planar && options->method != CAROM_EXACT) {
        *message = "method: a planar problem is solved by exact only";
    } else {
        *message =
            (problem->model == CAROM_RIGID ? check_rigid : check_compliant)(problem, options);
    }
    return **message ? CAROM_INVALID_INPUT : CAROM_OK;
}

/* Fail before any solver was called. */
static CaromStatus refuse(const CaromProblem *problem, CaromStatus status, const char *message,
                          CaromResult *result) {
    int count = problem->contact_count > 0 ? problem->contact_count : 0;
    return result_fail_rows(result, (problem->planar ? 2 : 3) * count, status, message);
}

/* One of the published schemes, for one spatial contact. */
static CaromStatus solve_scheme(const CaromProblem *problem, const CaromOptions *options,
                                CaromResult *result) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    const char *message;
    int rigid = problem->model == CAROM_RIGID;
    CaromStatus status = rigid ? rigid_check(W, v, problem->contacts, &message)
                               : compliant_check(W, v, 3, problem->contacts, &message);
    if (status) {
        return result_fail(result, 1, status, message);
    }
    CaromContact contact = *problem->contacts;
    if (contact.mu_static < 0) {
        contact.mu_static = contact.mu;
    }
    return rigid ? rigid_scheme_solve(W, v, &contact, problem->law, options->method, options->step,
                                      result)
                 : compliant_euler_solve(W, v, &contact, options, result);
}

static CaromStatus solve_exact(const CaromProblem *problem, const CaromOptions *options,
                               CaromResult *result) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    if (is_multiple(problem)) {
        return multiple_solve(problem, options->workspace, NULL, result);
    }
    if (problem->model == CAROM_COMPLIANT) {
        return compliant_solve(W, v, problem->planar ? 2 : 3, problem->contacts, result);
    }
    return (problem->planar ? carom_planar_solve : carom_rigid_solve)(W, v, problem->contacts,
                                                                      problem->law, result);
}

CaromStatus carom_solve(const CaromProblem *problem, const CaromOptions *options,
                        CaromResult *result) {
    CaromOptions defaults = carom_options_default();
    const char *message;
    options = options ? options : &defaults;
    result_begin(result);
    CaromStatus status = check_problem(problem, options, &message);
    if (status) {
        return refuse(problem, status, message, result);
    }
    if (options->method != CAROM_EXACT) {
        return solve_scheme(problem, options, result);
    }
    status = solve_exact(problem, options, result);
    if (status >= 0 && result->error > options->tolerance) {
        result->status = CAROM_NOT_CONVERGED;
        result->message = "the estimated error is larger than the tolerance";
    }
    return result->status;
}

CaromStatus carom_trace(const CaromProblem *problem, CaromTrace *trace, CaromResult *result) {
    CaromOptions defaults = carom_options_default();
    CaromResult none = {0};
    const char *message;
    result = result ? result : &none;
    trace->count = 0;
    CaromStatus status = check_problem(problem, &defaults, &message);
    if (!status && trace->capacity < 2) {
        status = CAROM_INVALID_INPUT;
        message = "trace: capacity must be at least 2";
    }
    if (status) {
        return refuse(problem, status, message, result);
    }
    if (is_multiple(problem)) {
        return multiple_solve(problem, NULL, trace, result);
    }
    if (problem->model == CAROM_COMPLIANT) {
        return compliant_trace(problem->inverse_inertia, problem->velocity, problem->planar ? 2 : 3,
                               problem->contacts, trace, result);
    }
    return (problem->planar ? planar_trace : rigid_trace)(problem->inverse_inertia,
                                                          problem->velocity, problem->contacts,
                                                          problem->law, trace, result);
}
