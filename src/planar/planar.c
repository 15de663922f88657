/* One planar contact: checks, and the path in the caller's units. The impact itself is in path.h.
 */
#include <carom/planar.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "contact/record.h"
#include "contact/result.h"
#include "contact/singular.h"
#include "planar/path.h"
#include "planar/planar.h"

/* Energy above this fraction of what went through the contact counts as created. */
static const double PLANAR_GAIN = 1e-12;

/* What the energy account may be open by, relative, beyond the estimated error. */
static const double PLANAR_SOUND = 1e-11;

/* Everything that W and v can be refused for here, in one go. False also for some odd but valid
 * input: the careful check decides then. */
static inline int is_plain_planar(const double W[4], const double v[2]) {
    double skew = W[1] - W[2];
    double sum = W[0] + W[1] + W[3] + v[0];
    return W[0] >= 0 && W[3] > 0 && v[1] < 0 && v[1] > -INFINITY && fabs(sum) < INFINITY &&
           skew * skew <= 1e-18 * W[0] * W[3];
}

static CaromStatus check_planar(const double W[4], const double v[2], const CaromContact *contact,
                                CaromLaw law, const char **message) {
    CaromStatus status = crm_check_contact(contact, message);
    if (!status && !is_plain_planar(W, v)) {
        status = crm_check_matrix(W, 2, message);
        status = status ? status : crm_check_velocity(v, 1, 2, message);
    }
    if (!status && (unsigned)law > CAROM_LAW_NEWTON) {
        *message = "restitution is not a known law";
        status = CAROM_INVALID_INPUT;
    }
    return status;
}

/* Relative error of the impulse from that of W: through v_n' of the legs, and through the turn. */
static double estimate_path_error(const Path *path, const PathState *last) {
    int turned = path->turn <= path->end;
    double amplify = 1 + path->mu * fabs(path->d), slowest = path->early ? path->rise[0] : 1;
    double cancel = path->mu * path->end;
    if (turned) {
        cancel = path->mu * path->turn + fabs(path->ratio) * (path->end - path->turn);
        /* 0 where a wedge lets the impact end all the same */
        slowest = path->rise[1] < slowest && path->rise[1] > 0 ? path->rise[1] : slowest;
    }
    return 4 * DBL_EPSILON * (amplify / slowest + cancel / (fabs(last->J) + last->p));
}

/* The energy account, in the path's units. */
static CaromEnergy account(const Path *path, const PathState *last) {
    CaromEnergy energy = {.stored = path->stored, .released = path->released};
    double mean = path->mu / 2;
    energy.change = last->J * (path->gamma + last->gamma) / 2 + last->p * (last->vn - 1) / 2;
    energy.normal_loss = path->law == CAROM_LAW_ENERGETIC
                             ? (1 - path->e) * (1 + path->e) * path->stored
                             : path->stored - path->released;
    if (path->turn <= path->end) {
        double second = path->end - path->turn;
        energy.friction_loss = mean * path->gamma * path->turn;
        energy.friction_loss += mean * fabs(path->drift[1]) * second * second;
    } else {
        energy.friction_loss = mean * (path->gamma + last->gamma) * path->end;
    }
    energy.residual = energy.change + energy.normal_loss + energy.friction_loss;
    return energy;
}

/* The contact in the caller's units. Adding 0.0 makes a 0 of the -0 that a turned tangent leaves.
 */
static ContactState path_contact_state(const Path *path, PathState state, double E) {
    double impulse = path->unit_impulse, velocity = path->unit_velocity;
    int sticks = !(state.p < path->turn) && path->sticks;
    return (ContactState){
        .impulse = {path->side * impulse * state.J + 0.0, 0, impulse * state.p},
        .velocity = {path->side * velocity * state.gamma + 0.0, 0, velocity * state.vn},
        .stored = impulse * velocity * E,
        .mode = sticks ? CAROM_MODE_STICK : CAROM_MODE_SLIP};
}

static void add_path_event(const Path *path, CaromResult *result, CaromEventKind kind,
                           PathState state, double E) {
    CaromEvent *event = record_event(result);
    if (event) {
        ContactState now = path_contact_state(path, state, E);
        crm_record_write_event(event, kind, 0, &now);
    }
}

static void add_turn(const Path *path, CaromResult *result) {
    PathState state = path_at(path, path->turn);
    add_path_event(path, result, path->sticks ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, state,
                   crm_path_stored(path, path->turn, path->early));
}

