/* See oracle.h. */
#include "support/compliant/oracle.h"

#include <math.h>
#include <string.h>

#include "support/math/extrapolation.h"

/* Remaining normal impulse, over all of it, at which slip counts as ended. */
static const Real NEGLIGIBLE = 1e-19L;

/* First step after an event, in units of the fastest motion: what has just been zero is
 * looked at again only after it. Nothing grows by more than its square until then. */
static const Real FIRST_STEP = 1e-5L;

/* Largest step, in the same units: between two looks nothing turns round twice. */
static const Real LARGEST_STEP = 0.25L;

/* Normal stiffness beyond which a contact that chatters latches (see oracle.h): what is
 * left of the chatter changes the answer by the inverse of its square root. */
static const Real LATCH_STIFFNESS = 1e34L;

/* Places in the state: v, I, N, then q in stick or the direction s in slip, and the work of
 * friction. v is not computed from I: what small v_n there is after an end of compression with
 * small e keeps its digits. */
enum { VELOCITY = 0, IMPULSE = 3, FORCE = 6, TANGENT = 7, WORK = 9, SIZE = 10 };

typedef struct Contact {
    Real W[9], v[3]; /* W_nn = 1, v_n = -1 */
    Real mu, e, kt;
} Contact;

typedef struct Run {
    Contact contact;
    Real k;       /* normal stiffness now */
    Real y[SIZE]; /* the state */
    int slips, restitution, latched, done;
    unsigned settling; /* bits of values that have just been zero: not watched in the next step */
    long steps;
    OracleSettings settings;
    Real stored, released, lost, tangential;
    Real unit_impulse, unit_velocity;
    CompliantAnswer *out;
    size_t letters;
} Run;

OracleSettings compliant_oracle_default(void) {
    return (OracleSettings){
        .tolerance = 1e-17, .start_force = 1e-6, .step_limit = 4000000, .stiffest = INFINITY};
}

/* ---- the equations ---- */

static void force(const Run *run, const Real *y, Real F[3]) {
    Real by = run->slips ? -run->contact.mu * y[FORCE] : 1;
    F[0] = by * y[TANGENT];
    F[1] = by * y[TANGENT + 1];
    F[2] = run->latched ? -dot2(run->contact.W + 6, F) : y[FORCE];
}

/* dN/dt from v, or its derivative from the acceleration */
static Real force_rate(const Run *run, const Real *v) {
    const Contact *c = &run->contact;
    return run->latched ? c->kt * dot2(c->W + 6, v) : -run->k * v[2];
}

static void acceleration(const Contact *c, const Real F[3], Real a[3]) {
    for (int i = 0; i < 3; i++) {
        a[i] = c->W[3 * i] * F[0] + c->W[3 * i + 1] * F[1] + c->W[3 * i + 2] * F[2];
    }
}

static Real sliding_speed(const Run *run, const Real *y) {
    const Contact *c = &run->contact;
    const Real *v = y + VELOCITY;
    return dot2(v, y + TANGENT) - c->mu / c->kt * force_rate(run, v);
}

/* v_t.s_perp */
static Real across(const Real *y) {
    const Real *v = y + VELOCITY, *s = y + TANGENT;
    return v[1] * s[0] - v[0] * s[1];
}

/* Rates by the clock of the mode. */
static void rates(const void *system, const Real *y, Real *out) {
    const Run *run = system;
    const Contact *c = &run->contact;
    const Real *v = y + VELOCITY, *s = y + TANGENT;
    Real F[3], a[3], clock = run->slips ? y[FORCE] : 1;
    force(run, y, F);
    acceleration(c, F, a);
    for (int i = 0; i < 3; i++) {
        out[VELOCITY + i] = clock * a[i];
        out[IMPULSE + i] = clock * F[i];
    }
    out[FORCE] = clock * force_rate(run, v);
    if (run->slips) {
        Real turn = c->kt / c->mu * across(y);
        out[TANGENT] = -turn * s[1];
        out[TANGENT + 1] = turn * s[0];
        out[WORK] = clock * c->mu * y[FORCE] * sliding_speed(run, y);
    } else {
        out[TANGENT] = -c->kt * v[0];
        out[TANGENT + 1] = -c->kt * v[1];
        out[WORK] = 0;
    }
}

/* ---- what ends a phase ---- */

/* Each is positive as long as nothing happens. */
typedef enum Watch {
    WATCH_NORMAL, /* v_n, with the sign of the phase; latched slip: what keeps v_n from rising */
    WATCH_FORCE,  /* N; in slip it never reaches 0 */
    WATCH_MODE,   /* stick: mu N - |q|; slip: the sliding speed */
    WATCH_COUNT
} Watch;

