/* A mechanism over time: see mechanism.h.
 *
 * A phase is integrated to its first root:
 *
 *   free    the gap closes;
 *   slide   the push ends (a_n rises through 0), the slip ends, or the yield W_nn - mu s W_nt is
 * nearly 0 (a jam); stick   the push ends, or the force leaves the cone.
 *
 * A point that leaves an impact with `rest` of the hardest approach or more stays away for a time
 * that is bounded from below by the forces, so the work is bounded; phases_max is a safety net. The
 * speed of the rebound decides, not that of the approach: with a small e a fast approach has a
 * rebound too low to be found. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "follow/integrator.h"
#include "follow/mechanism_check.h"
#include "follow/point.h"

/* A part of W_nn: a sliding force 1000 times that without friction counts as a jam. */
#define JAM 1e-3
/* Slip and speed that count as none: far above rounding and the tolerance of roots, far below what
 * shows. */
#define STILL 1e-9
/* Depth below the contact at which the integrator has failed, as a part of the mechanism's size. */
#define DEPTH 1e-6

typedef struct Follower {
    const CaromMechanism *mechanism;
    const CaromMechanismOptions *options;
    CaromMechanismSummary *summary;
    int n;
    CaromMechanismPhase phase;
    double slip; /* +1 or -1: direction of sliding */
    double time, sampled;
    double *y;      /* q, u */
    double *room;   /* 8 n numbers */
    Point point;    /* of the state in hand */
    double hardest; /* approach so far */
    double largest; /* kinetic energy so far */
    Integrator *integrator;
    bool over;
} Follower;

static double friction(const Follower *self) {
    return self->options->contact.mu;
}

static double static_friction(const Follower *self) {
    return fmax(self->options->contact.mu, self->options->contact.mu_static);
}

static void finish(Follower *self, CaromMechanismEnd end) {
    self->summary->end = end;
    self->over = true;
}

static void fail(Follower *self, CaromStatus status, const char *message) {
    self->summary->status = status;
    self->summary->message = message;
    finish(self, CAROM_MECHANISM_END_FAILED);
}

static bool find_point(Follower *self, const double *y) {
    return crm_point_find(&self->point, self->mechanism, y, y + self->n);
}

static CaromMechanismState state_of(Follower *self) {
    const CaromMechanism *mechanism = self->mechanism;
    const double *q = self->y, *u = q + self->n;
    mechanism->mass_matrix(mechanism->data, q, self->point.M);
    return (CaromMechanismState){
        .time = self->time,
        .q = q,
        .u = u,
        .gap = mechanism->gap(mechanism->data, q),
        .kinetic = carom_system_energy(self->n, self->point.M, u),
        .potential = mechanism->potential ? mechanism->potential(mechanism->data, q) : 0,
        .phase = self->phase};
}

static double energy_of(Follower *self) {
    CaromMechanismState state = state_of(self);
    return state.kinetic + state.potential;
}

static void show_state(Follower *self) {
    CaromMechanismState state = state_of(self);
    self->sampled = self->time;
    self->largest = fmax(self->largest, state.kinetic);
    self->summary->lowest = fmin(self->summary->lowest, state.gap);
    if (self->options->show_state && !self->options->show_state(self->options->data, &state)) {
        finish(self, CAROM_MECHANISM_END_STOPPED);
    }
}

static void show_event(Follower *self, const CaromResult *impact, double approach, bool died_out) {
    CaromMechanismEvent event = {
        .state = state_of(self), .impact = impact, .approach = approach, .died_out = died_out};
    if (self->options->show_event && !self->options->show_event(self->options->data, &event)) {
        finish(self, CAROM_MECHANISM_END_STOPPED);
    }
}

/* What CVODE calls. */

static bool rates(void *data, const double *y, double *out) {
    Follower *self = data;
    double f[2] = {0, 0};
    int n = self->n;
    if (!find_point(self, y)) {
        return false;
    }
    if (self->phase == CAROM_MECHANISM_SLIDE) {
        crm_point_slide_force(&self->point, friction(self), self->slip, f);
    } else if (self->phase == CAROM_MECHANISM_STICK && !crm_point_stick_force(&self->point, f)) {
        return false;
    }
    memcpy(out, y + n, (size_t)n * sizeof *out);
    crm_point_rates(&self->point, n, f, out + n);
    return true;
}

enum { ROOT_PUSH, ROOT_SLIP, ROOT_JAM };

