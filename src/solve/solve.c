/* The general solve: check, then the solver for the model. */
#include "solve/solve.h"

#include <math.h>
#include <stddef.h>

#include <carom/derivative.h>
#include <carom/sequence.h>

#include "compliant/compliant.h"
#include "compliant/euler.h"
#include "contact/check.h"
#include "contact/result.h"
#include "impulse/impulse.h"
#include "multiple/multiple.h"
#include "multiple_euler/multiple_euler.h"
#include "planar/planar.h"
#include "rigid/rigid.h"
#include "rigid/scheme/scheme.h"

CaromContact carom_contact_default(void) {
    return (CaromContact){.e = 1, .stiffness = 1, .stiffness_ratio = 17.0 / 14};
}

CaromOptions carom_options_default(void) {
    return (CaromOptions){.method = CAROM_METHOD_EXACT};
}

size_t carom_workspace_size(int contact_count) {
    if (contact_count < 1 || contact_count > CAROM_CONTACTS_MAX) {
        return 0;
    }
    size_t multiple = crm_multiple_workspace_size(contact_count);
    size_t impulse = crm_impulse_workspace_size(contact_count);
    return multiple > impulse ? multiple : impulse;
}

/* Solved as several contacts: more than one, or an unloading that one contact alone has not. */
static int is_multiple(const CaromProblem *problem) {
    return problem->contact_count != 1 || problem->law == CAROM_LAW_MONO_STIFFNESS ||
           problem->law == CAROM_LAW_PLASTIC_DEFORMATION;
}

/* What the rigid model does not take. */
static const char *check_rigid(const CaromProblem *problem, const CaromOptions *options) {
    if (options->method == CAROM_METHOD_SEQUENCE) {
        return ""; /* carom_sequence_solve() checks */
    }
    if (problem->law == CAROM_LAW_MONO_STIFFNESS) {
        return "restitution: mono_stiffness belongs to the compliant model";
    }
    if (problem->law == CAROM_LAW_PLASTIC_DEFORMATION) {
        return "restitution: plastic_deformation belongs to the compliant model";
    }
    if (problem->contact_count != 1 && problem->law != CAROM_LAW_NEWTON) {
        return "restitution: several rigid contacts take newton's law only";
    }
    if (problem->contact_count != 1 && options->method != CAROM_METHOD_EXACT) {
        return "method: several rigid contacts are solved by exact or sequence only";
    }
    if ((unsigned)options->method > CAROM_METHOD_VS) {
        return options->method == CAROM_METHOD_EULER
                   ? "method: euler belongs to the compliant model"
                   : "method is not a known method";
    }
    return "";
}

/* What the compliant model does not take. */
static const char *check_compliant(const CaromProblem *problem, const CaromOptions *options) {
    if (problem->law == CAROM_LAW_POISSON || problem->law == CAROM_LAW_NEWTON) {
        return "restitution: the compliant model takes the energetic law only";
    }
    if (problem->law == CAROM_LAW_PLASTIC_DEFORMATION && options->method == CAROM_METHOD_EXACT) {
        return "restitution: plastic_deformation is solved by the method euler only";
    }
    if (options->method != CAROM_METHOD_EXACT && options->method != CAROM_METHOD_EULER) {
        return options->method == CAROM_METHOD_SEQUENCE
                   ? "method: sequence belongs to the rigid model"
               : (unsigned)options->method < CAROM_METHOD_EULER
                   ? "method: ni, fs and vs belong to the rigid model"
                   : "method is not a known method";
    }
    return "";
}

/* Is it a finite number >= 0? */
static int is_size(double x) {
    return x >= 0 && x < INFINITY;
}

static const char *check_scheme(const CaromSchemeOptions *scheme) {
    return !is_size(scheme->step) ? "step must be a finite number >= 0"
           : !is_size(scheme->h1) ? "h1 must be a finite number >= 0"
           : !is_size(scheme->h2) ? "h2 must be a finite number >= 0"
           : !(is_size(scheme->epsilon) && scheme->epsilon <= 1) ? "epsilon must be in (0, 1]"
           : !is_size(scheme->straight)    ? "straight must be a finite number >= 0"
           : !is_size(scheme->zero)        ? "zero must be a finite number >= 0"
           : !is_size(scheme->stop_energy) ? "stop_energy must be a finite number >= 0"
                                           : "";
}

/* What no solver has to check again. */
static CaromStatus check_problem(const CaromProblem *problem, const CaromOptions *options,
                                 const char **message) {
    *message = crm_check_arrays(problem);
    if (**message) {
        return CAROM_INVALID_INPUT;
    }
    if ((unsigned)problem->law > CAROM_LAW_PLASTIC_DEFORMATION) {
        *message = "restitution is not a known law";
    } else if ((unsigned)problem->model > CAROM_MODEL_COMPLIANT) {
        *message = "model is not a known model";
    } else if (!(options->tolerance >= 0)) {
        *message = "tolerance must be a number >= 0";
    } else if (problem->planar && options->method != CAROM_METHOD_EXACT &&
               options->method != CAROM_METHOD_SEQUENCE) {
        *message = "method: a planar problem is solved by exact or sequence only";
    } else {
        *message = check_scheme(&options->scheme);
        if (!**message) {
            *message = (problem->model == CAROM_MODEL_RIGID ? check_rigid
                                                            : check_compliant)(problem, options);
        }
    }
    return **message ? CAROM_INVALID_INPUT : CAROM_OK;
}

