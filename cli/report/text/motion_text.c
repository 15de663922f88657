/* Impulses and velocities as text. */
#include "report/text/motion_text.h"

#include <math.h>

#include "base/text.h"
#include "report/words/motion_words.h"
#include "report/words/scene_words.h"

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
    if (scene->planar) {
        fprintf(file, "\n%-16s %13s %13s\n", title.text, "t", "n");
    } else {
        fprintf(file, "\n%-16s %13s %13s %13s\n", title.text, "t1", "t2", "n");
    }
    print_row(file, "Impulse", 16, &result->impulse[rows * index], rows);
    print_row(file, "Velocity before", 16, &scene->velocity[rows * index], rows);
    print_row(file, "Velocity after", 16, &result->velocity[rows * index], rows);
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
static void print_contact_table(FILE *file, const Scene *scene, const CaromResult *result) {
    int rows = scene_rows(scene), width = scene->source == SCENE_BODIES ? 22 : 8;
    bool smooth = !scene_has_friction(scene);
    fprintf(file, smooth ? "\n%-*s %11s %23s\n" : "\n%-*s %23s %23s %23s\n", width, "Contact",
            "impulse", "normal velocity", "sliding speed");
    fprintf(file, smooth ? "%*s %11s %11s %11s %5s\n" : "%*s %11s %11s %11s %11s", width, "",
            "normal", smooth ? "before" : "tangential", smooth ? "after" : "before",
            smooth ? "acts" : "after");
    if (!smooth) {
        fprintf(file, " %11s %11s %5s\n", "before", "after", "acts");
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
        bool latched;
        int times = report_times(result, i, &latched);
        fprintf(file, " %5d%s\n", times, latched ? " L" : "");
    }
    fprintf(file, "(acts: how many times; L: latched)\n");
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
    fprintf(file, "\n%-*s %13s %13s %13s\n", width + 7, angular ? "Angular velocity" : "Velocity",
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
