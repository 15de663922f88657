/* The course of the impact as text. */
#include "report/text/course_text.h"

#include "report/words/course_words.h"

/* With more contacts than CONTACTS_TOLD the events are only counted. If there are more events (of
 * one contact, of several) or states than are shown, the first and the last ones are shown. */
enum { CONTACTS_TOLD = 8, ONE_SHOWN = 30, EVENTS_SHOWN = 40, STATES_SHOWN = 24 };

static void print_one(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    fprintf(file, "\nWhat happens (p: normal impulse so far)\n");
    Words start = report_start_words(scene, solution);
    if (start.text[0]) {
        fprintf(file, "  p = %-12g %s\n", 0.0, start.text);
    }
    int count = result->event_count, skipped = count > ONE_SHOWN ? count - ONE_SHOWN : 0;
    for (int i = report_first_event(scene, solution); i < count; i++) {
        if (skipped > 0 && i == ONE_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        const CaromEvent *event = &result->events[i];
        fprintf(file, "  p = %-12.6g %s\n", event->normal_impulse,
                report_event_words(scene, event).text);
    }
    if (result->sequence[0]) {
        fprintf(file, "  sequence: %s\n", result->sequence);
    }
}

/* The contacts that act after an event, one column each, if there are more than two. */
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

static void print_summary(FILE *file, const Scene *scene, const Solution *solution,
                          const ReportSummary *summary) {
    fprintf(file, "\nWhat happens\n  %s\n  %s (all of them with --json)\n",
            report_acting_words(scene, summary).text, report_count_words(solution, summary).text);
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

/* Two contacts: the table of Jia, Mason and Erdmann. */
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

static void print_several(FILE *file, const Scene *scene, const Solution *solution) {
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

void report_course(FILE *file, const Scene *scene, const Solution *solution) {
    (scene->contact_count > 1 ? print_several : print_one)(file, scene, solution);
}
