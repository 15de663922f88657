/* Into the impact's own units and back; events, account, samples. */
#include "compliant/process.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "compliant/compliant_visit.h"
#include "contact/check.h"
#include "contact/result.h"

/* After a compression with e = 0 the springs go on with this e, to decide whether the contact opens
 * or latches. */
static const double PLASTIC = 1e-13;

/* Relative size at which a coupling out of the plane counts as rounding of the input. */
static const double IN_PLANE = 4 * DBL_EPSILON;

/* How far below zero rounding may bring the determinants of a semidefinite W. */
static const double SEMIDEFINITE = 1e-12;

/* Is [B d; d^T 1] positive semidefinite? */
static int is_contact_semidefinite(const double B[3], const double d[2]) {
    double s11 = B[0] - d[0] * d[0], s22 = B[2] - d[1] * d[1], s12 = B[1] - d[0] * d[1];
    double slack = SEMIDEFINITE * (B[0] + B[2]);
    return s11 >= -slack && s22 >= -slack && s11 * s22 - s12 * s12 >= -slack * (B[0] + B[2]) &&
           B[0] * B[2] - B[1] * B[1] >= -slack * (B[0] + B[2]);
}

/* The first axis along a unit vector (c, s) of the caller's plane. */
static void turn_to(Process *process, const double W[9], double c, double s) {
    process->units.axis[0] = c;
    process->units.axis[1] = s;
    units_mobility(&process->units, W, 1 / W[8], process->B, process->d);
}

/* Does a push in the plane of the first axis and the normal stay there? */
static void find_plane(Process *process) {
    double *B = process->B, *d = process->d;
    process->planar = fabs(B[1]) <= IN_PLANE * (B[0] + B[2]) &&
                      fabs(d[1]) <= IN_PLANE * (fabs(d[0]) + sqrt(B[2]));
    if (process->planar) {
        B[1] = d[1] = 0;
    }
}

/* Slip of a contact that is not latched. */
static void set_slide(Process *process) {
    Slide *slide = &process->slide;
    memcpy(slide->B, process->B, sizeof slide->B);
    memcpy(slide->a, process->d, sizeof slide->a);
    memcpy(slide->b, process->d, sizeof slide->b);
    slide->b0 = 1;
    slide->k = process->k;
}

static void start_mode(Process *process) {
    double limit = process->mu * process->eta2, excess = process->speed - limit;
    process->s[0] = process->fresh = 1;
    process->mode = excess > 0 || process->mu == 0 ? CAROM_MODE_SLIP : CAROM_MODE_STICK;
    if (fabs(excess) <= 4 * DBL_EPSILON * limit && limit > 0) {
        /* sigma starts from 0: it slips if sigma grows */
        double drift[2];
        slip_drift(process, process->s, drift);
        double growth = drift[0] + limit * (1 - process->mu * process->d[0]);
        process->mode = growth > 0 ? CAROM_MODE_SLIP : CAROM_MODE_STICK;
    }
}

int crm_process_begin(Process *process, const double *W, const double *v, int rows,
                      const CaromContact *contact, CaromResult *result, const char **message) {
    /* a planar problem has a second tangent that nothing moves */
    double flat[9] = {W[0], 0, W[1], 0, 0, 0, W[2], 0, W[3]};
    double speed = -v[rows - 1], t[2] = {v[0] / speed, rows == 3 ? v[1] / speed : 0}, r = norm2(t);
    W = rows == 3 ? W : flat;
    memset(process, 0, sizeof *process);
    process->rows = rows;
    process->mu = contact->mu;
    process->e = contact->e < PLASTIC ? 0 : contact->e;
    process->eta2 = contact_stiffness_ratio(contact);
    process->kt = 1 / process->eta2;
    process->root_kt = sqrt(process->kt);
    process->k = 1;
    process->units.velocity = speed;
    process->units.impulse = speed / W[8];
    process->result = result;
    process->message = "";
    double axis[2] = {W[2], W[5]}, size = norm2(axis); /* without slip: along d */
    if (r > 1e-290) {
        turn_to(process, W, t[0] / r, t[1] / r);
    } else {
        r = 0;
        turn_to(process, W, size > 0 ? axis[0] / size : 1, size > 0 ? axis[1] / size : 0);
    }
    process->speed = process->now.V[0] = r;
    process->now.vn = -1;
    double scale = process->B[0] + process->B[2] + fabs(process->d[0]) + fabs(process->d[1]);
    double unit = process->units.impulse * speed;
    if (!(r < 1e100 && scale < 1e100 && scale * process->mu < 1e100 && process->mu < 1e100 &&
          process->eta2 < 1e100 && process->eta2 > 1e-100 && unit > 1e-290 && unit < 1e290)) {
        *message = "inverse_inertia, contact_velocity, mu, stiffness_ratio: the scales are too far "
                   "apart";
        return 0;
    }
    if (!is_contact_semidefinite(process->B, process->d)) {
        *message = "inverse_inertia is not positive semidefinite";
        return 0;
    }
    find_plane(process);
    set_slide(process);
    start_mode(process);
    return 1;
}

