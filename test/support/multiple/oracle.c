/* See oracle.h. */
#include "support/multiple/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/multiple/motion.h"
#include "support/multiple/start.h"

/* Remaining normal impulse, over all of it, at which slip counts as ended. */
static const Real NEGLIGIBLE = 1e-19L;

/* First step after an event, in units of the fastest motion: a value that has just been zero is
 * checked again only after it. */
static const Real FIRST_STEP = 1e-6L;

/* Largest step, in the same units: between two looks nothing turns round twice. */
static const Real LARGEST_STEP = 0.25L;

/* Bounces that shrink for ever, of mono-stiffness, are over when all speeds are this small. */
static const Real STILL = 1e-17L;

/* A direction follows v_t as long as the first term left out is below this. */
static const Real FOLLOWS = 1e-10L;

/* Forces and accelerations below this part of their terms are 0 when it is decided which latched
 * contacts push. */
static const Real NOISE = 1e-14L;

typedef struct Run {
    Motion m;
    const MultipleProblem *problem;
    MultipleSettings settings;
    Real e2[MULTIPLE_CONTACTS], first_k[MULTIPLE_CONTACTS], peak[MULTIPLE_CONTACTS];
    int restitution[MULTIPLE_CONTACTS];
    int rigid[MULTIPLE_CONTACTS];         /* has latched once */
    int capped[MULTIPLE_CONTACTS];        /* its stiffness no longer grows */
    unsigned settling[MULTIPLE_CONTACTS]; /* bits of watches that have just been zero */
    Real hurry;                           /* the fastest motion after the last event */
    Real last;                            /* length of the last step, in time */
    Real lost;
    Real unit_impulse, unit_velocity;
    long steps;
    MultipleAnswer *out;
} Run;

MultipleSettings multiple_oracle_default(void) {
    return (MultipleSettings){.tolerance = 1e-17,
                              .start = 1e-6,
                              .latch_growth = 1e14,
                              .largest_growth = 1e5,
                              .step_limit = 2000000};
}

/* ---- output ---- */

/* From three rows per contact to the problem's. */
static void pack(const Run *run, const Real *from, Real unit, double *out) {
    int count = run->m.n;
    for (int i = 0; i < count; i++) {
        if (run->problem->planar) {
            *out++ = (double)(from[3 * i] * unit);
        } else {
            *out++ = (double)(from[3 * i] * unit);
            *out++ = (double)(from[3 * i + 1] * unit);
        }
        *out++ = (double)(from[3 * i + 2] * unit);
    }
}

/* All velocities: rows that are not live follow from the impulse. */
static void velocities(const Run *run, double *out) {
    const Motion *m = &run->m;
    Real v[MULTIPLE_ROWS];
    int rows = 3 * m->n, per = run->problem->planar ? 2 : 3;
    for (int i = 0; i < rows; i++) {
        v[i] = m->y[i];
        if (i % 3 < 2 && m->mu[i / 3] == 0) {
            int place = per * (i / 3) + i % 3;
            v[i] = i % 3 < per - 1 ? run->problem->v[place] / run->unit_velocity : 0;
            for (int j = 0; j < rows; j++) {
                v[i] += m->W[i * rows + j] * m->y[rows + j];
            }
        }
    }
    pack(run, v, run->unit_velocity, out);
}

static Real normal_energy(const Run *run, int i) {
    Real N = run->m.y[at_force(&run->m, i)];
    return mode_acts(run->m.mode[i]) ? N * N / (2 * run->m.k[i]) : 0;
}

static Real tangential_energy(const Run *run, int i) {
    const Motion *m = &run->m;
    const Real *t = m->y + at_tangent(m, i);
    if (m->mu[i] == 0 || !mode_acts(m->mode[i])) {
        return 0;
    }
    Real q = m->mode[i] == MODE_STICK ? sqrtl(dot2(t, t)) : m->mu[i] * m->y[at_force(m, i)];
    return q * q / (2 * m->kt[i]);
}

/* Call it when the event has been dealt with. */
static void record(Run *run, CaromEventKind kind, int contact) {
    MultipleAnswer *out = run->out;
    if (out->event_count < MULTIPLE_EVENTS) {
        MultipleEvent *event = &out->events[out->event_count];
        event->kind = kind;
        event->contact = contact;
        pack(run, run->m.y + 3 * run->m.n, run->unit_impulse, event->impulse);
        velocities(run, event->velocity);
        for (int i = 0; i < run->m.n; i++) {
            Real energy = normal_energy(run, i) * run->unit_impulse * run->unit_velocity;
            event->stored[i] = (double)energy;
        }
    }
    out->event_count++;
}

