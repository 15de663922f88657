/* The sampled process of an impact as a table. */
#include "report/trace_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(SceneError *error, const char *path, const char *why) {
    snprintf(error->text, sizeof error->text, "%s%s%s", path, path[0] ? ": " : "", why);
    return false;
}

static const char *mode_name(CaromMode mode) {
    return mode == CAROM_MODE_STICK ? "stick" : mode == CAROM_MODE_SLIP ? "slip" : "open";
}

static void write_header(FILE *file, const Scene *scene) {
    static const char *const planar[] = {"it", "in", "vt", "vn", "stored", "mode", "tangential"};
    static const char *const spatial[] = {"ix", "iy",     "iz",   "vx",        "vy",
                                          "vz", "stored", "mode", "tangential"};
    const char *const *names = scene->planar ? planar : spatial;
    int columns = 2 * scene_rows(scene) + (scene->model == CAROM_COMPLIANT ? 3 : 2);
    fputs(scene->contact_count > 1 ? "clock" : "p", file);
    for (int i = 0; i < scene->contact_count; i++) {
        for (int k = 0; k < columns; k++) {
            fprintf(file, ",%s", names[k]);
            if (scene->contact_count > 1) {
                fprintf(file, "_%d", i);
            }
        }
    }
    fputc('\n', file);
}

static void write_numbers(FILE *file, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fprintf(file, ",%.17g", x[i]);
    }
}

static void write_rows(FILE *file, const CaromTrace *trace, const Scene *scene) {
    size_t rows = (size_t)scene_rows(scene), contacts = (size_t)scene->contact_count;
    write_header(file, scene);
    for (size_t i = 0; i < (size_t)trace->count; i++) {
        fprintf(file, "%.17g", trace->clock[i]);
        for (size_t j = i * contacts; j < (i + 1) * contacts; j++) {
            write_numbers(file, &trace->impulse[rows * j], rows);
            write_numbers(file, &trace->velocity[rows * j], rows);
            write_numbers(file, &trace->stored[j], 1);
            fprintf(file, ",%s", mode_name(trace->mode[j]));
            if (scene->model == CAROM_COMPLIANT) {
                write_numbers(file, &trace->tangential[j], 1);
            }
        }
        fputc('\n', file);
    }
}

static bool write_file(const char *path, const CaromTrace *trace, const Scene *scene,
                       SceneError *error) {
    FILE *file = fopen(path, "w");
    if (!file) {
        return fail(error, path, strerror(errno));
    }
    write_rows(file, trace, scene);
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    return good || fail(error, path, strerror(errno));
}

/* One block for all columns: the clock, and I, v and two energies of each contact, 8 numbers. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, SceneError *error) {
    size_t count = (size_t)samples, all = count * (size_t)scene->contact_count;
    if (all > TRACE_SAMPLES_MAX) {
        snprintf(error->text, sizeof error->text,
                 "%d samples of %d contacts are too many, at most %d", samples,
                 scene->contact_count, TRACE_SAMPLES_MAX / scene->contact_count);
        return false;
    }
    double *columns = malloc((count + 8 * all) * sizeof *columns);
    CaromMode *modes = malloc(all * sizeof *modes);
    bool good = false;
    if (columns && modes) {
        CaromTrace trace = {.capacity = samples,
                            .clock = columns,
                            .impulse = columns + count,
                            .velocity = columns + count + 3 * all,
                            .stored = columns + count + 6 * all,
                            .tangential = columns + count + 7 * all,
                            .mode = modes};
        CaromProblem problem = scene_problem(scene);
        CaromResult result = {0};
        CaromStatus status = carom_trace(&problem, &trace, &result);
        good =
            status < 0 ? fail(error, "", result.message) : write_file(path, &trace, scene, error);
    } else {
        fail(error, "", "out of memory");
    }
    free(columns);
    free(modes);
    return good;
}
