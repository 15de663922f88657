/* The sampled process of an impact as a table. */
#include "report/trace_csv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "solve/trace.h"

static const char *mode_name(CaromMode mode) {
    return mode == CAROM_MODE_STICK ? "stick" : mode == CAROM_MODE_SLIP ? "slip" : "open";
}

static void write_header(FILE *file, const Scene *scene) {
    static const char *const planar[] = {"it", "in", "vt", "vn", "stored", "mode", "tangential"};
    static const char *const spatial[] = {"ix", "iy",     "iz",   "vx",        "vy",
                                          "vz", "stored", "mode", "tangential"};
    const char *const *names = scene->planar ? planar : spatial;
    int columns = 2 * scene_rows(scene) + (scene->model == CAROM_MODEL_COMPLIANT ? 3 : 2);
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
            if (scene->model == CAROM_MODEL_COMPLIANT) {
                write_numbers(file, &trace->tangential[j], 1);
            }
        }
        fputc('\n', file);
    }
}

static bool write_file(const char *path, const CaromTrace *trace, const Scene *scene,
                       Error *error) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        write_rows(file, trace, scene);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    return good || error_set(error, "%s: %s", path, strerror(errno));
}

bool trace_csv_write(const char *path, const Scene *scene, int samples, Error *error) {
    int most = TRACE_SAMPLES_MAX / scene->contact_count;
    if (samples > most) {
        return error_set(error, "%d samples of %d contacts are too many, at most %d", samples,
                         scene->contact_count, most);
    }
    CaromTrace trace;
    CaromProblem problem = scene_problem(scene);
    CaromResult result = {0};
    bool good = trace_create(scene, samples, &trace);
    if (!good) {
        error_set(error, "out of memory");
    } else if (carom_trace(&problem, NULL, &trace, &result) < 0) {
        good = error_set(error, "%s", result.message);
    } else {
        good = write_file(path, &trace, scene, error);
    }
    trace_free(&trace);
    return good;
}
