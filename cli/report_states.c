/* What happens at several contacts, for people to read. */
#include <math.h>
#include <string.h>

#include "report_parts.h"

/* With more contacts than CONTACTS_TOLD the events are counted, not told. Of more events or states
 * than are shown, the first and the last ones are. */
enum { CONTACTS_TOLD = 8, EVENTS_SHOWN = 40, STATES_SHOWN = 24 };

/* What the events say about the contacts. */
typedef struct Summary {
    int started; /* contacts that act from the start */
    int acted;   /* contacts that act at some time */
    int latched; /* contacts that stay in touch for a time */
    int most;    /* acting at once */
} Summary;

static bool has_event(const CaromResult *result, int contact, CaromEventKind kind) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact && result->events[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* The clock: normal impulses of all contacts together. Without snapshots that of the event's own
 * contact. */
static double clock_at(const Scene *scene, const Solution *solution, int event) {
    int rows = scene_rows(scene), count = scene->contact_count;
    if (!solution->snapshots.impulse) {
        return solution->result.events[event].normal_impulse;
    }
    const double *impulse = &solution->snapshots.impulse[(size_t)event * (size_t)(rows * count)];
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += impulse[rows * i + rows - 1];
    }
    return sum;
}

/* The activations with which the event list begins are those of the start. */
static int count_started(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int count = 0;
    while (count < result->event_count && result->events[count].kind == CAROM_ACTIVATION &&
           clock_at(scene, solution, count) == 0) {
        count++;
    }
    return count;
}

static Summary summarise(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    Summary summary = {.started = count_started(scene, solution)};
    for (int i = 0; i < scene->contact_count; i++) {
        summary.acted += has_event(result, i, CAROM_ACTIVATION);
        summary.latched += has_event(result, i, CAROM_LATCH);
    }
    for (int i = 0; i < solution->states.count; i++) {
        int count = states_active_count(scene, states_active(scene, &solution->states, i));
        summary.most = count > summary.most ? count : summary.most;
    }
    return summary;
}

/* Which contacts act after an event, one column each. Two contacts have a table of their own. */
static void print_active(FILE *file, const Scene *scene, const Solution *solution, int event) {
    int count = scene->contact_count;
    const unsigned char *active = states_after(scene, &solution->states, event);
    for (int i = 0; i < count && count > 2; i++) {
        fputc(active[i] ? '0' + i : '.', file);
    }
    fputs(count > 2 ? "  " : "", file);
}

/* "contact 0 acts", "contacts 0, 1 and 4 act" from the start, whatever their order in the list. */
static void print_start(FILE *file, const Scene *scene, const Solution *solution, int count) {
    fprintf(file, "  p = %-12g ", 0.0);
    print_active(file, scene, solution, count - 1);
    fprintf(file, "contact%s", count > 1 ? "s" : "");
    const unsigned char *active = states_after(scene, &solution->states, count - 1);
    for (int i = 0, told = 0; i < scene->contact_count; i++) {
        if (active[i]) {
            const char *joint = told == 0 ? " " : told + 1 < count ? ", " : " and ";
            fprintf(file, "%s%d", joint, i);
            told++;
        }
    }
    fprintf(file, " act%s from the start\n", count > 1 ? "" : "s");
}

static void print_event(FILE *file, const Scene *scene, const Solution *solution, int index) {
    const CaromEvent *event = &solution->result.events[index];
    fprintf(file, "  p = %-12.6g ", clock_at(scene, solution, index));
    print_active(file, scene, solution, index);
    bool first = event->kind == CAROM_ACTIVATION && event->normal_impulse == 0;
    fprintf(file, "contact %d: %s", event->contact,
            first ? "starts to act" : report_event_words(scene, event));
    if (event->kind == CAROM_COMPRESSION_END) {
        fprintf(file, ", energy %.6g stored", event->stored);
        if (scene->contacts[event->contact].mu > 0) {
            fprintf(file, " and %.6g along the surface", event->tangential);
        }
    }
    fputc('\n', file);
}