/* ---- watches ---- */

/* Each is positive as long as nothing happens. */
typedef enum Watch {
    WATCH_NORMAL, /* v_n, with the sign of the phase */
    WATCH_FORCE,  /* N, over its final value; in slip it never reaches 0 */
    WATCH_MODE,   /* stick: mu N - |q|; slip: the sliding speed */
    WATCH_COUNT
} Watch;

/* A state and what follows from it. */
typedef struct Look {
    const Real *y;
    Real F[MULTIPLE_ROWS], rate[MULTIPLE_ROWS], a[MULTIPLE_ROWS];
} Look;

static void look_at(const Run *run, const Real *y, Look *look) {
    look->y = y;
    motion_forces(&run->m, y, look->F);
    motion_force_rates(&run->m, y, look->rate);
    motion_acceleration(&run->m, look->F, look->a);
}

/* The force at which contact i ends: 0, or what mono-stiffness leaves. */
static Real last_force(const Run *run, int i) {
    int mono = run->problem->law == CAROM_LAW_MONO_STIFFNESS;
    return mono && run->restitution[i] ? sqrtl(1 - run->e2[i]) * run->peak[i] : 0;
}

static int is_watched(const Run *run, int i, Watch which) {
    ContactMode mode = run->m.mode[i];
    if (run->settling[i] >> which & 1) {
        return 0;
    }
    switch (which) {
    case WATCH_NORMAL:
        return mode != MODE_HELD;
    case WATCH_FORCE:
        return mode == MODE_HELD || (mode_acts(mode) && mode != MODE_SLIP) ||
               (mode == MODE_SLIP && last_force(run, i) > 0);
    default:
        return mode == MODE_STICK || mode == MODE_SLIP;
    }
}

/* Slip: the sliding speed. */
static Real watch_slip(const Run *run, const Look *look, int i, Real *rate) {
    const Motion *m = &run->m;
    const Real *v = look->y + at_velocity(i), *s = look->y + at_tangent(m, i), *a = look->a + 3 * i;
    Real across = v[1] * s[0] - v[0] * s[1], by = m->mu[i] / m->kt[i];
    *rate = dot2(a, s) + by * m->k[i] * a[2] + across * across / (by * look->y[at_force(m, i)]);
    return dot2(v, s) + by * m->k[i] * v[2];
}

/* The watched value, and its rate in time. */
static Real watch(const Run *run, const Look *look, int i, Watch which, Real *rate) {
    const Motion *m = &run->m;
    const Real *v = look->y + at_velocity(i), *t = look->y + at_tangent(m, i);
    if (which == WATCH_NORMAL) {
        Real sign = m->mode[i] == MODE_OPEN || run->restitution[i] ? 1 : -1;
        *rate = sign * look->a[3 * i + 2];
        return sign * v[2];
    }
    if (which == WATCH_FORCE) {
        *rate = look->rate[3 * i + 2];
        return look->F[3 * i + 2] - last_force(run, i);
    }
    if (m->mode[i] == MODE_SLIP) {
        return watch_slip(run, look, i, rate);
    }
    Real q = sqrtl(dot2(t, t));
    *rate = -m->mu[i] * m->k[i] * v[2] + (q > 0 ? m->kt[i] * dot2(v, t) / q : 0);
    return m->mu[i] * look->y[at_force(m, i)] - q;
}

/* ---- finding an event inside a step ---- */

typedef struct Watching {
    const Run *run;
    int contact;
    Watch which;
} Watching;

static Real watch_after(const void *what, Real h, Real *rate) {
    const Watching *watching = what;
    Real y[MOTION_SIZE];
    Look look;
    motion_advance(&watching->run->m, h, y);
    look_at(watching->run, y, &look);
    return watch(watching->run, &look, watching->contact, watching->which, rate);
}

/* See first_fall(). */
static Real watched_fall(const Run *run, Real h, const Look *begin, const Look *end, int i,
                         Watch which, int *falls) {
    const Watching watching = {run, i, which};
    Watched watched = {.after = watch_after, .what = &watching};
    watched.start = watch(run, begin, i, which, &watched.start_rate);
    watched.end = watch(run, end, i, which, &watched.end_rate);
    return first_fall(&watched, h, falls);
}

