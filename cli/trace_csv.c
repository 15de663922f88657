/* The sampled process of an impact as a table. */
#include "trace_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(SceneError *error, const char *path, const char *why) {
    snprintf(error->text, sizeof error->text, "%s%s%s", path, path[0] ? ": " : "", why);
    return false;
}

static void write_numbers(FILE *file, const double *x, int count) {
    for (int i = 0; i < count; i++) {
        fprintf(file, "%.17g,", x[i]);
    }
}

static void write_rows(FILE *file, const CaromTrace *trace, const Scene *scene) {
    int rows = scene_rows(scene);
    bool compliant = scene->model == CAROM_COMPLIANT;
    fprintf(file, "p,%s,stored,mode%s\n", rows == 2 ? "it,in,vt,vn" : "ix,iy,iz,vx,vy,vz",
            compliant ? ",tangential" : "");
    for (int i = 0; i < trace->count; i++) {
        write_numbers(file, &trace->clock[i], 1);
        write_numbers(file, &trace->impulse[rows * i], rows);
        write_numbers(file, &trace->velocity[rows * i], rows);
        write_numbers(file, &trace->stored[i], 1);
        fputs(trace->mode[i] == CAROM_MODE_STICK ? "stick" : "slip", file);
        if (compliant) {
            fprintf(file, ",%.17g", trace->tangential[i]);
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

/* One block for all columns: p, I, v and two energies, 9 numbers per sample. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, SceneError *error) {
    if (scene->contact_count != 1) {
        return fail(error, "", "a trace is available for one contact only");
    }
    size_t count = (size_t)samples;
    double *columns = malloc(9 * count * sizeof *columns);
    CaromMode *modes = malloc(count * sizeof *modes);
    bool good = false;
    if (columns && modes) {
        CaromTrace trace = {.capacity = samples,
                            .clock = columns,
                            .impulse = columns + count,
                            .velocity = columns + 4 * count,
                            .stored = columns + 7 * count,
                            .tangential = columns + 8 * count,
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
