/* The report of carom solve as text: the course of the impact, impulses and velocities, energy. */
#include "report/text/text_report.h"

#include <math.h>

#include "base/text.h"
#include "report/text/scene_text.h"
#include "report/words/course_words.h"
#include "report/words/outcome_words.h"
#include "report/words/scene_words.h"

/* With more contacts than CONTACTS_LISTED the events are only counted. If there are more events (of
 * one contact, of several) or states than are shown, the first and the last ones are shown. */
enum { CONTACTS_LISTED = 8, ONE_SHOWN = 30, EVENTS_SHOWN = 40, STATES_SHOWN = 24 };

/* ", N s" after the explanation of p, if the scene says its units. */
static Words clock_unit(const Scene *scene) {
    Words unit = units_name(&scene->units, UNIT_IMPULSE);
    return unit.text[0] ? words_of(", %.250s", unit.text) : unit;
}

static void print_one(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    fprintf(file, "\nWhat happens (p: normal impulse so far%s)\n", clock_unit(scene).text);
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
    const char *order = solution_order(scene, solution);
    if (order[0]) {
        fprintf(file, "  order of calculation: %s (Morgan, figure 2.8)\n", order);
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
    fprintf(file, "\nWhat happens (p: normal impulses of all contacts so far%s%s)\n",
            clock_unit(scene).text,
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
    bool listed = scene->contact_count <= CONTACTS_LISTED && solution->snapshots.impulse;
    if (listed) {
        print_events(file, scene, solution);
    } else {
        print_summary(file, scene, solution, &summary);
    }
    Words latched = report_latch_words(scene, &summary);
    if (latched.text[0]) {
        fprintf(file, "  %s\n", latched.text);
    }
    if (scene->contact_count == 2 && listed) {
        print_states(file, scene, solution);
    }
}

static void print_course(FILE *file, const Scene *scene, const Solution *solution) {
    (scene->contact_count > 1 ? print_several : print_one)(file, scene, solution);
}

/* More contacts or bodies than these get one line each. */
enum { NAME_WIDTH_MIN = 12, CONTACTS_IN_FULL = 3, BODIES_IN_FULL = 6 };

/* A line: the name in width columns, then the numbers. */
static void print_row(FILE *file, const char *name, int width, const double *x, int size) {
    fprintf(file, "%s%*s", name, width - text_width(name), "");
    for (int i = 0; i < size; i++) {
        fprintf(file, " %13.7g", x[i] + 0.0); /* never "-0" */
    }
    fputc('\n', file);
}

static void print_contact(FILE *file, const Scene *scene, const CaromResult *result, int index) {
    int rows = scene_rows(scene);
    Words title = scene->contact_count > 1 ? words_of("Contact %d", index) : (Words){""};
    Words impulse = units_suffix(&scene->units, UNIT_IMPULSE);
    Words velocity = units_suffix(&scene->units, UNIT_VELOCITY);
    int longest = text_width(impulse.text) - 8; /* "Velocity before" has 8 letters more */
    longest = text_width(velocity.text) > longest ? text_width(velocity.text) : longest;
    int width = 16 + longest;
    if (scene->planar) {
        fprintf(file, "\n%-*s %13s %13s\n", width, title.text, "t", "n");
    } else {
        fprintf(file, "\n%-*s %13s %13s %13s\n", width, title.text, "t1", "t2", "n");
    }
    print_row(file, words_of("Impulse%.200s", impulse.text).text, width,
              &result->impulse[rows * index], rows);
    print_row(file, words_of("Velocity before%.200s", velocity.text).text, width,
              &scene->velocity[rows * index], rows);
    double after[3];
    report_contact_after(scene, result, index, after);
    print_row(file, words_of("Velocity after%.200s", velocity.text).text, width, after, rows);
}

/* Index and bodies of a contact in width columns. */
static void print_contact_name(FILE *file, const Scene *scene, int index, int width) {
    Words name = words_of("%3d", index);
    if (scene->source == SCENE_BODIES) {
        const CaromSite *site = &scene->sites[index];
        words_add(&name, " %s - %s", report_name(scene->body_names[site->first]).text,
                  report_name(scene->body_names[site->second]).text);
        text_fit(name.text, width);
    }
    fprintf(file, "%s%*s", name.text, width - text_width(name.text), "");
}

/* A line per contact. */
static void print_contact_table(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    bool process = scene_has_process(scene, solution->method);
    const char *acts = process ? "acts" : "";
    int rows = scene_rows(scene), width = scene->source == SCENE_BODIES ? 22 : 8;
    bool smooth = !scene_has_friction(scene);
    fprintf(file, smooth ? "\n%-*s %11s %23s\n" : "\n%-*s %23s %23s %23s\n", width, "Contact",
            "impulse", "normal velocity", "sliding speed");
    fprintf(file, smooth ? "%*s %11s %11s %11s %5s\n" : "%*s %11s %11s %11s %11s", width, "",
            "normal", smooth ? "before" : "tangential", smooth ? "after" : "before",
            smooth ? acts : "after");
    if (!smooth) {
        fprintf(file, " %11s %11s %5s\n", "before", "after", acts);
    }
    for (int i = 0; i < scene->contact_count; i++) {
        const double *I = &result->impulse[rows * i], *after = &result->velocity[rows * i];
        const double *before = &scene->velocity[rows * i];
        print_contact_name(file, scene, i, width);
        fprintf(file, " %11.5g", I[rows - 1] + 0.0);
        if (!smooth) {
            fprintf(file, " %11.5g", report_tangential(I, rows));
        }
        fprintf(file, " %11.5g %11.5g", before[rows - 1] + 0.0, after[rows - 1] + 0.0);
        if (!smooth) {
            fprintf(file, " %11.5g %11.5g", report_tangential(before, rows),
                    report_tangential(after, rows));
        }
        if (!process) {
            fprintf(file, " %s\n", report_mode_words(scene, result, i));
            continue;
        }
        bool latched;
        int times = report_times(result, i, &latched);
        fprintf(file, " %5d%s\n", times, latched ? " L" : "");
    }
    if (process) {
        fprintf(file, "(acts: how many times; L: latched)\n");
    }
}

static void print_contacts(FILE *file, const Scene *scene, const Solution *solution) {
    if (scene->contact_count > CONTACTS_IN_FULL) {
        print_contact_table(file, scene, solution);
        return;
    }
    for (int i = 0; i < scene->contact_count; i++) {
        print_contact(file, scene, &solution->result, i);
    }
}

static void print_speeds(FILE *file, const Scene *scene, const Solution *solution) {
    fprintf(file, "\n%-20s %13s %13s %13s\n", "Generalised speeds", "before", "after", "change");
    for (int i = 0; i < scene->system.speed_count; i++) {
        double before = scene->system.speeds[i], after = solution->speeds[i];
        print_row(file, words_of("  u[%d]", i).text, 20,
                  (const double[3]){before, after, after - before}, 3);
    }
}

static int name_width(const Scene *scene) {
    int width = NAME_WIDTH_MIN;
    for (int i = 0; i < scene->body_count; i++) {
        int needed = text_width(report_name(scene->body_names[i]).text);
        width = needed > width ? needed : width;
    }
    return width;
}

/* All movable bodies. Of many bodies only those that change, and no line before if it was at rest.
 */
static void print_velocities(FILE *file, const Scene *scene, const Solution *solution,
                             bool angular) {
    MotionNoise noise = motion_noise(scene, solution);
    int width = name_width(scene), movable = 0, kept = 0;
    for (int i = 0; i < scene->body_count; i++) {
        movable += isfinite(scene->bodies[i].mass);
    }
    bool brief = scene->contact_count > 1 && movable > BODIES_IN_FULL;
    Words title = words_of("%s", angular ? "Angular velocity" : "Velocity");
    words_add(&title, "%s",
              units_suffix(&scene->units, angular ? UNIT_ANGULAR_VELOCITY : UNIT_VELOCITY).text);
    width = width + 7 < text_width(title.text) ? text_width(title.text) - 7 : width;
    fprintf(file, "\n%s%*s %13s %13s %13s\n", title.text, width + 7 - text_width(title.text), "",
            "x", "y", "z");
    for (int i = 0; i < scene->body_count; i++) {
        if (isinf(scene->bodies[i].mass)) {
            continue; /* nothing can move it */
        }
        if (brief && !motion_changes_any(scene, solution, &noise, i, angular)) {
            kept++;
            continue;
        }
        Words name = report_name(scene->body_names[i]);
        const double *before = motion_of(&scene->bodies[i], angular);
        fprintf(file, "%s%*s", name.text, width - text_width(name.text), "");
        if (!brief || before[0] != 0 || before[1] != 0 || before[2] != 0) {
            print_row(file, " before", 7, before, 3);
            fprintf(file, "%*s", width, "");
        }
        double shown[3];
        report_after(solution, &noise, i, angular, shown);
        print_row(file, " after", 7, shown, 3);
    }
    if (kept > 0) {
        fprintf(file, "(no change for %d more)\n", kept);
    }
}

static void print_motion(FILE *file, const Scene *scene, const Solution *solution) {
    if (scene->source == SCENE_BODIES) {
        const char *words = report_turn_words(scene, solution);
        print_velocities(file, scene, solution, false);
        if (words) {
            fprintf(file, "\n%s\n", words);
        } else {
            print_velocities(file, scene, solution, true);
        }
    } else if (scene->source == SCENE_SYSTEM) {
        print_speeds(file, scene, solution);
    }
}

static void print_amount(FILE *file, const ReportAmount *row) {
    if (isnan(row->amount)) {
        return;
    }
    fprintf(file, "  %-28s %13.7g", row->what, row->amount + 0.0);
    if (isfinite(row->part)) {
        fprintf(file, " %8.2f %%", 100 * row->part + 0.0);
    }
    fputc('\n', file);
}

static void print_energy(FILE *file, const Scene *scene, const Solution *solution) {
    ReportAccount account = report_account(scene, solution);
    fprintf(file, "\n%s\n", account.title.text);
    for (int i = 0; i < ACCOUNT_ROWS; i++) {
        print_amount(file, &account.rows[i]);
    }
    if (scene->model == CAROM_MODEL_COMPLIANT && scene->contact_count == 1) {
        ReportSurface surface = report_surface(scene, solution);
        fprintf(file, "\nAlong the surface\n");
        print_amount(file, &surface.held);
        if (surface.direction) {
            fprintf(file, "  %-28s %13.7g of the speed before\n", surface.direction, surface.part);
        }
    }
}

void report_text(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    report_scene(file, scene, solution->method, solution->as_printed);
    Words slip = report_slip_words(scene, solution);
    if (slip.text[0]) {
        fprintf(file, "               %s\n", slip.text);
    }
    if (scene_has_process(scene, solution->method)) {
        print_course(file, scene, solution);
    }
    print_contacts(file, scene, solution);
    print_motion(file, scene, solution);
    print_energy(file, scene, solution);
    fprintf(file, "\n%s\n", report_accuracy_words(result).text);
    Words warning = report_warning_words(scene, result);
    if (warning.text[0]) {
        fprintf(file, "%s\n", warning.text);
    }
    Words others[] = {report_solutions_words(result), report_ambiguous_words(result),
                      report_jump_words(result)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].text[0]) {
            fprintf(file, "%s\n", others[i].text);
        }
    }
}
