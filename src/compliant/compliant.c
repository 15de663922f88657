/* The direct calls for one compliant contact. */
#include "compliant/compliant.h"

#include <carom/compliant.h>

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "compliant/compliant_visit.h"
#include "compliant/process.h"
#include "compliant/stick.h"
#include "compliant/straight_slip.h"
#include "compliant/turning_slip.h"
#include "contact/check.h"
#include "contact/result.h"

/* Pieces of one impact: a few are usual; a start on the edge of slipping with next to no friction,
 * or bounces that die out slowly, have taken 51,000. */
enum { COMPLIANT_PIECES = 100000 };

/* What the account may be open by, relative to the energies that went through. */
static const double COMPLIANT_SOUND = 1e-10;

CaromStatus crm_compliant_check(const double *W, const double *v, int rows,
                                const CaromContact *contact, const char **message) {
    CaromStatus status = crm_check_contact(contact, message);
    if (!status) {
        status = crm_check_one_friction(contact, message);
    }
    if (!status) {
        status = crm_check_matrix(W, rows, message);
    }
    return status ? status : crm_check_velocity(v, 1, rows, message);
}

/* Will slip keep its direction? */
static int keeps_direction(const Process *process) {
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

static void run_process(Process *process) {
    if (is_direct(process)) {
        process->mu = 0;
        crm_straight_slip_finish(process);
    }
    while (!process->done && !process->stuck) {
        if (process->work > COMPLIANT_PIECES) {
            crm_process_fail(process, "no end within the bounded work");
        } else if (process->mode == CAROM_MODE_STICK) {
            (process->latched ? crm_stick_run_latched : crm_stick_run)(process);
        } else if (keeps_direction(process)) {
            crm_straight_slip_run(process);
        } else {
            crm_turning_slip_run(process);
        }
    }
}

CaromStatus crm_compliant_solve(const double *W, const double *v, int rows,
                                const CaromContact *contact, Sampler *sampler,
                                CaromResult *result) {
    Process process;
    const char *message;
    crm_result_begin(result);
    CaromStatus status = crm_compliant_check(W, v, rows, contact, &message);
    if (status) {
        return crm_result_fail(result, rows, status, message);
    }
    if (!crm_process_begin(&process, W, v, rows, contact, result, &message)) {
        return crm_result_fail(result, rows, CAROM_INVALID_INPUT, message);
    }
    process.sampler = sampler;
    if (sampler && sampler->compliant) {
        sampler->compliant->begin(sampler->compliant->context, &process);
    }
    run_process(&process);
    if (process.stuck) {
        return crm_result_fail(result, rows, CAROM_NOT_CONVERGED, process.message);
    }
    crm_process_sample_rest(&process);
    crm_process_finish(&process);
    const CaromEnergy *energy = &result->energy;
    double through = energy->stored + energy->friction_loss;
    double push = process.now.p + norm2(process.now.J),
           unit = process.units.impulse * process.units.velocity;
    double slack = 64 * process.rounding * (1 + process.speed) * push * unit;
    if (!(fabs(energy->residual) <= COMPLIANT_SOUND * through + slack)) {
        return crm_result_fail(result, rows, CAROM_NOT_CONVERGED,
                               "the energy account does not close");
    }
    return result->status;
}

CaromStatus carom_compliant_solve(const double W[9], const double v[3], const CaromContact *contact,
                                  CaromResult *result) {
    if (!W || !v || !contact || !result) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT,
                               "W, v, contact and result must not be NULL");
    }
    return crm_compliant_solve(W, v, 3, contact, NULL, result);
}