static void print_events(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int started = count_started(scene, solution), count = result->event_count;
    int skipped = count - started > EVENTS_SHOWN ? count - started - EVENTS_SHOWN : 0;
    fprintf(file, "\nWhat happens (p: normal impulses of all contacts so far%s)\n",
            scene->contact_count > 2 ? "; which contacts act from then on" : "");
    if (started > 0) {
        print_start(file, scene, solution, started);
    }
    for (int i = started; i < count; i++) {
        if (skipped > 0 && i == started + EVENTS_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        print_event(file, scene, solution, i);
    }
}

static void print_summary(FILE *file, const Scene *scene, const Solution *solution,
                          const Summary *summary) {
    const CaromResult *result = &solution->result;
    fprintf(file, "\nWhat happens\n  %d of %d contacts act from the start", summary->started,
            scene->contact_count);
    if (summary->acted > summary->started) {
        fprintf(file, ", %d more later on", summary->acted - summary->started);
    }
    if (summary->acted < scene->contact_count) {
        fprintf(file, ", %d never", scene->contact_count - summary->acted);
    }
    fprintf(file, "\n  %d events", result->event_count);
    if (solution->states.count > 0) {
        fprintf(file, ", %d states, up to %d contacts acting at once", solution->states.count,
                summary->most);
    }
    fprintf(file, " (all of them with --json)\n");
}

/* A velocity that has just become nothing is not quite. */
static double speed_noise(const Scene *scene) {
    double largest = 0;
    for (int i = 0; i < scene_rows(scene) * scene->contact_count; i++) {
        largest = fmax(largest, fabs(scene->velocity[i]));
    }
    return 1e-13 * largest;
}

/* A line for a state of two contacts as it begins. */
static void print_state(FILE *file, const Scene *scene, const Solution *solution, int state) {
    static const struct {
        const char *name, *words;
    } names[] = {{"S1", "S1 both"}, {"S2", "S2 only 1"}, {"S3", "S3 only 0"}, {"S4", "S4 none"}};
    const CaromSnapshots *snapshots = &solution->snapshots;
    const unsigned char *active = states_active(scene, &solution->states, state);
    size_t row = (size_t)solution->states.events[state];
    int rows = scene_rows(scene), normal = rows - 1;
    const double *I = &snapshots->impulse[row * (size_t)(2 * rows)];
    const double *v = &snapshots->velocity[row * (size_t)(2 * rows)];
    const double *E = &snapshots->stored[row * 2];
    const double numbers[6] = {I[normal], I[rows + normal], v[normal], v[rows + normal], E[0],
                               E[1]};
    for (int k = 0; k < 4; k++) {
        if (strcmp(names[k].name, states_name(active)) == 0) {
            fprintf(file, "  %-10s", names[k].words);
        }
    }
    for (int k = 0; k < 6; k++) {
        bool noise = (k == 2 || k == 3) && fabs(numbers[k]) <= speed_noise(scene);
        fprintf(file, " %11.6g", noise ? 0 : numbers[k] + 0.0); /* never "-0" */
    }
    fputc('\n', file);
}

/* What Jia, Mason and Erdmann tabulate of two contacts. */
static void print_states(FILE *file, const Scene *scene, const Solution *solution) {
    int count = solution->states.count, skipped = count > STATES_SHOWN ? count - STATES_SHOWN : 0;
    fprintf(file, "\nStates, as each begins\n  %-10s %23s %23s %23s\n", "", "normal impulse",
            "normal velocity", "stored energy");
    fprintf(file, "  %-10s %11s %11s %11s %11s %11s %11s\n", "acting", "0", "1", "0", "1", "0",
            "1");
    for (int i = 0; i < count; i++) {
        if (skipped > 0 && i == STATES_SHOWN / 2) {
            fprintf(file, "  ... %d more states (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        print_state(file, scene, solution, i);
    }
}

void report_course_several(FILE *file, const Scene *scene, const Solution *solution) {
    Summary summary = summarise(scene, solution);
    bool told = scene->contact_count <= CONTACTS_TOLD && solution->snapshots.impulse;
    if (told) {
        print_events(file, scene, solution);
    } else {
        print_summary(file, scene, solution, &summary);
    }
    if (summary.latched > 0) {
        fprintf(file, "  %d of %d contacts latched: held in touch, without bouncing, for a time\n",
                summary.latched, scene->contact_count);
    }
    if (scene->contact_count == 2 && told) {
        print_states(file, scene, solution);
    }
}