/* The first event in the step to y of the given length, with y the state there; 0 if none. */
static int first_event(const Run *run, Real length, Real *y, int *contact, Watch *which) {
    int found = 0;
    Look begin, end;
    look_at(run, run->m.y, &begin);
    look_at(run, y, &end);
    for (int i = 0; i < run->m.n; i++) {
        for (int w = 0; w < WATCH_COUNT; w++) {
            int falls = 0;
            Real at = is_watched(run, i, (Watch)w)
                          ? watched_fall(run, length, &begin, &end, i, (Watch)w, &falls)
                          : length;
            if (falls && (!found || at < length)) {
                motion_advance(&run->m, at, y);
                look_at(run, y, &end);
                length = at;
                found = 1;
                *contact = i;
                *which = (Watch)w;
            }
        }
    }
    return found;
}

/* ---- events ---- */

static void settle(Run *run, int i, unsigned watches) {
    const Motion *m = &run->m;
    Real own = sqrtl(m->k[i] * m->W[(3 * i + 2) * (3 * m->n + 1)]);
    run->settling[i] |= watches;
    run->hurry = fmaxl(run->hurry, isfinite(own) ? own : 0);
}

enum { ALL_WATCHES = (1 << WATCH_COUNT) - 1, ON_NORMAL = 1 << WATCH_NORMAL };

/* The contact no longer acts; it parts, or is pressed again at once. */
static void open_contact(Run *run, int i) {
    run->m.mode[i] = MODE_OPEN;
    run->m.y[at_force(&run->m, i)] = 0;
    settle(run, i, run->m.y[at_velocity(i) + 2] <= 0 ? ON_NORMAL : 0);
}

/* 1 if these contacts can be held by forces that push, and the rest of the list then parts. */
static int holds(Run *run, const int *list, int count, unsigned long mask) {
    Motion *m = &run->m;
    int chosen[MULTIPLE_CONTACTS], size = 0;
    Real F[MULTIPLE_ROWS], a[MULTIPLE_ROWS], scale = 0;
    for (int c = 0; c < count; c++) {
        if (mask >> c & 1) {
            chosen[size++] = list[c];
        }
        m->mode[list[c]] = mask >> c & 1 ? MODE_HELD : MODE_OPEN;
    }
    if (motion_hold(m, chosen, size) != 0) {
        return 0;
    }
    motion_forces(m, m->y, F);
    motion_acceleration(m, F, a);
    for (int j = 0; j < 3 * m->n; j++) {
        scale = fmaxl(scale, fabsl(F[j]));
    }
    for (int c = 0; c < count; c++) {
        int i = list[c];
        Real value = mask >> c & 1 ? F[3 * i + 2] : a[3 * i + 2];
        if (value < -NOISE * scale) {
            return 0;
        }
    }
    return 1;
}

/* Which of the contacts of the list push: the first set, from the largest down, that works. */
static void choose_held(Run *run, const int *list, int count) {
    for (int size = count; size >= 0; size--) {
        for (unsigned long mask = 0; mask < 1UL << count; mask++) {
            if (__builtin_popcountl(mask) == size && holds(run, list, count, mask)) {
                return;
            }
        }
        if (size == count) {
            /* no unique forces if it is singular */
            Motion copy = run->m;
            run->out->ambiguous |= motion_hold(&copy, list, count) != 0;
        }
    }
    run->steps = run->settings.step_limit; /* rounding leaves none: no answer */
}

static void latch(Run *run, int i) {
    Motion *m = &run->m;
    int list[MULTIPLE_CONTACTS], count = m->held_count;
    memcpy(list, m->held, (size_t)count * sizeof *list);
    list[count++] = i;
    m->y[at_force(m, i)] = 0;
    m->y[at_velocity(i) + 2] = 0;
    run->rigid[i] = 1;
    run->restitution[i] = 1;
    choose_held(run, list, count);
    for (int c = 0; c < count; c++) {
        settle(run, list[c], ALL_WATCHES);
    }
    run->out->latched++;
    record(run, CAROM_EVENT_LATCH, i);
}

static void release(Run *run, int i) {
    Motion *m = &run->m;
    int list[MULTIPLE_CONTACTS], count = 0;
    for (int h = 0; h < m->held_count; h++) {
        if (m->held[h] != i) {
            list[count++] = m->held[h];
        }
    }
    motion_hold(m, list, count);
    m->mode[i] = MODE_OPEN;
    settle(run, i, ON_NORMAL);
    record(run, CAROM_EVENT_RELEASE, i);
}

