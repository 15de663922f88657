/* The direct calls for one compliant contact. */
#include "compliant/compliant.h"

#include <carom/compliant.h>

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "compliant/process.h"
#include "core/check.h"

/* Pieces of one impact: a few are usual; a start on the edge of slipping with next to no friction,
 * or bounces that die out slowly, have taken 51,000. */
enum { MAX_PIECES = 100000 };

/* What the account may be open by, relative to the energies that went through. */
static const double SOUND = 1e-10;

CaromStatus compliant_check(const double *W, const double *v, int rows, const CaromContact *contact,
                            const char **message) {
    CaromStatus status = check_contact(contact, message);
    if (!status && contact->mu_static >= 0 && contact->mu_static != contact->mu) {
        *message = "mu_static must equal mu: the compliant model has one coefficient of friction";
        status = CAROM_INVALID_INPUT;
    }
    if (!status) {
        status = check_matrix(W, rows, message);
    }
    return status ? status : check_velocity(v, 1, rows, message);
}

/* Will slip keep its direction? */
static int is_straight(const Process *process) {
    if (process->planar || process->mu == 0) {
        return 1;
    }
    double drift[2];
    slip_drift(process, process->s, drift);
    return fabs(cross2(process->s, drift)) <= 4 * DBL_EPSILON * norm2(drift) &&
           fabs(cross2(process->s, process->now.V)) <= 4 * DBL_EPSILON * norm2(process->now.V);
}

/* Nothing along the surface, ever: a direct impact. */
static int is_direct(const Process *process) {
    return process->speed == 0 && norm2(process->d) == 0;
}

static void run(Process *process) {
    if (is_direct(process)) {
        process->mu = 0;
        straight_finish(process);
    }
    while (!process->done && !process->stuck) {
        if (process->work > MAX_PIECES) {
            process_fail(process, "no end within the bounded work");
        } else if (process->mode == CAROM_MODE_STICK) {
            (process->latched ? stick_run_latched : stick_run)(process);
        } else if (is_straight(process)) {
            straight_run(process);
        } else {
            curved_run(process);
        }
    }
}

static CaromStatus solve(const double *W, const double *v, int rows, const CaromContact *contact,
                         CaromTrace *trace, double sample_step, CaromResult *result) {
    Process process;
    const char *message;
    result_begin(result);
    CaromStatus status = compliant_check(W, v, rows, contact, &message);
    if (status) {
        return result_fail_rows(result, rows, status, message);
    }
    if (!process_begin(&process, W, v, rows, contact, result, &message)) {
        return result_fail_rows(result, rows, CAROM_INVALID_INPUT, message);
    }
    process.trace = trace;
    process.sample_step = sample_step;
    run(&process);
    if (process.stuck) {
        return result_fail_rows(result, rows, CAROM_NOT_CONVERGED, process.message);
    }
    process_sample_rest(&process);
    process_finish(&process);
    const CaromEnergy *energy = &result->energy;
    double through = energy->stored + energy->friction_loss;
    double push = process.now.p + norm2(process.now.J),
           unit = process.unit_impulse * process.unit_velocity;
    double slack = 64 * process.rounding * (1 + process.speed) * push * unit;
    if (!(fabs(energy->residual) <= SOUND * through + slack)) {
        return result_fail_rows(result, rows, CAROM_NOT_CONVERGED,
                                "the energy account does not close");
    }
    return result->status;
}

CaromStatus compliant_solve(const double *W, const double *v, int rows, const CaromContact *contact,
                            CaromResult *result) {
    return solve(W, v, rows, contact, NULL, 0, result);
}

CaromStatus carom_compliant_solve(const double W[9], const double v[3], const CaromContact *contact,
                                  CaromResult *result) {
    return solve(W, v, 3, contact, NULL, 0, result);
}

CaromStatus compliant_trace(const double *W, const double *v, int rows, const CaromContact *contact,
                            CaromTrace *trace, CaromResult *result) {
    double impulse[3];
    CaromResult first = {.impulse = impulse};
    CaromStatus status = solve(W, v, rows, contact, NULL, 0, &first);
    if (status < 0) {
        return result_fail_rows(result, rows, status, first.message);
    }
    /* the process' own clock runs in units of -v_n/W_nn */
    double unit = -v[rows - 1] / W[rows * rows - 1];
    double step = impulse[rows - 1] / unit / (trace->capacity - 1);
    status = solve(W, v, rows, contact, trace, step, result);
    trace->count = status < 0 ? 0 : trace->capacity;
    return status;
}