static bool roots(void *data, const double *y, double out[INTEGRATOR_ROOTS]) {
    Follower *self = data;
    double f[2];
    out[ROOT_SLIP] = out[ROOT_JAM] = 1;
    if (self->phase == CAROM_MECHANISM_FREE) {
        out[ROOT_PUSH] = self->mechanism->gap(self->mechanism->data, y);
        return isfinite(out[ROOT_PUSH]);
    }
    if (!find_point(self, y)) {
        return false;
    }
    if (self->phase == CAROM_MECHANISM_SLIDE) {
        out[ROOT_PUSH] = -self->point.a[1]; /* same sign as the force, and finite */
        out[ROOT_SLIP] = self->point.v[0];
        out[ROOT_JAM] =
            crm_point_yield(&self->point, friction(self), self->slip) - JAM * self->point.W[3];
        return true;
    }
    if (!crm_point_stick_force(&self->point, f)) {
        return false;
    }
    out[ROOT_PUSH] = f[1];
    out[ROOT_SLIP] = static_friction(self) * f[1] - fabs(f[0]);
    return true;
}

/* The impact of an approaching point. True: it stays in touch. */
static bool hit(Follower *self) {
    const CaromMechanismOptions *options = self->options;
    CaromContact contact = options->contact;
    double impulse[2], after[2], before = energy_of(self);
    CaromResult result = {.impulse = impulse, .velocity = after};
    const Point *point = &self->point;
    double approach = -point->v[1];
    CaromStatus status = carom_planar_solve(point->W, point->v, &contact, options->law, &result);
    self->hardest = fmax(self->hardest, approach);
    bool plastic = status >= 0 && after[1] < options->rest * self->hardest;
    if (plastic) {
        contact.e = 0;
        status = carom_planar_solve(point->W, point->v, &contact, options->law, &result);
    }
    if (status < 0) {
        fail(self, status, result.message);
        return false;
    }
    carom_system_apply(self->n, 2, point->R, impulse, self->y + self->n);
    self->summary->gain = fmax(self->summary->gain, energy_of(self) - before);
    self->summary->impacts++;
    self->summary->died_out += plastic;
    show_event(self, &result, approach, plastic);
    return plastic;
}

/* Nothing moves, and the force of the contact balances the given ones to 1e-6. */
static bool at_rest(Follower *self, const double f[2]) {
    int n = self->n;
    double *u = self->y + n, *change = self->room;
    const double none[2] = {0, 0};
    if (carom_system_energy(n, self->point.M, u) > STILL * STILL * self->largest) {
        return false;
    }
    crm_point_rates(&self->point, n, none, change);
    double unbalanced = carom_system_energy(n, self->point.M, change);
    crm_point_rates(&self->point, n, f, change);
    return carom_system_energy(n, self->point.M, change) <= 1e-12 * unbalanced;
}

/* The direction in which a point without slip begins to slide; that of `first` if both or none are
 * possible. */
static double slide_direction(const Follower *self, double first) {
    const Point *point = &self->point;
    for (int k = 0; k < 2; k++) {
        double s = k == 0 ? first : -first, f[2];
        crm_point_slide_force(point, friction(self), s, f);
        double rate = point->a[0] + point->W[0] * f[0] + point->W[1] * f[1];
        if (crm_point_yield(point, friction(self), s) > 0 && f[1] > 0 && s * rate > 0) {
            return s;
        }
    }
    return first;
}

/* The next phase of a point in touch without normal speed. turned: the slip has just passed 0;
 * torn: the force has just left the cone of stick. */
static void settle(Follower *self, bool turned, bool torn) {
    Point *point = &self->point;
    double f[2];
    if (!find_point(self, self->y)) {
        fail(self, CAROM_INVALID_INPUT, "mass_matrix, bias: not usable on the way");
        return;
    }
    bool none = turned || torn || fabs(point->v[0]) <= STILL * self->hardest;
    if (none && !torn && crm_point_stick_force(point, f) && f[1] > 0 &&
        fabs(f[0]) <= static_friction(self) * f[1]) {
        bool rest = at_rest(self, f);
        self->phase = rest ? CAROM_MECHANISM_REST : CAROM_MECHANISM_STICK;
        if (rest) {
            memset(self->y + self->n, 0, (size_t)self->n * sizeof *self->y);
        }
        return;
    }
    if (point->a[1] >= 0) {
        self->phase = CAROM_MECHANISM_FREE;
        return;
    }
    self->phase = CAROM_MECHANISM_SLIDE;
    self->slip = !none    ? copysign(1, point->v[0])
                 : turned ? slide_direction(self, -self->slip)
                          : slide_direction(self, point->a[0] > 0 ? 1 : -1);
    if (crm_point_yield(point, friction(self), self->slip) <= JAM * point->W[3]) {
        finish(self, CAROM_MECHANISM_END_JAM);
    }
}

