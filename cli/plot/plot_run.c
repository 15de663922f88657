/* The process of an impact as rows to draw. */
#include "plot/plot_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "solve/trace.h"

/* Samples. Slip may last for a small part of the impact only: sample finely, then keep the rows
 * between which the velocities change visibly. With many contacts there are fewer samples, to limit
 * the memory. */
enum { SAMPLES = 20001, SAMPLES_MIN = 401, NUMBERS_MAX = 400000, STEPS_SEEN = 400 };

/* Most marked events of stick, slip and bounces of one contact. */
enum { MODES_SEEN = 24 };

static bool make_samples(const Scene *scene, CaromTrace *samples) {
    int fit = NUMBERS_MAX / scene->contact_count;
    int count = fit > SAMPLES ? SAMPLES : fit < SAMPLES_MIN ? SAMPLES_MIN : fit;
    bool good = trace_create(scene, count, samples);
    if (good) {
        CaromProblem problem = scene_problem(scene);
        carom_trace(&problem, NULL, samples, NULL);
    }
    return good;
}

/* Expand the library's vectors of all contacts to three components each. */
static void widen(const PlotRun *run, const double *from, double *to) {
    int rows = scene_rows(run->scene);
    for (int i = 0; i < run->contacts; i++, from += rows, to += 3) {
        to[0] = from[0];
        to[1] = run->planar ? 0 : from[1];
        to[2] = from[rows - 1];
    }
}

/* A new row; its lost energy is that of the row before, its modes are unknown. */
static int add_row(PlotRun *run, double clock) {
    int row = run->row_count++;
    /* events and samples at one moment differ by rounding, and the clock does not run back */
    run->clock[row] = row > 0 ? fmax(clock, run->clock[row - 1]) : clock;
    run->lost[row] = row > 0 ? run->lost[row - 1] : 0;
    memset(&run->mode[(size_t)row * (size_t)run->contacts], PLOT_MODE_UNKNOWN,
           (size_t)run->contacts);
    return row;
}

static void add_sample(PlotRun *run, const CaromTrace *samples, int sample) {
    size_t n = (size_t)run->contacts, size = (size_t)scene_rows(run->scene) * n;
    size_t row = (size_t)add_row(run, samples->clock[sample]), i = (size_t)sample;
    widen(run, &samples->impulse[i * size], &run->impulse[3 * n * row]);
    widen(run, &samples->velocity[i * size], &run->velocity[3 * n * row]);
    memcpy(&run->stored[n * row], &samples->stored[i * n], n * sizeof(double));
    memcpy(&run->held[n * row], &samples->tangential[i * n], n * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        run->mode[n * row + k] = (unsigned char)samples->mode[i * n + k];
    }
}

/* Normal energy of the only contact after an event. */
static double stored_after(const PlotRun *run, const CaromEvent *event) {
    double e = run->scene->contacts[0].e;
    if (event->kind == CAROM_EVENT_COMPRESSION_END && run->scene->law == CAROM_LAW_ENERGETIC) {
        return e * e * event->stored;
    }
    /* the law dissipates what is left; a negative rest is a gain */
    return event->kind == CAROM_EVENT_RESTITUTION_END ? 0 : event->stored;
}

/* Fill a row with all contacts at an event: from the event itself if there is one contact, else
 * from its snapshot. A snapshot lacks the tangential energies; they are interpolated between
 * samples. */
static void fill_event(PlotRun *run, const CaromTrace *samples, int event, int next, size_t row) {
    const CaromEvent *now = &run->solution.result.events[event];
    const CaromSnapshots *shot = &run->solution.snapshots;
    size_t n = (size_t)run->contacts, size = (size_t)scene_rows(run->scene) * n, i = (size_t)event;
    if (n == 1) {
        memcpy(&run->impulse[3 * row], now->impulse, sizeof now->impulse);
        memcpy(&run->velocity[3 * row], now->velocity, sizeof now->velocity);
        run->stored[row] = stored_after(run, now);
        run->held[row] = now->tangential;
        return;
    }
    widen(run, &shot->impulse[i * size], &run->impulse[3 * n * row]);
    widen(run, &shot->velocity[i * size], &run->velocity[3 * n * row]);
    memcpy(&run->stored[n * row], &shot->stored[i * n], n * sizeof(double));
    size_t b = (size_t)(next < samples->count ? next : samples->count - 1), a = b > 0 ? b - 1 : b;
    double step = samples->clock[b] - samples->clock[a];
    double part = step > 0 ? (run->clock[row] - samples->clock[a]) / step : 0;
    for (size_t k = 0; k < n; k++) {
        double low = samples->tangential[a * n + k], high = samples->tangential[b * n + k];
        run->held[n * row + k] = low + fmin(fmax(part, 0), 1) * (high - low);
    }
    run->held[n * row + (size_t)now->contact] = now->tangential;
}

