/* The process of one impact as rows to be drawn. */
#include "plot_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the clock. The slip may be over in a small part of the impact: sample finely, then keep
 * only the rows between which something is seen to move. */
enum { SAMPLES = 20001, STEPS_SEEN = 400 };

typedef struct Samples {
    double clock[SAMPLES], impulse[3 * SAMPLES], velocity[3 * SAMPLES], stored[SAMPLES];
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

static void add_row(PlotRun *run, double p, const double I[3], const double v[3], double E) {
    PlotRow *row = &run->rows[run->row_count++];
    row->p = p;
    row->E = E;
    memcpy(row->I, I, sizeof row->I);
    memcpy(row->v, v, sizeof row->v);
}

/* The stored energy falls at an end of compression under the energetic law: rows before and after.
 */
static void add_event(PlotRun *run, const CaromEvent *event, const CaromContact *contact,
                      CaromLaw law) {
    add_row(run, event->normal_impulse, event->impulse, event->velocity, event->stored);
    if (event->kind == CAROM_COMPRESSION_END && law == CAROM_ENERGETIC) {
        add_row(run, event->normal_impulse, event->impulse, event->velocity,
                contact->e * contact->e * event->stored);
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
            add_row(run, samples->clock[i], &samples->impulse[3 * i], v, samples->stored[i]);
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

/* None where a direction is locked: slip has no choice there. */
static void find_invariants(const Scene *scene, PlotRun *run) {
    if (scene->planar || carom_invariant_directions(scene->inverse_inertia, run->mu,
                                                    run->invariants, &run->invariant_count) < 0) {
        run->invariant_count = 0;
    }
}

CaromStatus plot_run_make(const Scene *scene, PlotRun *run) {
    CaromProblem problem = scene_problem(scene);
    const CaromContact *contact = &scene->contacts[0];
    *run = (PlotRun){.planar = scene->planar, .mu = contact->mu};
    run->result.events = run->events;
    run->result.event_capacity = CAROM_RIGID_EVENTS;
    Samples *samples = malloc(sizeof *samples);
    run->rows = malloc((SAMPLES + 2 * CAROM_RIGID_EVENTS) * sizeof *run->rows);
    if (!samples || !run->rows) {
        free(samples);
        return fail(run, CAROM_INVALID_INPUT, "out of memory");
    }
    CaromTrace trace = {.capacity = SAMPLES,
                        .clock = samples->clock,
                        .impulse = samples->impulse,
                        .velocity = samples->velocity,
                        .stored = samples->stored};
    CaromStatus status = carom_trace(&problem, &trace, &run->result);
    if (status >= 0) {
        run->event_count = run->result.event_count < CAROM_RIGID_EVENTS ? run->result.event_count
                                                                        : CAROM_RIGID_EVENTS;
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

void plot_run_free(PlotRun *run) {
    free(run->rows);
    *run = (PlotRun){0};
}
