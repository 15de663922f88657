/* Impulses and velocities, for people to read. */
#include <math.h>

#include "motion.h"
#include "report_parts.h"
#include "text.h"

/* More contacts or bodies than these have a line each instead of several. */
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
    char title[32] = "";
    int rows = scene_rows(scene);
    if (scene->contact_count > 1) {
        snprintf(title, sizeof title, "Contact %d", index);
    }
    if (scene->planar) {
        fprintf(file, "\n%-16s %13s %13s\n", title, "t", "n");
    } else {
        fprintf(file, "\n%-16s %13s %13s %13s\n", title, "t1", "t2", "n");
    }
    print_row(file, "Impulse", 16, &result->impulse[rows * index], rows);
    print_row(file, "Velocity before", 16, &scene->velocity[rows * index], rows);
    print_row(file, "Velocity after", 16, &result->velocity[rows * index], rows);
}

double report_tangential(const double *x, int rows) {
    return rows == 2 ? fabs(x[0]) : hypot(x[0], x[1]);
}

bool report_is_smooth(const Scene *scene) {
    for (int i = 0; i < scene->contact_count; i++) {
        if (scene->contacts[i].mu > 0) {
            return false;
        }
    }
    return true;
}

/* Index and bodies of a contact in the columns of a table. */
static void print_contact_name(FILE *file, const Scene *scene, int index, int width) {
    char name[160];
    snprintf(name, sizeof name, "%3d", index);
    if (scene->source == SCENE_BODIES) {
        const CaromSite *site = &scene->sites[index];
        snprintf(name + 3, sizeof name - 3, " %s - %s",
                 report_name(scene->body_names[site->first]).text,
                 report_name(scene->body_names[site->second]).text);
        text_fit(name, width);
    }
    fprintf(file, "%s%*s", name, width - text_width(name), "");
}

int report_times(const CaromResult *result, int contact, bool *latched) {
    int times = 0;
    *latched = false;
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact) {
            times += result->events[i].kind == CAROM_EVENT_ACTIVATION;
            *latched = *latched || result->events[i].kind == CAROM_EVENT_LATCH;
        }
    }
    return times;
}

Words report_acts_words(const Scene *scene, const CaromResult *result, int contact) {
    int rows = scene_rows(scene);
    const double *I = &result->impulse[rows * contact], *v = &result->velocity[rows * contact];
    Words words;
    if (scene_has_process(scene)) {
        bool latched;
        int times = report_times(result, contact, &latched);
        snprintf(words.text, sizeof words.text, "%5d%s", times, latched ? " L" : "");
        return words;
    }
    double before = report_tangential(&scene->velocity[rows * contact], rows);
    double normal = fabs(scene->velocity[rows * contact + rows - 1]);
    bool slips = report_tangential(v, rows) > 1e-9 * fmax(before, normal);
    snprintf(words.text, sizeof words.text, "%s",
             I[rows - 1] == 0 ? "open"
             : slips          ? "slips"
                              : "sticks");
    return words;
}

/* A line per contact. */
static void print_contact_table(FILE *file, const Scene *scene, const CaromResult *result) {
    int rows = scene_rows(scene), width = scene->source == SCENE_BODIES ? 22 : 8;
    bool smooth = report_is_smooth(scene);
    const char *acts = scene_has_process(scene) ? "acts" : "";
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
        fprintf(file, " %s\n", report_acts_words(scene, result, i).text);
    }
    if (scene_has_process(scene)) {
        fprintf(file, "(acts: how many times; L: latched)\n");
    }
}

void report_contacts(FILE *file, const Scene *scene, const Solution *solution) {
    if (scene->contact_count > CONTACTS_IN_FULL) {
        print_contact_table(file, scene, &solution->result);
        return;
    }
    for (int i = 0; i < scene->contact_count; i++) {
        print_contact(file, scene, &solution->result, i);
    }
}

static void print_speeds(FILE *file, const Scene *scene, const Solution *solution) {
    fprintf(file, "\n%-20s %13s %13s %13s\n", "Generalised speeds", "before", "after", "change");
    for (int i = 0; i < scene->system.speed_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "  u[%d]", i);
        double before = scene->system.speeds[i], after = solution->speeds[i];
        print_row(file, name, 20, (const double[3]){before, after, after - before}, 3);
    }
}

static bool is_changed(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                       int body, bool angular) {
    return motion_changes(scene, solution, noise, body, angular, 0) ||
           motion_changes(scene, solution, noise, body, angular, 1) ||
           motion_changes(scene, solution, noise, body, angular, 2);
}

const char *report_turn_words(const Scene *scene, const Solution *solution) {
    MotionNoise noise = motion_noise(scene, solution);
    for (int i = 0; i < scene->body_count; i++) {
        if (scene->contact_count == 1 || is_changed(scene, solution, &noise, i, true)) {
            return NULL;
        }
    }
    return "Angular velocities do not change.";
}

static int name_width(const Scene *scene) {
    int width = NAME_WIDTH_MIN;
    for (int i = 0; i < scene->body_count; i++) {
        int needed = text_width(report_name(scene->body_names[i]).text);
        width = needed > width ? needed : width;
    }
    return width;
}

void report_after(const Scene *scene, const Solution *solution, const MotionNoise *noise, int body,
                  bool angular, double shown[3]) {
    const double *after = motion_of(&solution->bodies[body], angular);
    double least = angular ? noise->angular : noise->linear;
    for (int k = 0; k < 3; k++) {
        shown[k] = scene->contact_count > 1 && fabs(after[k]) <= least ? 0 : after[k];
    }
}

/* All movable bodies; of many only those that change, and not that they were at rest before. */
static void print_velocities(FILE *file, const Scene *scene, const Solution *solution,
                             bool angular) {
    MotionNoise noise = motion_noise(scene, solution);
    int width = name_width(scene), movable = 0, kept = 0;
    for (int i = 0; i < scene->body_count; i++) {
        movable += isfinite(scene->bodies[i].mass);
    }
    bool brief = scene->contact_count > 1 && movable > BODIES_IN_FULL;
    fprintf(file, "\n%-*s %13s %13s %13s\n", width + 7, angular ? "Angular velocity" : "Velocity",
            "x", "y", "z");
    for (int i = 0; i < scene->body_count; i++) {
        if (isinf(scene->bodies[i].mass)) {
            continue; /* nothing can move it */
        }
        if (brief && !is_changed(scene, solution, &noise, i, angular)) {
            kept++;
            continue;
        }
        PlainName name = report_name(scene->body_names[i]);
        const double *before = motion_of(&scene->bodies[i], angular);
        fprintf(file, "%s%*s", name.text, width - text_width(name.text), "");
        if (!brief || before[0] != 0 || before[1] != 0 || before[2] != 0) {
            print_row(file, " before", 7, before, 3);
            fprintf(file, "%*s", width, "");
        }
        double shown[3];
        report_after(scene, solution, &noise, i, angular, shown);
        print_row(file, " after", 7, shown, 3);
    }
    if (kept > 0) {
        fprintf(file, "(no change for %d more)\n", kept);
    }
}

void report_motion(FILE *file, const Scene *scene, const Solution *solution) {
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