/* A phase has ended at one of its roots. */
static void cross(Follower *self, const int found[INTEGRATOR_ROOTS]) {
    CaromMechanismPhase before = self->phase;
    if (!find_point(self, self->y)) {
        fail(self, CAROM_INVALID_INPUT, "mass_matrix, bias: not usable on the way");
        return;
    }
    if (before == CAROM_MECHANISM_FREE) {
        if (self->point.v[1] >= 0 || !hit(self) || self->over) {
            return; /* grazed, or it leaves again */
        }
        settle(self, false, false);
    } else if (before == CAROM_MECHANISM_SLIDE && found[ROOT_JAM]) {
        finish(self, CAROM_MECHANISM_END_JAM);
    } else {
        settle(self, before == CAROM_MECHANISM_SLIDE && found[ROOT_SLIP],
               before == CAROM_MECHANISM_STICK && found[ROOT_SLIP]);
    }
    if (self->over) {
        return;
    }
    self->summary->lift_offs +=
        before != CAROM_MECHANISM_FREE && self->phase == CAROM_MECHANISM_FREE;
    if (self->phase != before) {
        show_event(self, NULL, 0, false);
    }
}

/* The point is far below what it touches. */
static bool is_below(Follower *self) {
    const CaromMechanism *mechanism = self->mechanism;
    double gap = mechanism->gap(mechanism->data, self->y), size = 0;
    double *J = self->point.rows;
    mechanism->jacobian(mechanism->data, self->y, J);
    for (int i = 0; i < self->n; i++) {
        size += fabs(J[self->n + i]) * (1 + fabs(self->y[i]));
    }
    return gap < -DEPTH * size;
}

/* Integrate to the end of the phase, or of the duration. */
static void advance(Follower *self) {
    const CaromMechanismOptions *options = self->options;
    double before = energy_of(self);
    bool good = crm_integrator_restart(self->integrator, self->time, self->y);
    while (good && !self->over) {
        double next = options->sample > 0 ? self->sampled + options->sample : options->duration;
        int found[INTEGRATOR_ROOTS] = {0};
        IntegratorStop stop = crm_integrator_advance(
            self->integrator, fmin(next, options->duration), &self->time, self->y, found);
        good = stop != STOP_FAILED && !is_below(self);
        if (!good) {
            break;
        }
        show_state(self);
        bool last = self->time >= options->duration;
        if (stop != STOP_ROOT && !last) {
            continue;
        }
        if (self->phase == CAROM_MECHANISM_FREE) {
            self->summary->drift = fmax(self->summary->drift, fabs(energy_of(self) - before));
        }
        if (stop == STOP_ROOT && !self->over) {
            cross(self, found);
            return;
        }
        if (!self->over) {
            finish(self, CAROM_MECHANISM_END_TIME);
        }
    }
    if (!good) {
        fail(self, CAROM_NOT_CONVERGED, "the integrator gave up");
    }
}

static void run(Follower *self) {
    double gap = self->mechanism->gap(self->mechanism->data, self->y);
    show_state(self);
    if (!self->over && gap == 0) { /* a start in touch: as if it had just come there */
        if (!find_point(self, self->y)) {
            fail(self, CAROM_INVALID_INPUT, "mass_matrix, bias: not usable at the start");
        } else if (self->point.v[1] < 0) {
            cross(self, (const int[INTEGRATOR_ROOTS]){0});
        } else if (self->point.v[1] == 0) {
            settle(self, false, false);
        }
    }
    for (int phases = 0; !self->over && self->phase != CAROM_MECHANISM_REST; phases++) {
        if (phases == self->options->phases_max) {
            finish(self, CAROM_MECHANISM_END_PHASES);
            break;
        }
        advance(self);
        if (!self->over) {
            show_state(self); /* once more, after the jump */
        }
    }
    if (self->phase == CAROM_MECHANISM_REST && !self->over) {
        self->summary->end = CAROM_MECHANISM_END_REST;
    }
}

/* "" or which option or function is wrong. */
static const char *check_options(const CaromMechanism *mechanism,
                                 const CaromMechanismOptions *options) {
    if (mechanism->coordinates < 1 || mechanism->coordinates > CAROM_MECHANISM_COORDINATES_MAX) {
        return "coordinates: must be 1 to 1000";
    }
    if (!mechanism->mass_matrix || !mechanism->bias || !mechanism->gap || !mechanism->jacobian ||
        !mechanism->drift) {
        return "mechanism: a function is missing";
    }
    if (!(options->duration > 0) || !isfinite(options->duration)) {
        return "duration: must be finite and > 0";
    }
    if (!(options->rest > 0 && options->rest < 1)) {
        return "rest: must be in (0, 1)";
    }
    if (!(options->tolerance >= 1e-13 && options->tolerance <= 1e-3)) {
        return "tolerance: must be 1e-13 to 1e-3";
    }
    if (options->phases_max < 1) {
        return "phases_max: must be at least 1";
    }
    return isnan(options->sample) ? "sample: must be a number" : "";
}