static void add_events(const Path *path, const PathState *last, CaromResult *result) {
    int turned = path->turn <= path->end;
    PathState state = path_at(path, path->compression);
    state.vn = 0;
    if (turned && !path->early) {
        add_turn(path, result);
    }
    add_path_event(path, result, CAROM_EVENT_COMPRESSION_END, state, path->stored);
    if (turned && path->early) {
        add_turn(path, result);
    }
    add_path_event(path, result, CAROM_EVENT_RESTITUTION_END, *last,
                   path->law == CAROM_LAW_ENERGETIC ? 0 : path->stored - path->released);
}

/* Every planar impact has one of four sequences; the order of calculation belongs to it. */
static const char planar_sequences[4][8] = {"scr", "lcr", "lcsr", "lscr"};
static const char planar_orders[4][8] = {"a-b-e", "a-c-e", "a-c-d-e", "a-b-e"};

static void write_sequence(const Path *path, char *sequence) {
    int i = path->gamma == 0 ? 0 : path->turn > path->end ? 1 : path->early ? 2 : 3;
    memcpy(sequence, planar_sequences[i], sizeof planar_sequences[i]);
}

const char *carom_planar_order(const char *sequence) {
    for (int i = 0; i < 4 && sequence; i++) {
        if (strcmp(sequence, planar_sequences[i]) == 0) {
            return planar_orders[i];
        }
    }
    return "";
}

static CaromStatus solve_path(Path *path, const double W[4], const double v[2],
                              const CaromContact *contact, CaromLaw law, CaromResult *result) {
    const char *message;
    crm_result_begin(result);
    CaromStatus status = check_planar(W, v, contact, law, &message);
    if (status) {
        return crm_result_fail(result, 2, status, message);
    }
    message = crm_path_begin(path, W, v, contact, law);
    if (message) {
        return crm_result_fail(result, 2, CAROM_INVALID_INPUT, message);
    }
    if (!crm_path_run(path)) {
        return crm_result_fail(result, 2, CAROM_INVALID_INPUT, WEDGED);
    }
    PathState last = path_at(path, path->end);
    last.vn = path->vn;
    CaromEnergy energy = account(path, &last);
    double through = path->stored + energy.friction_loss;
    result->error = estimate_path_error(path, &last);
    if (!(fabs(energy.residual) <= (PLANAR_SOUND + 64 * result->error) * through)) {
        return crm_result_fail(result, 2, CAROM_NOT_CONVERGED, "the energy account does not close");
    }
    write_sequence(path, result->sequence);
    if (result->events) {
        add_events(path, &last, result);
    } else {
        result->event_count = path->turn <= path->end ? 3 : 2;
    }
    double unit = path->unit_impulse, speed = path->unit_velocity;
    if (result->impulse) {
        result->impulse[0] = path->side * unit * last.J + 0.0;
        result->impulse[1] = unit * last.p;
    }
    if (result->velocity) {
        result->velocity[0] = path->side * speed * last.gamma + 0.0;
        result->velocity[1] = speed * last.vn;
    }
    if (law != CAROM_LAW_ENERGETIC && energy.change > PLANAR_GAIN * through) {
        result->status = CAROM_ENERGY_GAIN;
    }
    energy_scale(&energy, unit * speed);
    result->energy = energy;
    result->work = path->turn <= path->end && path->turn > 0 ? 2 : 1;
    return result->status;
}

static void sample_path(const Path *path, Sampler *sampler) {
    for (int last = sampler->trace->capacity - 1; sampler->next <= last;) {
        int i = sampler->next;
        PathState at = path_at(path, i < last ? path->end * i / last : path->end);
        at.vn = i < last ? at.vn : path->vn;
        ContactState state =
            path_contact_state(path, at, crm_path_stored(path, at.p, at.p > path->compression));
        crm_sampler_put(sampler, 2, &state);
    }
}

CaromStatus crm_planar_solve(const double W[4], const double v[2], const CaromContact *contact,
                             CaromLaw law, Sampler *sampler, CaromResult *result) {
    Path path;
    CaromStatus status = solve_path(&path, W, v, contact, law, result);
    if (sampler && status >= 0) {
        sample_path(&path, sampler);
    }
    return status;
}

CaromStatus carom_planar_solve(const double W[4], const double v[2], const CaromContact *contact,
                               CaromLaw law, CaromResult *result) {
    Path path;
    if (!W || !v || !contact || !result) {
        return crm_result_fail(result, 2, CAROM_INVALID_INPUT,
                               "W, v, contact and result must not be NULL");
    }
    return solve_path(&path, W, v, contact, law, result);
}