/* ---- records ---- */

static double process_tangential_energy(const Process *process, const Moment *moment) {
    return process->eta2 * dot2(moment->f, moment->f) / 2;
}

/* The tangential spring: sqrt(2) x, as k is 1, and x'. In slip |x| = mu eta^2 N, and x turns with
 * the direction s of slip. */
static void find_spring(const Process *process, const Moment *moment, double spring[2],
                        double rate[2]) {
    double size = norm2(moment->f), stiff = slip_stiff(process);
    const double *s = process->s;
    double unit[2] = {moment->f[0] / size, moment->f[1] / size};
    s = size > 0 ? unit : s;
    double across = moment->V[1] * s[0] - moment->V[0] * s[1];
    for (int i = 0; i < 2; i++) {
        double turn = across * (i == 0 ? -s[1] : s[0]);
        spring[i] = sqrt(2) * process->eta2 * moment->f[i];
        rate[i] =
            process->mode == CAROM_MODE_STICK ? moment->V[i] : turn - stiff * moment->vn * s[i];
    }
}

/* A moment in the caller's units and axes. */
static ContactState process_state(const Process *process, const Moment *moment) {
    const Units *units = &process->units;
    double unit = units->impulse * units->velocity, vn = process->latched ? 0 : moment->vn;
    ContactState state = {.stored = unit * normal_energy(process, moment->N),
                          .tangential = unit * process_tangential_energy(process, moment),
                          .mode = process->mode};
    units_restore(units, moment->J, moment->p, units->impulse, state.impulse);
    units_restore(units, moment->V, vn, units->velocity, state.velocity);
    double spring[2], rate[2];
    find_spring(process, moment, spring, rate);
    units_restore(units, spring, 0, sqrt(unit), state.spring);
    units_restore(units, rate, 0, units->velocity, state.spring_rate);
    if (process->rows == 2) {
        state.impulse[1] = state.velocity[1] = 0;
    }
    return state;
}

static void add_process_event(Process *process, CaromEventKind kind) {
    CaromEvent *event = record_event(process->result);
    if (event) {
        ContactState state = process_state(process, &process->now);
        crm_record_write_event(event, kind, 0, &state);
    }
    if (process->sampler && process->sampler->compliant) {
        const CompliantVisitor *visitor = process->sampler->compliant;
        visitor->event(visitor->context, process, kind);
    }
}

static void add_letter(Process *process, char letter) {
    record_letter(process->result, &process->length, letter);
}

/* ---- events ---- */

/* The energies that come with an end of compression. */
static void book_loss(Process *process) {
    double E = normal_energy(process, process->now.N);
    process->energy.stored += E - process->booked;
    process->energy.normal_loss += (1 - process->e) * (1 + process->e) * E;
    process->energy.tangential = process_tangential_energy(process, &process->now);
    process->booked = process->e * process->e * E;
}

void crm_process_end_compression(Process *process) {
    process->now.vn = 0;
    add_letter(process, 'c');
    add_process_event(process, CAROM_EVENT_COMPRESSION_END);
    book_loss(process);
    process->peak = process->now;
    process->peak_loss = process->energy.friction_loss;
    process->peak_events = process->result->event_count;
    process->peak_length = process->length;
    process->restitution = 1;
    double e = most_of(process->e, PLASTIC);
    process->k /= e * e;
    process->slide.k = process->k;
}

void crm_process_restart_compression(Process *process) {
    double E = normal_energy(process, process->now.N);
    process->now.vn = 0;
    process->restitution = 0;
    process->energy.released += process->booked - E;
    process->booked = E;
    add_process_event(process, CAROM_EVENT_COMPRESSION_RESTART);
}

void crm_process_end(Process *process) {
    if (process->e == 0 && process->restitution && !process->latched) {
        /* e = 0: restitution takes no time, so its events are taken back */
        process->now = process->peak;
        process->energy.friction_loss = process->peak_loss;
        process->result->event_count = process->peak_events;
        process->length = process->peak_length;
    }
    /* where N falls to 0 at once, the particle slides back at once, and friction dissipates the
     * energy of the tangential spring */
    process->energy.friction_loss += process_tangential_energy(process, &process->now);
    process->energy.released += process->booked;
    process->now.N = process->now.f[0] = process->now.f[1] = 0;
    process->done = 1;
    add_letter(process, 'r');
    add_process_event(process, CAROM_EVENT_RESTITUTION_END);
}

void crm_process_stick(Process *process) {
    process->mode = CAROM_MODE_STICK;
    process->fresh = 1;
    add_letter(process, 's');
    add_process_event(process, CAROM_EVENT_STICK);
}

void crm_process_slip(Process *process) {
    process->mode = CAROM_MODE_SLIP;
    add_process_event(process, CAROM_EVENT_SLIP);
}

