/* The published Euler scheme; euler.h says how it is read. It runs in the process's own units
 * (process.h), where k0 = 1 and G_u,w = sqrt(2) eta^2 f, and shares its events and account. */
#include "compliant/euler.h"

#include <math.h>

#include "compliant/process.h"
#include "contact/result.h"

/* Default step as a part of -v_n/W_nn: for the published ball it is the published 5e-5. */
static const double STEP = 1e-5;

typedef struct {
    Process process;
    double E; /* stored in the normal spring */
    double h;
    int as_printed;
    double stop; /* energy */
} Euler;

/* Coefficient of friction while the contact slips. */
static double slip_friction(const Euler *euler) {
    const Process *process = &euler->process;
    return euler->as_printed && process->restitution ? process->e * process->mu : process->mu;
}

/* Sliding velocity of the particle along s, (32) and (48). */
static double euler_slide(const Euler *euler, const double s[2]) {
    const Process *process = &euler->process;
    return dot2(process->now.V, s) +
           slip_friction(euler) * process->eta2 * process->k * process->now.vn;
}

/* The velocity that follows from the impulse, (63). */
static void set_velocity(Process *process) {
    const double *B = process->B, *d = process->d;
    Moment *now = &process->now;
    now->V[0] = process->speed + d[0] * now->p + B[0] * now->J[0] + B[1] * now->J[1];
    now->V[1] = d[1] * now->p + B[1] * now->J[0] + B[2] * now->J[1];
    now->vn = -1 + now->p + dot2(d, now->J);
}

/* Lines 12 and 11, in this order: the velocity stays one step behind the impulse. */
static void euler_push(Euler *euler, const double rate[2]) {
    Moment *now = &euler->process.now;
    set_velocity(&euler->process);
    now->p += euler->h;
    now->J[0] += euler->h * rate[0];
    now->J[1] += euler->h * rate[1];
}

/* (61), (62), (72), (73); v_t lies along the first axis. */
static void first_step(Euler *euler) {
    Process *process = &euler->process;
    Moment *now = &process->now;
    int slips = process->mode == CAROM_MODE_SLIP;
    double ratio = slips ? process->mu : process->speed / process->eta2;
    double rate[2] = {-ratio, 0};
    if (slips) {
        process->energy.friction_loss += euler->h * process->mu * euler_slide(euler, process->s);
    }
    euler->E = euler->h;
    now->N = sqrt(2 * euler->E);
    now->f[0] = ratio * now->N;
    euler_push(euler, rate);
}

/* The spring over a step that brings the normal force to N: turned by (68), (69), as long as the
 * cone allows. */
static void turn_spring(Euler *euler, double N) {
    Process *process = &euler->process;
    Moment *now = &process->now;
    double m = slip_friction(euler), *s = process->s;
    double along = dot2(now->V, s), reach = m * process->eta2 * now->N, time = euler->h / N;
    double x[2] = {reach * s[0] + time * (now->V[0] - along * s[0]),
                   reach * s[1] + time * (now->V[1] - along * s[1])};
    double size = norm2(x);
    for (int j = 0; j < 2 && size > 0; j++) {
        s[j] = x[j] / size;
        now->f[j] = m * N * s[j];
    }
}

/* Lines 4 to 12 of Algorithm 1. */
static void euler_step_once(Euler *euler) {
    Process *process = &euler->process;
    Moment *now = &process->now;
    double h = euler->h, rate[2];
    euler->E -= h * now->vn;
    double N = sqrt(2 * process->k * euler->E);
    if (process->mode == CAROM_MODE_SLIP) {
        process->energy.friction_loss += h * slip_friction(euler) * euler_slide(euler, process->s);
        turn_spring(euler, N);
    } else {
        now->f[0] += now->V[0] / process->eta2 * (h / N);
        now->f[1] += now->V[1] / process->eta2 * (h / N);
    }
    now->N = N;
    rate[0] = -now->f[0] / N;
    rate[1] = -now->f[1] / N;
    euler_push(euler, rate);
}

/* The step that uses up the normal energy; it is not cut. */
static void last_step(Euler *euler) {
    Process *process = &euler->process;
    Moment *now = &process->now;
    double rate[2] = {-now->f[0] / now->N, -now->f[1] / now->N};
    if (process->mode == CAROM_MODE_SLIP) {
        process->energy.friction_loss +=
            euler->h * slip_friction(euler) * euler_slide(euler, process->s);
        now->f[0] = now->f[1] = 0;
    }
    euler_push(euler, rate);
    set_velocity(process);
    crm_process_end(process);
}

/* Lines 13 to 18. */
static void check_mode(Euler *euler) {
    Process *process = &euler->process;
    const double *f = process->now.f;
    if (process->mode == CAROM_MODE_SLIP) {
        if (process->mu > 0 && euler_slide(euler, process->s) <= 0) {
            crm_process_stick(process);
        }
        return;
    }
    double size = norm2(f);
    if (size > process->mu * process->now.N) {
        double s[2] = {f[0] / size, f[1] / size};
        if (euler_slide(euler, s) > 0) {
            process->s[0] = s[0];
            process->s[1] = s[1];
            crm_process_slip(process);
        }
    }
}

/* Lines 19 to 21. The event has v_n = 0; the scheme goes on from where the step has gone. */
static void euler_check_phase(Euler *euler) {
    Process *process = &euler->process;
    double vn = process->now.vn;
    if (!process->restitution && vn >= 0) {
        crm_process_end_compression(process);
        euler->E *= process->e * process->e;
        if (process->e == 0) {
            crm_process_end(process);
        }
        process->now.vn = vn;
    } else if (process->restitution && vn < 0) {
        crm_process_restart_compression(process);
        process->now.vn = vn;
    }
}

static void euler_run(Euler *euler) {
    Process *process = &euler->process;
    first_step(euler);
    process->work = 1;
    euler_check_phase(euler);
    while (!process->done && process->work < EULER_MAX_STEPS) {
        process->work++;
        if (process->restitution && euler->E <= euler->stop) {
            set_velocity(process);
            crm_process_end(process);
            return;
        }
        if (process->restitution && euler->E <= euler->h * process->now.vn) {
            last_step(euler);
            return;
        }
        euler_step_once(euler);
        check_mode(euler);
        euler_check_phase(euler);
    }
}

CaromStatus crm_compliant_euler_solve(const double W[9], const double v[3],
                                      const CaromContact *contact,
                                      const CaromSchemeOptions *options, CaromResult *result) {
    Euler euler = {.as_printed = options->as_printed};
    const char *message;
    if (!crm_process_begin(&euler.process, W, v, 3, contact, result, &message)) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, message);
    }
    const Units *units = &euler.process.units;
    double impulse = options->absolute ? units->impulse : 1;
    double energy = options->absolute ? units->impulse * units->velocity : 1;
    euler.h = options->step > 0 ? options->step / impulse : STEP;
    euler.stop = options->stop_energy / energy;
    if (!(euler.h < 1)) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "step: a single one would pass the whole compression");
    }
    euler_run(&euler);
    if (!euler.process.done) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "step: the scheme did not end within its bounded number of steps");
    }
    crm_process_finish(&euler.process);
    result->error = NAN;
    return result->status;
}
