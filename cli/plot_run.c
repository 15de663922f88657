/* The process of one impact as rows to be drawn. */
#include "plot_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the clock. The slip may be over in a small part of the impact: sample finely, then keep
 * only the rows between which something is seen to move. */
enum { SAMPLES = 20001, STEPS_SEEN = 400, MODES_SEEN = 24 };

typedef struct Samples {
    double clock[SAMPLES], impulse[3 * SAMPLES], velocity[3 * SAMPLES];
    double stored[SAMPLES], tangential[SAMPLES];
} Samples;

/* Two numbers per sample become three, from the end so that nothing is written over. */
static void widen(double *x) {
    for (int i = SAMPLES - 1; i >= 0; i--) {
        double t = x[2 * i], n = x[2 * i + 1];
        x[3 * i] = t;
        x[3 * i + 1] = n;
        x[3 * i + 2] = 0;
    }
}

/* What the library gives of a planar process, in the order of the rows. */
static void make_planar(PlotRun *run, Samples *samples) {
    widen(samples->impulse);
    widen(samples->velocity);
    for (int i = 0; i < run->event_count; i++) {
        double *I = run->events[i].impulse, *v = run->events[i].velocity;
        I[1] = I[2];
        v[1] = v[2];
        I[2] = v[2] = 0;
    }
}

static PlotRow *add_row(PlotRun *run, double p, const double I[3], const double v[3]) {
    PlotRow *row = &run->rows[run->row_count++];
    row->p = p;
    row->lost = run->row_count > 1 ? row[-1].lost : 0;
    memcpy(row->I, I, sizeof row->I);
    memcpy(row->v, v, sizeof row->v);
    return row;
}

/* The stored energy falls at an end of compression under the energetic law: rows before and after.
 */
static void add_event(PlotRun *run, const CaromEvent *event, const CaromContact *contact,
                      CaromLaw law) {
    PlotRow *row = add_row(run, event->normal_impulse, event->impulse, event->velocity);
    row->E = event->stored;
    row->T = event->tangential;
    if (event->kind == CAROM_COMPRESSION_END && law == CAROM_ENERGETIC) {
        PlotRow *after = add_row(run, row->p, row->I, row->v);
        after->E = contact->e * contact->e * event->stored;
        after->T = row->T;
        after->lost = row->lost + event->stored - after->E;
    }
}

/* Largest speed in the plane that is drawn: the scale of what is seen to move. */
static double find_scale(const Samples *samples) {
    double scale = 0;
    for (int i = 0; i < SAMPLES; i++) {
        scale = fmax(scale, hypot(samples->velocity[3 * i], samples->velocity[3 * i + 1]));
    }
    return scale;
}

static void merge(PlotRun *run, const Samples *samples, const CaromContact *contact, CaromLaw law) {
    int next = 0, last = -STEPS_SEEN;
    double step = find_scale(samples) / STEPS_SEEN, kept[2] = {0, 0};
    for (int i = 0; i < SAMPLES; i++) {
        const double *v = &samples->velocity[3 * i];
        bool event =
            next < run->event_count && run->events[next].normal_impulse <= samples->clock[i];
        while (next < run->event_count && run->events[next].normal_impulse <= samples->clock[i]) {
            add_event(run, &run->events[next++], contact, law);
        }
        if (event || i + 1 == SAMPLES || i - last >= SAMPLES / STEPS_SEEN ||
            hypot(v[0] - kept[0], v[1] - kept[1]) > step) {
            PlotRow *row = add_row(run, samples->clock[i], &samples->impulse[3 * i], v);
            row->E = samples->stored[i];
            row->T = samples->tangential[i];
            last = i;
            kept[0] = v[0];
            kept[1] = v[1];
        }
    }
    while (next < run->event_count) {
        add_event(run, &run->events[next++], contact, law);
    }
}

static CaromStatus fail(PlotRun *run, CaromStatus status, const char *message) {
    plot_run_free(run);
    run->result.status = status;
    run->result.message = message;
    return status;
}

/* None where a direction is locked: slip has no choice there. A spring along the surface does away
 * with them. */
static void find_invariants(const Scene *scene, PlotRun *run) {
    if (scene->planar || run->compliant ||
        carom_invariant_directions(scene->inverse_inertia, run->mu, run->invariants,
                                   &run->invariant_count) < 0) {
        run->invariant_count = 0;
    }
}

/* Sample the process with room for all its events; those of a compliant contact have to be counted
 * first. False: no memory. */
static bool sample(const CaromProblem *problem, CaromTrace *trace, PlotRun *run) {
    CaromResult *result = &run->result;
    int capacity = CAROM_RIGID_EVENTS;
    do {
        free(run->events);
        free(run->rows);
        run->events = malloc((size_t)capacity * sizeof *run->events);
        run->rows = malloc((size_t)(SAMPLES + 2 * capacity) * sizeof *run->rows);
        if (!run->events || !run->rows) {
            return false;
        }
        *result = (CaromResult){.events = run->events, .event_capacity = capacity};
        carom_trace(problem, trace, result);
        capacity = result->event_count;
    } while (result->event_count > result->event_capacity);
    run->event_count = result->event_count;
    return true;
}

CaromStatus plot_run_make(const Scene *scene, PlotRun *run) {
    CaromProblem problem = scene_problem(scene);
    const CaromContact *contact = &scene->contacts[0];
    *run = (PlotRun){
        .planar = scene->planar, .compliant = scene->model == CAROM_COMPLIANT, .mu = contact->mu};
    Samples *samples = malloc(sizeof *samples);
    CaromTrace trace = {.capacity = SAMPLES};
    if (samples) {
        trace.clock = samples->clock;
        trace.impulse = samples->impulse;
        trace.velocity = samples->velocity;
        trace.stored = samples->stored;
        trace.tangential = samples->tangential;
    }
    if (!samples || !sample(&problem, &trace, run)) {
        free(samples);
        return fail(run, CAROM_INVALID_INPUT, "out of memory");
    }
    CaromStatus status = run->result.status;
    if (status >= 0) {
        memcpy(run->v_before, scene->velocity, (size_t)scene_rows(scene) * sizeof(double));
        if (scene->planar) {
            make_planar(run, samples);
        }
        merge(run, samples, contact, scene->law);
        find_invariants(scene, run);
    }
    free(samples);
    return status < 0 ? fail(run, status, run->result.message) : status;
}

bool plot_run_shows(const PlotRun *run, int event) {
    int modes = 0;
    for (int i = 0; i < event; i++) {
        modes += run->events[i].kind == CAROM_STICK || run->events[i].kind == CAROM_SLIP;
    }
    CaromEventKind kind = run->events[event].kind;
    return (kind != CAROM_STICK && kind != CAROM_SLIP) || modes < MODES_SEEN;
}

void plot_run_free(PlotRun *run) {
    free(run->rows);
    free(run->events);
    *run = (PlotRun){0};
}