/* The watched value, and its rate in time. */
static Real watch(const Run *run, const Real *y, Watch which, Real *rate) {
    const Contact *c = &run->contact;
    const Real *v = y + VELOCITY, *t = y + TANGENT;
    Real F[3], a[3];
    force(run, y, F);
    acceleration(c, F, a);
    if (which == WATCH_NORMAL && run->latched) {
        *rate = 0; /* monotone between two looks */
        return run->slips ? c->mu * dot2(c->W + 6, t) - 1 : 1;
    }
    if (which == WATCH_NORMAL) {
        Real sign = run->restitution ? 1 : -1;
        *rate = sign * a[2];
        return sign * v[2];
    }
    if (which == WATCH_FORCE) {
        *rate = force_rate(run, v);
        return y[FORCE];
    }
    if (run->slips) {
        Real turning = across(y) * across(y) * c->kt / (c->mu * y[FORCE]);
        *rate = dot2(a, t) - c->mu / c->kt * force_rate(run, a) + turning;
        return sliding_speed(run, y);
    }
    Real q = sqrtl(dot2(t, t));
    *rate = c->mu * force_rate(run, v) + (q > 0 ? c->kt * dot2(v, t) / q : 0);
    return c->mu * y[FORCE] - q;
}

/* ---- one step ---- */

/* A step of length h from the run's state; returns its estimated error. */
static Real advance(const Run *run, Real h, Real *out) {
    Real lower[SIZE], error = 0;
    extrapolate(rates, run, SIZE, run->y, h, out, lower);
    for (int i = 0; i < SIZE; i++) {
        /* v_n and N trade places: N ~ sqrt(k) v_n */
        Real size = i == VELOCITY + 2 ? 1 / sqrtl(run->k) : fmaxl(1, fabsl(out[i]));
        error = fmaxl(error, fabsl(out[i] - lower[i]) / size);
    }
    if (run->slips) {
        Real *s = out + TANGENT, norm = sqrtl(dot2(s, s));
        s[0] /= norm;
        s[1] /= norm;
    }
    return error;
}

/* The fastest motion of the mode, per unit of its clock. */
static Real fastest(const Run *run) {
    const Contact *c = &run->contact;
    const Real *v = run->y + VELOCITY;
    Real trace = c->W[0] + c->W[4];
    Real k = run->latched ? 0 : run->k;
    if (!run->slips) {
        return sqrtl((trace + 1) * fmaxl(k, c->kt));
    }
    Real coupling = hypotl(c->W[2], c->W[5]);
    Real turning = c->kt / c->mu * hypotl(v[0], v[1]);
    Real swinging = sqrtl(k * (1 + c->mu * coupling)) + sqrtl(c->kt * trace);
    return turning + swinging * run->y[FORCE] + fabsl(force_rate(run, v));
}

/* ---- events ---- */

static void letter(Run *run, char which) {
    char *sequence = run->out->answer.sequence;
    if (run->letters + 1 < CAROM_SEQUENCE_SIZE) {
        sequence[run->letters++] = which;
    }
}

static Real normal_energy(const Run *run) {
    return run->y[FORCE] * run->y[FORCE] / (2 * run->k);
}

static Real tangential_energy(const Run *run) {
    const Contact *c = &run->contact;
    const Real *t = run->y + TANGENT;
    Real q = run->slips ? c->mu * run->y[FORCE] : sqrtl(dot2(t, t));
    return q * q / (2 * c->kt);
}

static void record(Run *run, CaromEventKind kind) {
    Real energy = run->unit_impulse * run->unit_velocity;
    if (run->out->event_count < COMPLIANT_EVENTS) {
        CaromEvent *event = &run->out->events[run->out->event_count];
        *event = (CaromEvent){.kind = kind};
        for (int i = 0; i < 3; i++) {
            event->impulse[i] = (double)(run->y[IMPULSE + i] * run->unit_impulse);
            event->velocity[i] = (double)(run->y[VELOCITY + i] * run->unit_velocity);
        }
        event->normal_impulse = event->impulse[2];
        event->stored = (double)(normal_energy(run) * energy);
        event->tangential = (double)(tangential_energy(run) * energy);
    }
    run->out->event_count++;
}

/* The energy left in the tangential spring is lost with the contact. */
static void restitution_ends(Run *run) {
    record(run, CAROM_EVENT_RESTITUTION_END);
    letter(run, 'r');
    run->y[WORK] += tangential_energy(run);
    run->done = 1;
}

/* N oscillates about -d.q ever faster; from here on only its lower end matters. Where that lies on
 * the friction cone, each oscillation slips a little. */