static const char *check_start(Follower *self) {
    const CaromMechanism *mechanism = self->mechanism;
    for (int i = 0; i < 2 * self->n; i++) {
        if (!isfinite(self->y[i])) {
            return "q, u: must be finite";
        }
    }
    double gap = mechanism->gap(mechanism->data, self->y);
    const char *wrong = crm_mechanism_check(mechanism, self->y, self->room);
    if (!isfinite(gap) || wrong[0]) {
        return wrong[0] ? wrong : "gap: not finite at the start";
    }
    if (!find_point(self, self->y)) {
        return "mass_matrix: must be symmetric positive definite, and all finite";
    }
    /* the solver's own words, for any approach */
    const double W[4] = {1, 0, 0, 1}, v[2] = {0, -1};
    double impulse[2], after[2];
    CaromResult result = {.impulse = impulse, .velocity = after};
    if (carom_planar_solve(W, v, &self->options->contact, self->options->law, &result) < 0) {
        return result.message;
    }
    return gap < 0 ? "q: the point starts below what it touches" : "";
}

/* With all memory at hand. */
static void follow(Follower *self, double *q, double *u) {
    static const int directions[INTEGRATOR_ROOTS] = {-1, 0, -1};
    size_t bytes = (size_t)self->n * sizeof *q;
    memcpy(self->y, q, bytes);
    memcpy(self->y + self->n, u, bytes);
    const char *wrong = check_start(self);
    if (wrong[0]) {
        fail(self, CAROM_INVALID_INPUT, wrong);
        return;
    }
    self->integrator =
        crm_integrator_new(2 * self->n, self->options->tolerance, rates, roots, directions, self);
    if (!self->integrator) {
        fail(self, CAROM_NOT_CONVERGED, "the integrator cannot be set up: no memory");
        return;
    }
    self->summary->energy_first = energy_of(self);
    run(self);
    self->summary->time = self->time;
    self->summary->energy_last = energy_of(self);
    memcpy(q, self->y, bytes);
    memcpy(u, self->y + self->n, bytes);
    crm_integrator_free(self->integrator);
}

CaromStatus carom_mechanism_follow(const CaromMechanism *mechanism,
                                   const CaromMechanismOptions *options, double *q, double *u,
                                   CaromMechanismSummary *summary) {
    if (!summary) {
        return CAROM_INVALID_INPUT;
    }
    *summary = (CaromMechanismSummary){.end = CAROM_MECHANISM_END_FAILED,
                                       .status = CAROM_INVALID_INPUT,
                                       .message = "",
                                       .energy_first = NAN,
                                       .energy_last = NAN,
                                       .lowest = INFINITY};
    if (!mechanism || !options || !q || !u) {
        summary->message = "mechanism, options, q, u: must not be NULL";
        return summary->status;
    }
    summary->message = check_options(mechanism, options);
    if (summary->message[0]) {
        return summary->status;
    }
    int n = mechanism->coordinates;
    double *room = calloc(10 * (size_t)n + crm_point_size(n), sizeof *room);
    if (!room) {
        summary->status = CAROM_NOT_CONVERGED;
        summary->message = "no memory";
        return summary->status;
    }
    Follower self = {.mechanism = mechanism,
                     .options = options,
                     .summary = summary,
                     .n = n,
                     .y = room,
                     .room = room + 2 * (size_t)n};
    crm_point_place(&self.point, n, room + 10 * (size_t)n);
    summary->status = CAROM_OK;
    follow(&self, q, u);
    free(room);
    return summary->status;
}

const char *carom_mechanism_phase_string(CaromMechanismPhase phase) {
    static const char *const names[] = {"free", "slide", "stick", "rest"};
    return phase >= CAROM_MECHANISM_FREE && phase <= CAROM_MECHANISM_REST ? names[phase]
                                                                          : "unknown_phase";
}

const char *carom_mechanism_end_string(CaromMechanismEnd end) {
    static const char *const names[] = {"still moving when the time is over",
                                        "at rest",
                                        "jammed: sliding friction leaves no finite force",
                                        "too many phases",
                                        "stopped",
                                        "failed"};
    return end >= CAROM_MECHANISM_END_TIME && end <= CAROM_MECHANISM_END_FAILED ? names[end]
                                                                                : "unknown_end";
}

CaromMechanismOptions carom_mechanism_options_default(void) {
    return (CaromMechanismOptions){.contact = carom_contact_default(),
                                   .law = CAROM_LAW_ENERGETIC,
                                   .duration = 1,
                                   .rest = 1e-4,
                                   .tolerance = 1e-11,
                                   .phases_max = 100000};
}
