/* The sampled process of an impact as a table. */
#include "report/trace_csv.h"

#include <stdio.h>
#include <string.h>

#include "io/output_file.h"
#include "solve/trace.h"

static const char *mode_name(CaromMode mode) {
    return mode == CAROM_MODE_STICK ? "stick" : mode == CAROM_MODE_SLIP ? "slip" : "open";
}

/* Names of columns, "a,b" as ",a,b", with the index of a contact; index < 0: without. */
static void write_names(FILE *file, const char *names, int index) {
    for (size_t length; (length = strcspn(names, ",")) > 0; names += length) {
        fprintf(file, ",%.*s", (int)length, names);
        if (index >= 0) {
            fprintf(file, "_%d", index);
        }
        length += names[length] == ',';
    }
}

/* The columns of the springs come last. */
static void write_header(FILE *file, const Scene *scene) {
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT, several = scene->contact_count > 1;
    fputs(several ? "clock" : "p", file);
    for (int i = 0; i < scene->contact_count; i++) {
        write_names(file,
                    scene->planar ? "it,in,vt,vn,stored,mode" : "ix,iy,iz,vx,vy,vz,stored,mode",
                    several ? i : -1);
        write_names(file, compliant ? "tangential" : "", several ? i : -1);
    }
    for (int i = 0; compliant && i < scene->contact_count; i++) {
        write_names(file, scene->planar ? "spring_t,rate_t" : "spring_x,spring_y,rate_x,rate_y",
                    several ? i : -1);
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
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT;
    write_header(file, scene);
    for (size_t i = 0; i < (size_t)trace->count; i++) {
        size_t first = i * contacts, end = first + contacts;
        fprintf(file, "%.17g", trace->clock[i]);
        for (size_t j = first; j < end; j++) {
            write_numbers(file, &trace->impulse[rows * j], rows);
            write_numbers(file, &trace->velocity[rows * j], rows);
            write_numbers(file, &trace->stored[j], 1);
            fprintf(file, ",%s", mode_name(trace->mode[j]));
            write_numbers(file, &trace->tangential[j], compliant);
        }
        for (size_t j = first; compliant && j < end; j++) {
            write_numbers(file, &trace->spring[(rows - 1) * j], rows - 1);
            write_numbers(file, &trace->spring_rate[(rows - 1) * j], rows - 1);
        }
        fputc('\n', file);
    }
}

static bool write_file(const char *path, const CaromTrace *trace, const Scene *scene,
                       Error *error) {
    OutputFile file;
    Error why;
    if (!output_file_begin(path, &file, &why)) {
        return error_set(error, "%s: cannot be written: %s", path, why.text);
    }
    write_rows(file.stream, trace, scene);
    return output_file_finish(&file, &why) ||
           error_set(error, "%s: cannot be written: %s", path, why.text);
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