/* One of the published schemes, for spatial contacts. */
static CaromStatus solve_scheme(const CaromProblem *problem, const CaromOptions *options,
                                CaromResult *result) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    const char *message;
    int rigid = problem->model == CAROM_MODEL_RIGID;
    if (is_multiple(problem)) {
        return crm_multiple_euler_solve(problem, &options->scheme, result);
    }
    CaromStatus status = rigid ? crm_rigid_check(W, v, problem->contacts, &message)
                               : crm_compliant_check(W, v, 3, problem->contacts, &message);
    if (status) {
        return crm_result_fail(result, 3, status, message);
    }
    return rigid ? crm_rigid_scheme_solve(W, v, problem->contacts, problem->law, options, result)
                 : crm_compliant_euler_solve(W, v, problem->contacts, &options->scheme, result);
}

static CaromStatus solve_exact(const CaromProblem *problem, const CaromOptions *options,
                               Sampler *sampler, CaromResult *result) {
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    const CaromContact *contact = problem->contacts;
    if (problem->model == CAROM_MODEL_RIGID && problem->contact_count != 1) {
        return crm_impulse_solve(problem, options->workspace, result);
    }
    if (is_multiple(problem)) {
        return crm_multiple_solve(problem, options->workspace, sampler, result);
    }
    if (problem->model == CAROM_MODEL_COMPLIANT) {
        return crm_compliant_solve(W, v, problem->planar ? 2 : 3, contact, sampler, result);
    }
    return (problem->planar ? crm_planar_solve : crm_rigid_solve)(W, v, contact, problem->law,
                                                                  sampler, result);
}

/* May the outcome of one rigid contact jump near here? Only where friction can turn v_n around, or
 * mu_static holds what mu would not. */
static int may_jump(const CaromProblem *problem) {
    const CaromContact *contact = problem->contacts;
    int rows = problem->planar ? 2 : 3;
    if (problem->model != CAROM_MODEL_RIGID) {
        return 0; /* not looked for */
    }
    const double *d = &problem->inverse_inertia[(rows - 1) * rows];
    double across = problem->planar ? fabs(d[0]) : hypot(d[0], d[1]);
    return contact->mu * across > d[rows - 1] || contact_mu_static(contact) > contact->mu;
}

/* The nearest kink at which the outcome jumps. */
static CaromJump find_jump(const CaromProblem *problem) {
    CaromKink kinks[CAROM_KINKS_ONE];
    CaromDerivative derivative = {.kinks = kinks, .kink_capacity = CAROM_KINKS_ONE};
    CaromJump jump = {INFINITY, -1, ""};
    carom_differentiate(problem, NULL, NULL, &derivative);
    for (int i = derivative.kink_count - 1; i >= 0; i--) {
        if (kinks[i].jumps) {
            jump = (CaromJump){kinks[i].distance, 0,
                               kinks[i].kind == CAROM_KINK_STICK_HOLDS
                                   ? "slip that has stopped nearly starts again, or nearly sticks"
                                   : "compression nearly ends or restarts once more"};
        }
    }
    return jump;
}

CaromStatus crm_solve(const CaromProblem *problem, const CaromOptions *options, Sampler *sampler,
                      CaromResult *result) {
    const CaromOptions defaults = {0};
    const char *message;
    options = options ? options : &defaults;
    CaromStatus status = check_problem(problem, options, &message);
    if (status || !result) {
        return crm_result_fail(result, problem_entries(problem), CAROM_INVALID_INPUT, message);
    }
    crm_result_begin(result);
    if (options->method != CAROM_METHOD_EXACT && options->method != CAROM_METHOD_SEQUENCE) {
        return solve_scheme(problem, options, result);
    }
    status = options->method == CAROM_METHOD_SEQUENCE
                 ? carom_sequence_solve(problem, NULL, NULL, result)
                 : solve_exact(problem, options, sampler, result);
    if (status >= 0 && options->jumps && !is_multiple(problem) && !sampler && may_jump(problem)) {
        result->jump = find_jump(problem);
    }
    if (status >= 0 && options->tolerance > 0 && result->error > options->tolerance) {
        result->status = CAROM_NOT_CONVERGED;
        result->message = "tolerance: the estimated error is larger";
    }
    return result->status;
}

CaromStatus carom_solve(const CaromProblem *problem, const CaromOptions *options,
                        CaromResult *result) {
    return crm_solve(problem, options, NULL, result);
}