/* Add a row for an event, two if the normal energy drops. next: the first sample after it. */
static void add_event(PlotRun *run, const CaromTrace *samples, int event, int next) {
    const CaromEvent *now = &run->solution.result.events[event];
    size_t n = (size_t)run->contacts, k = (size_t)now->contact;
    size_t row = (size_t)add_row(run, run->event_clock[event]);
    fill_event(run, samples, event, next, row);
    double loss = now->stored - run->stored[n * row + k];
    if (loss != 0) {
        run->stored[n * row + k] = now->stored;
        row = (size_t)add_row(run, run->event_clock[event]);
        fill_event(run, samples, event, next, row);
        run->lost[row] += loss;
    }
}

static double speed_between(const CaromTrace *samples, size_t size, int a, int b) {
    double sum = 0;
    for (size_t k = 0; k < size; k++) {
        double d =
            samples->velocity[(size_t)b * size + k] - samples->velocity[(size_t)a * size + k];
        sum += d * d;
    }
    return sqrt(sum);
}

/* A visible change of velocity: a small part of the largest change since the start. */
static double find_step(const CaromTrace *samples, size_t size) {
    double farthest = 0;
    for (int i = 0; i < samples->count; i++) {
        farthest = fmax(farthest, speed_between(samples, size, 0, i));
    }
    return farthest / STEPS_SEEN;
}

static void merge(PlotRun *run, const CaromTrace *samples) {
    size_t size = (size_t)scene_rows(run->scene) * (size_t)run->contacts;
    int next = 0, last = -1, events = run->solution.result.event_count;
    double step = find_step(samples, size);
    for (int i = 0; i < samples->count; i++) {
        int first = next;
        while (next < events && run->event_clock[next] <= samples->clock[i]) {
            add_event(run, samples, next++, i);
        }
        if (last < 0 || next > first || i + 1 == samples->count ||
            i - last > samples->count / STEPS_SEEN ||
            speed_between(samples, size, last, i) > step) {
            add_sample(run, samples, i);
            last = i;
            if (next == events) { /* nothing acts any more */
                size_t n = (size_t)run->contacts, row = (size_t)run->row_count - 1;
                memset(&run->stored[n * row], 0, n * sizeof(double));
            }
        }
    }
    while (next < events) {
        add_event(run, samples, next++, samples->count);
    }
}

static void find_event_clocks(PlotRun *run) {
    const CaromResult *result = &run->solution.result;
    size_t size = (size_t)scene_rows(run->scene) * (size_t)run->contacts;
    for (int i = 0; i < result->event_count; i++) {
        double clock =
            run->contacts > 1
                ? scene_clock(run->scene, &run->solution.snapshots.impulse[(size_t)i * size])
                : result->events[i].normal_impulse;
        run->event_clock[i] = i > 0 ? fmax(clock, run->event_clock[i - 1]) : clock;
    }
}

static bool make_room(PlotRun *run, const CaromTrace *samples) {
    size_t events = (size_t)run->solution.result.event_count, n = (size_t)run->contacts;
    size_t rows = (size_t)samples->count + 2 * events;
    run->clock = malloc((rows * (8 * n + 2) + events) * sizeof(double));
    run->mode = malloc(rows * n);
    if (!run->clock || !run->mode) {
        return false;
    }
    run->lost = run->clock + rows;
    run->impulse = run->lost + rows;
    run->velocity = run->impulse + 3 * n * rows;
    run->stored = run->velocity + 3 * n * rows;
    run->held = run->stored + n * rows;
    run->event_clock = run->held + n * rows;
    return true;
}

static CaromStatus fail(PlotRun *run, CaromStatus status, const char *message, Error *error) {
    bool invalid = status == CAROM_INVALID_INPUT;
    error_set(error, "%s%s%s", invalid ? "" : carom_status_string(status), invalid ? "" : ": ",
              message);
    plot_run_free(run);
    return status;
}

/* Use the given solution, or solve. False: out of memory. */
static bool take_solution(PlotRun *run, const Solution *solved) {
    CaromOptions options = carom_options_default();
    run->borrowed = solved && solved->method == CAROM_METHOD_EXACT && solved->result.status >= 0;
    if (run->borrowed) {
        run->solution = *solved;
        return true;
    }
    return solution_compute(run->scene, &options, &run->solution);
}

CaromStatus plot_run_make(const Scene *scene, const Solution *solved, PlotRun *run, Error *error) {
    *run = (PlotRun){.scene = scene,
                     .planar = scene->planar,
                     .compliant = scene->model == CAROM_MODEL_COMPLIANT,
                     .contacts = scene->contact_count};
    if (!take_solution(run, solved)) {
        return fail(run, CAROM_INVALID_INPUT, "out of memory", error);
    }
    const CaromResult *result = &run->solution.result;
    if (result->status < 0) {
        return fail(run, result->status, result->message, error);
    }
    if (run->contacts > 1 && !run->solution.snapshots.impulse) {
        return fail(run, CAROM_INVALID_INPUT, "too many contacts and events to be drawn", error);
    }
    CaromTrace samples = {0};
    bool good = make_samples(scene, &samples) && make_room(run, &samples);
    if (good) {
        find_event_clocks(run);
        merge(run, &samples);
    }
    trace_free(&samples);
    return good ? result->status : fail(run, CAROM_INVALID_INPUT, "out of memory", error);
}