static void latch(Run *run) {
    const Contact *c = &run->contact;
    Real *q = run->y + TANGENT, size = sqrtl(dot2(q, q));
    Real low = -2 * dot2(c->W + 6, q) - run->y[FORCE];
    if (!(c->mu * low > size * (1 - 1e-15L))) {
        return;
    }
    run->latched = run->out->latched = 1;
    run->y[FORCE] = low;
}

/* Stored and released are what N^2/2k gained or gave since the last change of phase. */
static void compression_ends(Run *run) {
    Answer *answer = &run->out->answer;
    Real E = normal_energy(run), e2 = run->contact.e * run->contact.e;
    e2 = run->k > run->settings.stiffest ? 1 : e2;
    if (!(answer->first_compression >= 0)) {
        answer->first_compression = (double)(run->y[IMPULSE + 2] * run->unit_impulse);
    }
    record(run, CAROM_EVENT_COMPRESSION_END);
    letter(run, 'c');
    run->stored += E;
    run->lost += (1 - e2) * E;
    run->released += e2 * E;
    run->tangential = tangential_energy(run);
    run->restitution = 1;
    if (e2 == 0) {
        restitution_ends(run);
        return;
    }
    run->k /= e2;
    if (run->k > LATCH_STIFFNESS && !run->slips) {
        latch(run);
    }
}

static void compression_restarts(Run *run) {
    Real E = normal_energy(run);
    record(run, CAROM_EVENT_COMPRESSION_RESTART);
    run->stored -= E;
    run->released -= E;
    run->out->answer.restarts++;
    run->restitution = 0;
}

static void mode_changes(Run *run) {
    Real *t = run->y + TANGENT, size = sqrtl(dot2(t, t));
    record(run, run->slips ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP);
    if (run->slips) {
        letter(run, 's');
    }
    /* F_t is continuous: q = -mu N s */
    Real by = run->slips ? -run->contact.mu * run->y[FORCE] : -1 / size;
    t[0] *= by;
    t[1] *= by;
    run->slips = !run->slips;
}

static void handle(Run *run, Watch which) {
    if (which == WATCH_FORCE || (run->latched && which == WATCH_NORMAL)) {
        restitution_ends(run);
    } else if (which == WATCH_MODE) {
        mode_changes(run);
        /* slip starts with a speed, stick on the edge of the cone */
        run->settling |= run->slips ? 0 : 1U << WATCH_MODE;
    } else {
        run->y[VELOCITY + 2] = 0;
        (run->restitution ? compression_restarts : compression_ends)(run);
        run->settling |= 1U << WATCH_NORMAL;
    }
}

/* ---- the run ---- */

/* Slip has used up N: the rest of the impulse is negligible. */
static int is_used_up(const Run *run) {
    Real N = run->y[FORCE], falls = -force_rate(run, run->y + VELOCITY);
    return run->slips && run->restitution && falls > 0 &&
           N * N <= 2 * falls * NEGLIGIBLE * run->y[IMPULSE + 2];
}

/* The longest step within the tolerance, at most *h: the state after it, and the next try. */
static Real step(Run *run, Real *h, Real *y) {
    for (;;) {
        Real length = *h, error = advance(run, length, y) / run->settings.tolerance;
        Real factor = 0.9L * powl(fmaxl(error, 1e-12L), -1.0L / (2 * EXTRAPOLATION_COLUMNS - 1));
        *h = length * fminl(fmaxl(factor, 0.1L), 3);
        run->steps++;
        if (error <= 1 || run->steps > run->settings.step_limit) {
            return length;
        }
    }
}

typedef struct Watching {
    const Run *run;
    Watch which;
} Watching;

static Real watch_after(const void *what, Real h, Real *rate) {
    const Watching *watching = what;
    Real y[SIZE];
    advance(watching->run, h, y);
    return watch(watching->run, y, watching->which, rate);
}

/* See first_fall(); end is the state after the step. */
static Real watched_fall(const Run *run, Real h, const Real *end, Watch which, int *falls) {
    const Watching watching = {run, which};
    Watched watched = {.after = watch_after, .what = &watching};
    watched.start = watch(run, run->y, which, &watched.start_rate);
    watched.end = watch(run, end, which, &watched.end_rate);
    return first_fall(&watched, h, falls);
}

/* The first event in the step to y of the given length: its place, with y the state there. Returns
 * the watch that fell, or WATCH_COUNT. */
static Watch first_event(const Run *run, Real length, Real *y) {
    Watch first = WATCH_COUNT;
    for (int k = 0; k < WATCH_COUNT; k++) {
        int falls = 0;
        Real at = run->settling >> k & 1 ? length : watched_fall(run, length, y, (Watch)k, &falls);
        /* of two at once the one that comes first in the list */
        if (falls && (first == WATCH_COUNT || at < length)) {
            advance(run, at, y);
            length = at;
            first = (Watch)k;
        }
    }
    return first;
}

