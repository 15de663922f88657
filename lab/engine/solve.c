/* Solving the scene: the line of `carom solve --json`, the text of `carom solve`, and the sampled
 * process of `carom solve --trace` as numbers. */
#include <stdlib.h>

#include "engine.h"
#include "json_write.h"
#include "report.h"

/* The numbers by which JavaScript chooses a model and a law. */
_Static_assert(CAROM_RIGID == 0 && CAROM_COMPLIANT == 1, "as in engine.js");
_Static_assert(CAROM_ENERGETIC == 0 && CAROM_POISSON == 1 && CAROM_NEWTON == 2 &&
                   CAROM_MONO_STIFFNESS == 3,
               "as in engine.js");
_Static_assert(CAROM_MODE_SLIP == 0 && CAROM_MODE_STICK == 1 && CAROM_MODE_OPEN == 2,
               "as in engine.js");

/* The two reports of the last solve; NULL: there is none. */
static char *json_report, *words_report;

/* A report as the program prints it; NULL: no memory. */
static char *report(const Solution *solution, bool json) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    bool good = true;
    if (json) {
        good = json_write_line(file, report_json(&engine_scene, solution));
    } else {
        report_text(file, &engine_scene, solution);
    }
    good = !ferror(file) && good;
    good = fclose(file) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

static bool solve(void) {
    Solution solution;
    CaromOptions options = carom_options_default();
    if (!solution_compute(&engine_scene, &options, &solution)) {
        solution_free(&solution);
        return engine_end_no_memory();
    }
    engine_end(solution.result.status, solution.result.message);
    bool has_result = solution_has_result(&solution);
    if (has_result) {
        json_report = report(&solution, true);
        words_report = report(&solution, false);
    }
    solution_free(&solution);
    return !has_result || (json_report && words_report) ? has_result : engine_end_no_memory();
}

/* Solve the scene that was read, by its own model and law or by others (-1: its own). Then json()
 * and words() have the reports. */
EXPORT(int, solve, int model, int law) {
    free(json_report);
    free(words_report);
    json_report = words_report = NULL;
    Choice own = engine_choose((Choice){model, law});
    bool has_result = solve();
    engine_choose(own);
    return has_result;
}

EXPORT(const char *, json, void) {
    return json_report;
}

EXPORT(const char *, words, void) {
    return words_report;
}

/* From samples of all contacts to columns: those of the clock, and per contact those of the
 * impulse, the velocity, the stored energy, the mode, and the tangential energy if there is one. */
static void write_columns(const CaromTrace *trace, double *column) {
    size_t samples = (size_t)trace->capacity, contacts = (size_t)engine_scene.contact_count;
    size_t rows = (size_t)scene_rows(&engine_scene);
    bool compliant = engine_scene.model == CAROM_COMPLIANT;
    size_t width = 2 * rows + (compliant ? 3 : 2);
    for (size_t i = 0; i < samples; i++) {
        column[i] = trace->clock[i];
        for (size_t k = 0; k < contacts; k++) {
            size_t from = i * contacts + k;
            double *to = column + (1 + k * width) * samples + i;
            for (size_t row = 0; row < rows; row++) {
                to[row * samples] = trace->impulse[from * rows + row];
                to[(rows + row) * samples] = trace->velocity[from * rows + row];
            }
            to[2 * rows * samples] = trace->stored[from];
            to[(2 * rows + 1) * samples] = trace->mode[from];
            if (compliant) {
                to[(2 * rows + 2) * samples] = trace->tangential[from];
            }
        }
    }
}

static double *trace(int samples) {
    static Room kept;
    size_t count = (size_t)samples, all = count * (size_t)engine_scene.contact_count;
    size_t room = count + 9 * all; /* the clock; I, v, two energies and a mode */
    double *columns = room_take(&engine_numbers, room * sizeof *columns);
    double *raw = room_take(&kept, room * sizeof *raw);
    if (!columns || !raw) {
        engine_end_no_memory();
        return NULL;
    }
    CaromTrace trace = {.capacity = samples,
                        .clock = raw,
                        .impulse = raw + count,
                        .velocity = raw + count + 3 * all,
                        .stored = raw + count + 6 * all,
                        .tangential = raw + count + 7 * all,
                        .mode = (CaromMode *)(raw + count + 8 * all)};
    CaromProblem problem = scene_problem(&engine_scene);
    CaromResult result = {0};
    CaromStatus status = carom_trace(&problem, &trace, &result);
    if (!engine_end(status, result.message)) {
        return NULL;
    }
    write_columns(&trace, columns);
    return columns;
}

/* Most samples of all contacts together, some 300 MB. */
enum { SAMPLES_MAX = 2000000 };

/* The columns of the process, each of as many numbers as samples; NULL: there is none. */
EXPORT(double *, trace, int samples, int model, int law) {
    if (samples < 2 || samples > SAMPLES_MAX / engine_scene.contact_count) {
        engine_end(CAROM_INVALID_INPUT, "rows: must be at least 2, and not too many for memory");
        return NULL;
    }
    Choice own = engine_choose((Choice){model, law});
    double *columns = trace(samples);
    engine_choose(own);
    return columns;
}