/* The energy left in the springs is lost with the contact. */
static void restitution_ends(Run *run, int i) {
    run->lost += normal_energy(run, i);
    run->m.y[at_work(&run->m)] += tangential_energy(run, i);
    open_contact(run, i);
    record(run, CAROM_EVENT_RESTITUTION_END, i);
}

static int may_latch(const Run *run, int i) {
    return run->m.mu[i] == 0 && run->settings.latch_growth < INFINITY;
}

/* Stiffness after an end of compression; it does not grow for ever. */
static Real stiffer(const Run *run, int i) {
    Real most = run->first_k[i] * (Real)run->settings.largest_growth, k = run->m.k[i];
    Real next = k / run->e2[i];
    return !may_latch(run, i) && next > most ? fmaxl(k, most) : next;
}

static void compression_ends(Run *run, int i) {
    Motion *m = &run->m;
    run->restitution[i] = 1;
    if (run->problem->law == CAROM_LAW_MONO_STIFFNESS) {
        run->peak[i] = fmaxl(run->peak[i], m->y[at_force(m, i)]);
        record(run, CAROM_EVENT_COMPRESSION_END, i);
        if (run->e2[i] == 0) {
            restitution_ends(run, i);
        }
        return;
    }
    Real energy = normal_energy(run, i), next = stiffer(run, i);
    if (next < m->k[i] / run->e2[i] && !run->capped[i]) {
        run->capped[i] = 1;
        run->out->capped++;
    }
    int latches = may_latch(run, i) &&
                  (run->e2[i] == 0 || m->k[i] > run->first_k[i] * (Real)run->settings.latch_growth);
    run->lost += latches ? energy : (1 - m->k[i] / next) * energy;
    m->k[i] = next;
    record(run, CAROM_EVENT_COMPRESSION_END, i);
    if (latches) {
        latch(run, i);
    }
}

/* Where contact i, at v_n = 0, begins to act again: slips along v_t; if that is 0, it sticks or
 * slips as the first push says. */
static ContactMode mode_again(Run *run, int i) {
    Motion *m = &run->m;
    Real F[MULTIPLE_ROWS], a[MULTIPLE_ROWS], *t = m->y + at_tangent(m, i);
    const Real *v = m->y + at_velocity(i), *b = a + 3 * i;
    t[0] = t[1] = 0;
    if (m->mu[i] == 0) {
        return MODE_NORMAL;
    }
    motion_forces(m, m->y, F);
    motion_acceleration(m, F, a);
    Real push = m->mu[i] * m->k[i] / m->kt[i] * fabsl(b[2]), along = sqrtl(dot2(b, b));
    Real own = sqrtl(m->k[i] * m->W[(3 * i + 2) * (3 * m->n + 1)]);
    /* rho = push t^2/2: the time for which the direction follows v_t */
    Real room = push > 0 ? cbrtl(2 * FOLLOWS * dot2(v, v) / (push * push)) : INFINITY;
    if (room * own > 1e-9L) {
        run->hurry = fmaxl(run->hurry, FIRST_STEP / room);
        return MODE_FOLLOW;
    }
    if (along > push) {
        t[0] = b[0] / along;
        t[1] = b[1] / along;
        return MODE_STRAIGHT;
    }
    return MODE_STICK;
}

static void activation(Run *run, int i) {
    run->m.y[at_velocity(i) + 2] = 0;
    run->restitution[i] = 0;
    run->peak[i] = 0;
    if (run->rigid[i]) {
        latch(run, i);
        return;
    }
    run->m.mode[i] = mode_again(run, i);
    settle(run, i, ALL_WATCHES);
    record(run, CAROM_EVENT_ACTIVATION, i);
}

static void mode_changes(Run *run, int i) {
    Motion *m = &run->m;
    Real *t = m->y + at_tangent(m, i), size = sqrtl(dot2(t, t));
    int slips = m->mode[i] == MODE_SLIP;
    /* F_t is continuous: q = -mu N s */
    Real by = slips ? -m->mu[i] * m->y[at_force(m, i)] : -1 / size;
    t[0] *= by;
    t[1] *= by;
    m->mode[i] = slips ? MODE_STICK : MODE_SLIP;
    /* slip starts with a speed, stick on the edge of the cone */
    settle(run, i, slips ? 1U << WATCH_MODE : 0);
    record(run, slips ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, i);
}