static void integrate(Run *run) {
    Real h = INFINITY, y[SIZE];
    while (!run->done && run->steps < run->settings.step_limit) {
        if (is_used_up(run)) {
            restitution_ends(run);
            return;
        }
        h = fminl(h, (run->settling ? FIRST_STEP : LARGEST_STEP) / fastest(run));
        Real length = step(run, &h, y);
        Watch event = first_event(run, length, y);
        memcpy(run->y, y, sizeof y);
        if (event == WATCH_COUNT) {
            run->settling = 0;
        } else {
            handle(run, event);
            h = INFINITY;
        }
    }
}

/* Slip from the first touch: at time t the force is t, the direction that of v_t up to t^2. */
static void start_in_slip(Run *run) {
    Contact *c = &run->contact;
    Real t = run->settings.start_force, r = hypotl(c->v[0], c->v[1]), *y = run->y;
    const Real s[2] = {c->v[0] / r, c->v[1] / r};
    const Real F[3] = {-c->mu * s[0] * t, -c->mu * s[1] * t, t};
    Real a[3];
    acceleration(c, F, a);
    for (int i = 0; i < 3; i++) {
        y[IMPULSE + i] = F[i] * t / 2;
        y[VELOCITY + i] += a[i] * t / 2;
    }
    y[FORCE] = t;
    y[TANGENT] = s[0];
    y[TANGENT + 1] = s[1];
    y[WORK] = c->mu * (r - c->mu / c->kt) * t * t / 2;
    run->slips = 1;
}

/* mu = 0: the normal spring alone. */
static void frictionless(Run *run) {
    const Contact *c = &run->contact;
    Real p[2] = {1, 1 + c->e};
    run->slips = 1;
    for (int k = 0; k < 2 && !run->done; k++) {
        for (int i = 0; i < 3; i++) {
            run->y[VELOCITY + i] = c->v[i] + c->W[3 * i + 2] * p[k];
        }
        run->y[IMPULSE + 2] = p[k];
        run->y[FORCE] = k == 0 ? 1 : 0;
        (k == 0 ? compression_ends : restitution_ends)(run);
    }
}

static Run run_of(const Impact *impact, OracleSettings settings, CompliantAnswer *out) {
    Run run = {.settings = settings, .k = 1, .out = out};
    Contact *c = &run.contact;
    Real w = impact->W[8], speed = -(Real)impact->v[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c->W[3 * i + j] = impact->W[i <= j ? 3 * i + j : 3 * j + i] / w;
        }
        run.y[VELOCITY + i] = c->v[i] = impact->v[i] / speed;
    }
    c->mu = impact->contact.mu;
    c->e = impact->contact.e;
    c->kt = 1 / (Real)impact->contact.stiffness_ratio;
    run.unit_velocity = speed;
    run.unit_impulse = speed / w;
    return run;
}

static void answer_fill(const Run *run, CompliantAnswer *out) {
    Answer *answer = &out->answer;
    CaromEnergy *energy = &out->energy;
    const Real *v = run->y + VELOCITY, *I = run->y + IMPULSE;
    Real change = 0, unit = run->unit_impulse * run->unit_velocity;
    for (int i = 0; i < 3; i++) {
        answer->impulse[i] = (double)(I[i] * run->unit_impulse);
        answer->velocity[i] = (double)(v[i] * run->unit_velocity);
        change += I[i] * (run->contact.v[i] + v[i]) / 2;
    }
    energy->change = (double)(change * unit);
    energy->stored = (double)(run->stored * unit);
    energy->released = (double)(run->released * unit);
    energy->normal_loss = answer->normal_loss = (double)(run->lost * unit);
    energy->friction_loss = answer->friction_loss = (double)(run->y[WORK] * unit);
    energy->residual = (double)((change + run->lost + run->y[WORK]) * unit);
    energy->tangential = (double)(run->tangential * unit);
}

CompliantAnswer compliant_oracle_solve_with(const Impact *impact, OracleSettings settings) {
    CompliantAnswer out = {.answer = {.first_compression = NAN}};
    Run run = run_of(impact, settings, &out);
    const Contact *c = &run.contact;
    if (c->mu == 0) {
        frictionless(&run);
    } else {
        if (hypotl(c->v[0], c->v[1]) > c->mu / c->kt) {
            start_in_slip(&run);
        } else {
            run.settling = 1U << WATCH_FORCE | 1U << WATCH_MODE;
        }
        integrate(&run);
    }
    answer_fill(&run, &out);
    out.answer.ok = run.done;
    return out;
}

CompliantAnswer compliant_oracle_solve(const Impact *impact) {
    return compliant_oracle_solve_with(impact, compliant_oracle_default());
}