void crm_process_latch(Process *process, double low, int on_cone) {
    const double *B = process->B, *d = process->d, *f = process->now.f;
    Slide *slide = &process->slide;
    double size = norm2(f);
    add_process_event(process, CAROM_EVENT_LATCH);
    process->latched = 1;
    process->now.N = on_cone ? size / process->mu : low;
    slide->B[0] = B[0] - d[0] * d[0];
    slide->B[1] = B[1] - d[0] * d[1];
    slide->B[2] = B[2] - d[1] * d[1];
    slide->a[0] = slide->a[1] = slide->b0 = 0;
    slide->b[0] = -(slide->B[0] * d[0] + slide->B[1] * d[1]);
    slide->b[1] = -(slide->B[1] * d[0] + slide->B[2] * d[1]);
    slide->k = process->kt;
    process->fresh = 0;
    if (on_cone) {
        /* the contact slips if the particle would be drawn over it */
        process->s[0] = f[0] / size;
        process->s[1] = f[1] / size;
        process->now.vn = -dot2(d, process->now.V);
        process->fresh = 1;
        if (sliding_speed(process) > 0) {
            crm_process_slip(process);
        }
    }
}

void crm_process_release(Process *process) {
    process->now.vn = 0;
    add_process_event(process, CAROM_EVENT_RELEASE);
    crm_process_end(process);
}

void crm_process_fail(Process *process, const char *message) {
    process->stuck = 1;
    process->message = message;
}

/* ---- samples ---- */

static void put_process_sample(Process *process, const Moment *moment) {
    ContactState state = process_state(process, moment);
    crm_sampler_put(process->sampler, process->rows, &state);
}

void crm_process_sample(Process *process, MomentAt at, MomentPace pace, const void *piece,
                        double end) {
    Sampler *sampler = process->sampler;
    double unit = process->units.impulse;
    if (!sampler) {
        return;
    }
    if (sampler->compliant) {
        sampler->compliant->piece(sampler->compliant->context, process, at, pace, piece, end);
    }
    for (double last = unit * at(piece, end).p; sampler_is_due(sampler, last);) {
        double p = sampler->step * sampler->next / unit, low = 0, high = end;
        /* p rises along the piece: bisect to the last bit */
        for (int i = 0; i < 64 && low < high; i++) {
            double middle = low + (high - low) / 2;
            if (at(piece, middle).p < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Moment moment = at(piece, high);
        put_process_sample(process, &moment);
    }
}

void crm_process_sample_rest(Process *process) {
    while (sampler_has_room(process->sampler)) {
        put_process_sample(process, &process->now);
    }
}

/* ---- the end ---- */

/* Growth of errors, of truncated series along the process and of all errors in bounces that
 * accumulate; measured. */
static const double CUT_GROWTH = 3, LATCH_GROWTH = 3;

/* v+ = v- + W I, unless the difference to what was integrated is rounding of that sum: where W is
 * almost singular the sum loses more digits. Returns the difference, relative to all velocities. */
static double settle_velocity(Process *process) {
    const double *B = process->B, *d = process->d;
    Moment *now = &process->now;
    const double W[3][3] = {{B[0], B[1], d[0]}, {B[1], B[2], d[1]}, {d[0], d[1], 1}};
    const double I[3] = {now->J[0], now->J[1], now->p}, before[3] = {process->speed, 0, -1};
    double *v[3] = {&now->V[0], &now->V[1], &now->vn}, off = 0, size = 0, after = 0;
    for (int i = 0; i < 3; i++) {
        double sum = before[i], terms = fabs(before[i]);
        for (int j = 0; j < 3; j++) {
            sum += W[i][j] * I[j];
            terms += fabs(W[i][j] * I[j]);
        }
        off += fabs(sum - *v[i]);
        size += terms;
        after += fabs(sum);
        if (fabs(sum - *v[i]) > 8 * DBL_EPSILON * terms) {
            *v[i] = sum;
        }
    }
    process->rounding = DBL_EPSILON * size / (1 + process->speed);
    return off / (1 + process->speed + after);
}

void crm_process_finish(Process *process) {
    Moment *now = &process->now;
    CaromResult *result = process->result;
    CaromEnergy *energy = &result->energy;
    double drift = settle_velocity(process);
    *energy = process->energy;
    energy->change = now->J[0] * (process->speed + now->V[0]) / 2 + now->J[1] * now->V[1] / 2 +
                     now->p * (now->vn - 1) / 2;
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
    energy_scale(energy, process->units.impulse * process->units.velocity);
    ContactState state = process_state(process, now);
    crm_record_write_rows(result->impulse, process->rows, state.impulse);
    crm_record_write_rows(result->velocity, process->rows, state.velocity);
    result->work = process->work;
    double growth = process->latched ? LATCH_GROWTH : 1;
    result->error =
        growth * (drift + CUT_GROWTH * process->cut + process->rounding) + process->cut_bounces;
}