void plot_run_free(PlotRun *run) {
    free(run->clock);
    free(run->mode);
    if (!run->borrowed) {
        solution_free(&run->solution);
    }
    *run = (PlotRun){0};
}

const double *plot_run_impulse(const PlotRun *run, int row, int contact) {
    return &run->impulse[3 * ((size_t)row * (size_t)run->contacts + (size_t)contact)];
}

const double *plot_run_velocity(const PlotRun *run, int row, int contact) {
    return &run->velocity[3 * ((size_t)row * (size_t)run->contacts + (size_t)contact)];
}

void plot_run_start(const PlotRun *run, int contact, double v[3]) {
    int rows = scene_rows(run->scene);
    const double *given = &run->scene->velocity[rows * contact];
    v[0] = given[0];
    v[1] = run->planar ? 0 : given[1];
    v[2] = given[rows - 1];
}

double plot_run_total(const PlotRun *run, int contact) {
    int rows = scene_rows(run->scene);
    return run->solution.result.impulse[rows * contact + rows - 1];
}

double plot_run_end(const PlotRun *run) {
    return run->clock[run->row_count - 1];
}

int plot_run_next(const PlotRun *run, int row) {
    double step = 4 * PLOT_GRAIN * plot_run_end(run);
    int next = row + 1;
    while (next + 1 < run->row_count && run->clock[next + 1] - run->clock[row] < step) {
        next++;
    }
    return next;
}

int plot_run_next_bend(const PlotRun *run, const double *values, double grain, int row) {
    size_t stride = 3 * (size_t)run->contacts;
    double low = -INFINITY, high = INFINITY; /* slopes that are near enough to all rows between */
    int next = row + 1;
    for (; next + 1 < run->row_count; next++) {
        double here = run->clock[next] - run->clock[row];
        double rise = values[(size_t)next * stride] - values[(size_t)row * stride];
        double there = run->clock[next + 1] - run->clock[row];
        double slope = (values[(size_t)(next + 1) * stride] - values[(size_t)row * stride]) / there;
        if (here > 0) {
            low = fmax(low, (rise - grain) / here);
            high = fmin(high, (rise + grain) / here);
        }
        /* keep jumps, and the row before a bend */
        if (fabs(rise) > grain && !(here > 0)) {
            break;
        }
        if (there > 0 && !(slope >= low && slope <= high)) {
            break;
        }
    }
    return next;
}

bool plot_run_shows(const PlotRun *run, int event) {
    const CaromEvent *events = run->solution.result.events;
    CaromEventKind kind = events[event].kind;
    bool several = run->contacts > 1;
    if (!several && kind != CAROM_EVENT_STICK && kind != CAROM_EVENT_SLIP) {
        return true;
    }
    int same = 0;
    for (int i = 0; i < event && same < MODES_SEEN; i++) {
        same +=
            events[i].contact == events[event].contact &&
            (several || events[i].kind == CAROM_EVENT_STICK || events[i].kind == CAROM_EVENT_SLIP);
    }
    return same < MODES_SEEN;
}

Words plot_contact_name(const PlotRun *run, int contact, int columns) {
    const Scene *scene = run->scene;
    Words name = words_of("contact %d", contact);
    if (scene->source == SCENE_BODIES) {
        const CaromSite *site = &scene->sites[contact];
        name = words_of("%d: %s, %s", contact, scene->body_names[site->first],
                        scene->body_names[site->second]);
    }
    text_make_plain(name.text);
    text_fit(name.text, columns);
    return name;
}

/* The contact with the largest impulse that is not chosen yet. */
static int next_largest(const PlotRun *run, const bool *taken) {
    int best = -1;
    for (int i = 0; i < run->contacts; i++) {
        if (!taken[i] && (best < 0 || plot_run_total(run, i) > plot_run_total(run, best))) {
            best = i;
        }
    }
    return best;
}

int plot_choose_contacts(const PlotRun *run, int places, int *chosen) {
    bool taken[SCENE_CONTACTS_MAX] = {false};
    int count = 0;
    for (int i = 0; i < places && i < run->contacts; i++) {
        taken[next_largest(run, taken)] = true;
    }
    for (int i = 0; i < run->contacts; i++) {
        if (taken[i]) {
            chosen[count++] = i;
        }
    }
    return count;
}

Words plot_unit(const PlotRun *run, UnitKind kind) {
    return units_label(&run->scene->units, kind);
}
