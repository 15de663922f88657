#include "multiple_euler/multiple_euler.h"

#include <stdlib.h>
#include <string.h>

#include "contact/check.h"
#include "contact/result.h"
#include "math/vec2.h"
#include "multiple_euler/stepper_alone.h"
#include "multiple_euler/stepper_step.h"

/* Default step as a part of the unit of impulse, as for one contact. */
static const double STEP_DEFAULT = 1e-5;

/* An increment of an impulse that is no small part of its unit any more. */
static const double INCREMENT = 0.1;

/* Products with W that a solve may take, some seconds. */
static const double PRODUCTS = 2e10;

static CaromStatus check_springs(const CaromProblem *problem, const char **message) {
    int n = problem->contact_count;
    CaromStatus status = CAROM_OK;
    for (int i = 0; i < n && !status; i++) {
        const CaromContact *contact = &problem->contacts[i];
        if (contact->stiffness == CAROM_STIFFNESS_ZERO || contact->stiffness == INFINITY) {
            *message = "stiffness: method euler takes no limits";
            return CAROM_INVALID_INPUT;
        }
        status = crm_check_contact(contact, message);
        status = status ? status : crm_check_one_friction(contact, message);
        if (!status && contact->e == 0) {
            *message = "e: method euler takes no 0 with several contacts";
            status = CAROM_INVALID_INPUT;
        }
    }
    status = status ? status : crm_check_matrix(problem->inverse_inertia, 3 * n, message);
    return status ? status : crm_check_velocity(problem->velocity, n, 3, message);
}

static Spring spring_of(const CaromContact *contact) {
    double k = contact_stiffness(contact);
    return (Spring){.mu = contact->mu,
                    .e = contact->e,
                    .k_first = k,
                    .k = k,
                    .kt = k / contact_stiffness_ratio(contact),
                    .s = {1, 0},
                    .mode = CAROM_MODE_OPEN};
}

/* Step and thresholds. Units: the largest speed of approach and the largest -v_n/W_nn. */
static void set_step(Stepper *stepper, const CaromSchemeOptions *options) {
    double speed = 0, unit = 0;
    for (int i = 2; i < stepper->size; i += 3) {
        double v = -stepper->v[i], W = stepper_W(stepper, i, i);
        speed = most_of(speed, v);
        unit = v > 0 && W > 0 ? most_of(unit, v / W) : unit;
    }
    double scale = options->absolute ? 1 : unit;
    stepper->h = options->step > 0 ? options->step * scale : STEP_DEFAULT * unit;
    stepper->stop = options->stop_energy * (options->absolute ? 1 : unit * speed);
    stepper->largest = most_of(stepper->h, INCREMENT * unit);
    stepper->limit =
        (int)least_of(MULTIPLE_EULER_STEPS, PRODUCTS / ((double)stepper->size * stepper->size));
    if (!(stepper->h < unit)) {
        stepper->message = "step: a single one would pass the whole compression";
    }
}

static void run_states(Stepper *stepper) {
    while (!stepper->message) {
        crm_stepper_plan(stepper);
        if (stepper->primary < 0 || stepper->message) {
            return;
        }
        (crm_stepper_is_alone(stepper) ? crm_stepper_run_alone : crm_stepper_apply)(stepper);
        if (++stepper->work > stepper->limit) {
            stepper->message = "step: the scheme did not end within its bounded number of steps";
        }
    }
}

static int is_finite(const Stepper *stepper) {
    int finite = 1;
    for (int i = 0; i < stepper->size; i++) {
        finite &= isfinite(stepper->I[i]) && isfinite(stepper->v[i]);
    }
    return finite;
}

/* numbers: room for 4 rows of stepper->size. */
static CaromStatus solve_with(Stepper *stepper, const CaromSchemeOptions *options, Spring *springs,
                              double *numbers) {
    size_t size = (size_t)stepper->size;
    stepper->springs = springs;
    stepper->v = numbers;
    stepper->before = numbers + size;
    stepper->I = numbers + 2 * size;
    stepper->dI = numbers + 3 * size;
    memset(numbers, 0, 4 * size * sizeof *numbers);
    memcpy(stepper->v, stepper->problem->velocity, size * sizeof *numbers);
    for (int i = 0; i < stepper->count; i++) {
        springs[i] = spring_of(&stepper->problem->contacts[i]);
    }
    set_step(stepper, options);
    run_states(stepper);
    if (!stepper->message && !is_finite(stepper)) {
        stepper->message = "the scheme left the range of the numbers";
    }
    if (stepper->message) {
        return crm_result_fail(stepper->result, stepper->size, CAROM_NOT_CONVERGED,
                               stepper->message);
    }
    crm_stepper_finish(stepper);
    return stepper->result->status;
}

CaromStatus crm_multiple_euler_solve(const CaromProblem *problem, const CaromSchemeOptions *options,
                                     CaromResult *result) {
    int n = problem->contact_count;
    Stepper stepper = {.problem = problem,
                       .result = result,
                       .count = n,
                       .size = 3 * n,
                       .primary = -1,
                       .as_printed = options->as_printed};
    const char *message;
    CaromStatus status = check_springs(problem, &message);
    if (status) {
        return crm_result_fail(result, 3 * n, status, message);
    }
    if (n <= CAROM_STACK_CONTACTS) {
        Spring springs[CAROM_STACK_CONTACTS];
        double numbers[12 * CAROM_STACK_CONTACTS];
        return solve_with(&stepper, options, springs, numbers);
    }
    Spring *springs = malloc((size_t)n * sizeof *springs);
    double *numbers = malloc(12 * (size_t)n * sizeof *numbers);
    status = springs && numbers
                 ? solve_with(&stepper, options, springs, numbers)
                 : crm_result_fail(result, 3 * n, CAROM_NOT_CONVERGED, "out of memory");
    free(springs);
    free(numbers);
    return status;
}