static void handle(Run *run, int i, Watch which) {
    Motion *m = &run->m;
    if (which == WATCH_FORCE) {
        (m->mode[i] == MODE_HELD ? release : restitution_ends)(run, i);
    } else if (which == WATCH_MODE) {
        mode_changes(run, i);
    } else if (m->mode[i] == MODE_OPEN) {
        activation(run, i);
    } else {
        m->y[at_velocity(i) + 2] = 0;
        settle(run, i, ON_NORMAL);
        if (run->restitution[i]) {
            run->restitution[i] = 0;
            record(run, CAROM_EVENT_COMPRESSION_RESTART, i);
        } else {
            compression_ends(run, i);
        }
    }
}

/* ---- the run ---- */

/* Slip has used up N: the rest of the impulse is negligible. */
static int is_used_up(const Run *run, int i) {
    const Motion *m = &run->m;
    Real N = m->y[at_force(m, i)], falls = m->k[i] * m->y[at_velocity(i) + 2];
    return m->mode[i] == MODE_SLIP && run->restitution[i] && falls > 0 &&
           N * N <= 2 * falls * NEGLIGIBLE * m->y[at_impulse(m, i) + 2];
}

/* 1 while the direction of contact i can be taken from v_t. */
static int still_follows(const Run *run, int i) {
    const Motion *m = &run->m;
    const Real *v = m->y + at_velocity(i);
    Real by = m->mu[i] / m->kt[i], rho = by * m->y[at_force(m, i)], v2 = dot2(v, v);
    return rho * by * m->k[i] * fabsl(v[2]) <= FOLLOWS * v2 &&
           rho * rho * m->omega * m->omega <= FOLLOWS * v2;
}

/* Changes that are no events; 1 if anything still acts. */
static int tidy(Run *run) {
    Motion *m = &run->m;
    int acts = 0;
    for (int i = 0; i < m->n; i++) {
        int started = m->y[at_force(m, i)] > 0;
        if (is_used_up(run, i)) {
            restitution_ends(run, i);
        } else if (started && (m->mode[i] == MODE_STRAIGHT ||
                               (m->mode[i] == MODE_FOLLOW && !still_follows(run, i)))) {
            Real s[2];
            motion_direction(m, m->y, i, s);
            memcpy(m->y + at_tangent(m, i), s, sizeof s);
            m->mode[i] = MODE_SLIP;
        }
        if (mode_acts(m->mode[i])) {
            Real swing = m->y[at_force(m, i)] / sqrtl(m->k[i]);
            acts |= swing > STILL || fabsl(m->y[at_velocity(i) + 2]) > STILL;
        }
    }
    return acts;
}

/* Longest step to try, in theta. */
static Real longest(const Run *run) {
    const Motion *m = &run->m;
    Real clock = motion_clock(m, m->y), h = LARGEST_STEP, growth = 4;
    for (int i = 0; i < m->n; i++) {
        growth = m->mode[i] == MODE_FOLLOW ? 2 : growth;
        if (run->settling[i]) {
            h = fminl(h, FIRST_STEP / (clock * fmaxl(m->omega, run->hurry)));
        }
    }
    h = fminl(h, growth * run->last / clock);
    /* contacts that are pressed through many others start like a high power of the time */
    return fminl(h, 0.5L / m->n * m->y[at_time(m)] / clock);
}

/* The longest step within the tolerance, at most h; the state after it. */
static Real step(Run *run, Real h, Real *y) {
    for (int tries = 0;; tries++) {
        Real error = motion_advance(&run->m, h, y) / run->settings.tolerance;
        run->steps++;
        /* what does not become smaller is rounding */
        if (error <= 1 || tries == 12) {
            return h;
        }
        h *= 0.5L;
    }
}

static int any_settling(const Run *run) {
    unsigned any = 0;
    for (int i = 0; i < run->m.n; i++) {
        any |= run->settling[i];
    }
    return any != 0;
}

