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

static void write_rows(FILE *file, const CaromTrace *trace) {
    fprintf(file, "p,ix,iy,iz,vx,vy,vz,stored,mode\n");
    for (int i = 0; i < trace->count; i++) {
        const double *I = &trace->impulse[3 * i], *v = &trace->velocity[3 * i];
        fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s\n", trace->clock[i], I[0],
                I[1], I[2], v[0], v[1], v[2], trace->stored[i],
                trace->mode[i] == CAROM_MODE_STICK ? "stick" : "slip");
    }
}

static bool write_file(const char *path, const CaromTrace *trace, SceneError *error) {
    FILE *file = fopen(path, "w");
    if (!file) {
        return fail(error, path, strerror(errno));
    }
    write_rows(file, trace);
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    return good || fail(error, path, strerror(errno));
}

/* One block for all columns: p, I, v, E, 8 numbers per sample. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, SceneError *error) {
    if (scene->contact_count != 1) {
        return fail(error, "", "a trace is available for one contact only");
    }
    size_t count = (size_t)samples;
    double *columns = malloc(8 * count * sizeof *columns);
    CaromMode *modes = malloc(count * sizeof *modes);
    bool good = false;
    if (columns && modes) {
        CaromTrace trace = {.capacity = samples,
                            .clock = columns,
                            .impulse = columns + count,
                            .velocity = columns + 4 * count,
                            .stored = columns + 7 * count,
                            .mode = modes};
        CaromProblem problem = scene_problem(scene);
        CaromResult result = {0};
        CaromStatus status = carom_trace(&problem, &trace, &result);
        good = status < 0 ? fail(error, "", result.message) : write_file(path, &trace, error);
    } else {
        fail(error, "", "out of memory");
    }
    free(columns);
    free(modes);
    return good;
}
