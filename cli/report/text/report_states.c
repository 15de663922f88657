/* What happens at several contacts, for people to read. */
#include <math.h>

#include "report/text/report_parts.h"

/* With more contacts than CONTACTS_TOLD the events are counted, not told. Of more events or states
 * than are shown, the first and the last ones are. */
enum { CONTACTS_TOLD = 8, EVENTS_SHOWN = 40, STATES_SHOWN = 24 };

static bool has_event(const CaromResult *result, int contact, CaromEventKind kind) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact && result->events[i].kind == kind) {
            return true;
        }
    }
    return false;
}

ReportSummary report_summary(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    ReportSummary summary = {.started = report_first_event(scene, solution)};
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

static void print_event(FILE *file, const Scene *scene, const Solution *solution, int index) {
    const CaromEvent *event = &solution->result.events[index];
    fprintf(file, "  p = %-12.6g ", report_clock(scene, solution, index));
    print_active(file, scene, solution, index);
    fprintf(file, "contact %d: %s\n", event->contact, report_event_words(scene, event).text);
}

static void print_events(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int started = report_first_event(scene, solution), count = result->event_count;
    int skipped = count - started > EVENTS_SHOWN ? count - started - EVENTS_SHOWN : 0;
    fprintf(file, "\nWhat happens (p: normal impulses of all contacts so far%s)\n",
            scene->contact_count > 2 ? "; which contacts act from then on" : "");
    if (started > 0) {
        fprintf(file, "  p = %-12g ", 0.0);
        print_active(file, scene, solution, started - 1);
        fprintf(file, "%s\n", report_start_words(scene, solution).text);
    }
    for (int i = started; i < count; i++) {
        if (skipped > 0 && i == started + EVENTS_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        print_event(file, scene, solution, i);
    }
}

Words report_acting_words(const Scene *scene, const ReportSummary *summary) {
    Words words;
    char later[48] = "", never[48] = "";
    if (summary->acted > summary->started) {
        snprintf(later, sizeof later, ", %d more later on", summary->acted - summary->started);
    }
    if (summary->acted < scene->contact_count) {
        snprintf(never, sizeof never, ", %d never", scene->contact_count - summary->acted);
    }
    snprintf(words.text, sizeof words.text, "%d of %d contacts act from the start%s%s",
             summary->started, scene->contact_count, later, never);
    return words;
}

Words report_count_words(const Solution *solution, const ReportSummary *summary) {
    Words words;
    char states[80] = "";
    if (solution->states.count > 0) {
        snprintf(states, sizeof states, ", %d states, up to %d contacts acting at once",
                 solution->states.count, summary->most);
    }
    snprintf(words.text, sizeof words.text, "%d events%s", solution->result.event_count, states);
    return words;
}

Words report_latch_words(const Scene *scene, const ReportSummary *summary) {
    Words words = {""};
    if (summary->latched > 0) {
        snprintf(words.text, sizeof words.text,
                 "%d of %d contacts latched: held in touch, without bouncing, for a time",
                 summary->latched, scene->contact_count);
    }
    return words;
}

static void print_summary(FILE *file, const Scene *scene, const Solution *solution,
                          const ReportSummary *summary) {
    fprintf(file, "\nWhat happens\n  %s\n  %s (all of them with --json)\n",
            report_acting_words(scene, summary).text, report_count_words(solution, summary).text);
}

/* A velocity that has just become nothing is not quite. */
static double speed_noise(const Scene *scene) {
    double largest = 0;
    for (int i = 0; i < scene_rows(scene) * scene->contact_count; i++) {
        largest = fmax(largest, fabs(scene->velocity[i]));
    }
    return 1e-13 * largest;
}

const char *report_state_words(const Scene *scene, const Solution *solution, int state) {
    const unsigned char *active = states_active(scene, &solution->states, state);
    return active[0] ? (active[1] ? "S1 both" : "S3 only 0")
                     : (active[1] ? "S2 only 1" : "S4 none");
}

void report_state_numbers(const Scene *scene, const Solution *solution, int state,
                          double numbers[6]) {
    const CaromSnapshots *snapshots = &solution->snapshots;
    size_t row = (size_t)solution->states.events[state];
    int rows = scene_rows(scene), normal = rows - 1;
    const double *I = &snapshots->impulse[row * (size_t)(2 * rows)];
    const double *v = &snapshots->velocity[row * (size_t)(2 * rows)];
    const double *E = &snapshots->stored[row * 2];
    for (int i = 0; i < 2; i++) {
        double speed = v[rows * i + normal];
        numbers[i] = I[rows * i + normal];
        numbers[2 + i] = fabs(speed) <= speed_noise(scene) ? 0 : speed;
        numbers[4 + i] = E[i];
    }
}

/* A line for a state of two contacts as it begins. */
static void print_state(FILE *file, const Scene *scene, const Solution *solution, int state) {
    double numbers[6];
    report_state_numbers(scene, solution, state, numbers);
    fprintf(file, "  %-10s", report_state_words(scene, solution, state));
    for (int k = 0; k < 6; k++) {
        fprintf(file, " %11.6g", numbers[k] + 0.0); /* never "-0" */
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
    ReportSummary summary = report_summary(scene, solution);
    bool told = scene->contact_count <= CONTACTS_TOLD && solution->snapshots.impulse;
    if (told) {
        print_events(file, scene, solution);
    } else {
        print_summary(file, scene, solution, &summary);
    }
    Words latched = report_latch_words(scene, &summary);
    if (latched.text[0]) {
        fprintf(file, "  %s\n", latched.text);
    }
    if (scene->contact_count == 2 && told) {
        print_states(file, scene, solution);
    }
}