static int integrate(Run *run) {
    Motion *m = &run->m;
    Real y[MOTION_SIZE];
    while (run->steps < run->settings.step_limit) {
        int contact = 0;
        Watch which = WATCH_NORMAL;
        motion_set_clock(m);
        if (!tidy(run)) {
            return 1;
        }
        motion_set_clock(m);
        Real length = step(run, longest(run), y), rate = motion_clock(m, m->y);
        int event = first_event(run, length, y, &contact, &which);
        memcpy(m->y, y, sizeof y);
        if (event) {
            handle(run, contact, which);
            run->last = INFINITY;
        } else {
            int settled = any_settling(run);
            memset(run->settling, 0, sizeof run->settling);
            run->hurry = settled ? 0 : run->hurry;
            run->last = length * rate;
        }
    }
    return 0;
}

/* ---- in and out ---- */

static void units(Run *run, Real *unit_w, Real *unit_k) {
    const MultipleProblem *problem = run->problem;
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3;
    *unit_w = *unit_k = run->unit_velocity = 0;
    for (int i = 0; i < problem->count; i++) {
        int normal = per * i + per - 1;
        *unit_w = fmaxl(*unit_w, problem->W[normal * (rows + 1)]);
        *unit_k = fmaxl(*unit_k, problem->contacts[i].stiffness);
        run->unit_velocity = fmaxl(run->unit_velocity, -(Real)problem->v[normal]);
    }
    run->unit_impulse = run->unit_velocity / *unit_w;
}

static void set_up(Run *run) {
    const MultipleProblem *problem = run->problem;
    Motion *m = &run->m;
    int n = m->n = problem->count, rows = multiple_rows(problem), per = problem->planar ? 2 : 3;
    Real unit_w, unit_k;
    units(run, &unit_w, &unit_k);
    for (int i = 0; i < rows; i++) {
        /* the normal is the last row */
        int to = 3 * (i / per) + (i % per == per - 1 ? 2 : i % per);
        for (int j = 0; j < rows; j++) {
            int column = 3 * (j / per) + (j % per == per - 1 ? 2 : j % per);
            m->W[to * 3 * n + column] = problem->W[i <= j ? i * rows + j : j * rows + i] / unit_w;
        }
        m->y[to] = problem->v[i] / run->unit_velocity;
        if (i % per == per - 1 || problem->contacts[i / per].mu > 0) {
            m->live[m->live_count++] = to;
        }
    }
    for (int i = 0; i < n; i++) {
        const CaromContact *contact = &problem->contacts[i];
        m->mu[i] = contact->mu;
        m->k[i] = run->first_k[i] = contact->stiffness / unit_k;
        m->kt[i] = m->k[i] / contact->stiffness_ratio;
        run->e2[i] = (Real)contact->e * contact->e;
    }
}

static void answer_fill(const Run *run, MultipleAnswer *answer) {
    const Motion *m = &run->m;
    CaromEnergy *energy = &answer->energy;
    int rows = multiple_rows(run->problem);
    Real change = 0, unit = run->unit_impulse * run->unit_velocity;
    pack(run, m->y + 3 * m->n, run->unit_impulse, answer->impulse);
    velocities(run, answer->velocity);
    for (int i = 0; i < rows; i++) {
        change += (Real)answer->impulse[i] * ((Real)run->problem->v[i] + answer->velocity[i]) / 2;
    }
    energy->change = (double)change;
    energy->normal_loss = (double)(run->lost * unit);
    energy->friction_loss = (double)(m->y[at_work(m)] * unit);
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
    answer->work = (int)run->steps;
}

void multiple_oracle_solve_with(const MultipleProblem *problem, MultipleSettings settings,
                                MultipleAnswer *answer) {
    Run *run = calloc(1, sizeof *run);
    answer->ok = answer->event_count = answer->latched = answer->ambiguous = answer->capped = 0;
    answer->message = "";
    if (run == NULL) {
        return;
    }
    run->problem = problem;
    run->settings = settings;
    run->out = answer;
    set_up(run);
    motion_start(&run->m, settings.start);
    for (int i = 0; i < run->m.n; i++) {
        if (mode_acts(run->m.mode[i])) {
            record(run, CAROM_EVENT_ACTIVATION, i);
        } else if (run->m.y[at_velocity(i) + 2] <= 0) {
            settle(run, i, ON_NORMAL);
        }
    }
    run->last = INFINITY;
    answer->ok = integrate(run);
    answer_fill(run, answer);
    free(run);
}

void multiple_oracle_solve(const MultipleProblem *problem, MultipleAnswer *answer) {
    multiple_oracle_solve_with(problem, multiple_oracle_default(), answer);
}
