/* Solving the scene: the line of `carom solve --json`, the text of `carom solve`, and the sampled
 * process of `carom solve --trace` as numbers. */
#include <stdlib.h>

#include "base/json_write.h"
#include "engine.h"
#include "report/json/json_report.h"
#include "report/text/text_report.h"
#include "report/words/course_words.h"

/* The numbers by which JavaScript chooses a model and a law. */
_Static_assert(CAROM_MODEL_RIGID == 0 && CAROM_MODEL_COMPLIANT == 1, "as in engine.js");
_Static_assert(CAROM_LAW_ENERGETIC == 0 && CAROM_LAW_POISSON == 1 && CAROM_LAW_NEWTON == 2 &&
                   CAROM_LAW_MONO_STIFFNESS == 3,
               "as in engine.js");
_Static_assert(CAROM_MODE_SLIP == 0 && CAROM_MODE_STICK == 1 && CAROM_MODE_OPEN == 2,
               "as in engine.js");

/* The reports of the last solve, or NULL. */
static char *json_report, *words_report;

/* Writes a report. False: no memory; check the stream for errors as well. */
typedef bool Writer(FILE *file, const Solution *solution);

static bool write_words(FILE *file, const Solution *solution) {
    report_text(file, &engine_scene, solution);
    return true;
}

static bool write_json(FILE *file, const Solution *solution) {
    return json_write_line(file, report_json(&engine_scene, solution));
}

/* For many contacts the states, and all impulses at each event, make up most of the JSON and take
 * longer to print than the impact to solve. The clock of the trace replaces them. The start and the
 * events in words are added. */
static bool write_brief(FILE *file, const Solution *solution) {
    json_t *line = report_json(&engine_scene, solution), *event;
    size_t i;
    json_object_del(line, "states");
    json_object_set_new(line, "start",
                        json_string(report_start_words(&engine_scene, solution).text));
    json_array_foreach(json_object_get(line, "events"), i, event) {
        double clock = report_clock(&engine_scene, solution, (int)i);
        const CaromEvent *own = &solution->result.events[i];
        json_object_del(event, "impulses");
        json_object_set_new(event, "clock", json_write_number(clock));
        json_object_set_new(event, "words",
                            json_string(report_event_words(&engine_scene, own).text));
    }
    return json_write_line(file, line);
}

/* A report as a text; NULL: no memory. */
static char *report(Writer *write, const Solution *solution) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    bool good = write(file, solution);
    good = !ferror(file) && good;
    good = fclose(file) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

static bool solve(bool brief) {
    Solution solution;
    CaromOptions options = carom_options_default();
    options.jumps = !brief;
    if (!solution_compute(&engine_scene, &options, &solution)) {
        solution_free(&solution);
        return engine_end_no_memory();
    }
    engine_end(solution.result.status, solution.result.message);
    bool has_result = solution_has_result(&solution);
    if (has_result) {
        json_report = report(brief ? write_brief : write_json, &solution);
        words_report = brief ? NULL : report(write_words, &solution);
    }
    solution_free(&solution);
    bool complete = json_report && (brief || words_report);
    return !has_result || complete ? has_result : engine_end_no_memory();
}

/* Solve the scene with the given model and law (-1: its own). Afterwards json() and words() return
 * the reports; brief: only json(), shortened. */
EXPORT(int, solve, int model, int law, int brief) {
    free(json_report);
    free(words_report);
    json_report = words_report = NULL;
    Choice own = engine_choose((Choice){model, law});
    bool has_result = solve(brief);
    engine_choose(own);
    return has_result;
}

EXPORT(const char *, json, void) {
    return json_report;
}

EXPORT(const char *, words, void) {
    return words_report;
}

/* Transpose samples to columns: the clock, then for each contact impulse, velocity, stored energy,
 * mode and, if compliant, tangential energy; last, if compliant, the springs of all contacts. */
static void write_springs(const CaromTrace *trace, double *column) {
    size_t samples = (size_t)trace->capacity, contacts = (size_t)engine_scene.contact_count;
    size_t axes = (size_t)scene_rows(&engine_scene) - 1;
    for (size_t i = 0; i < samples; i++) {
        for (size_t k = 0; k < contacts; k++) {
            size_t from = (i * contacts + k) * axes;
            double *to = column + 2 * k * axes * samples + i;
            for (size_t axis = 0; axis < axes; axis++) {
                to[axis * samples] = trace->spring[from + axis];
                to[(axes + axis) * samples] = trace->spring_rate[from + axis];
            }
        }
    }
}

static void write_columns(const CaromTrace *trace, double *column) {
    size_t samples = (size_t)trace->capacity, contacts = (size_t)engine_scene.contact_count;
    size_t rows = (size_t)scene_rows(&engine_scene);
    bool compliant = engine_scene.model == CAROM_MODEL_COMPLIANT;
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
    if (compliant) {
        write_springs(trace, column + (1 + contacts * width) * samples);
    }
}

static double *trace(int samples) {
    static Room kept;
    size_t count = (size_t)samples, all = count * (size_t)engine_scene.contact_count;
    size_t room = count + 13 * all; /* the clock; I, v, two energies, a mode, spring and rate */
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
                        .mode = (CaromMode *)(raw + count + 8 * all),
                        .spring = raw + count + 9 * all,
                        .spring_rate = raw + count + 11 * all};
    CaromProblem problem = scene_problem(&engine_scene);
    CaromResult result = {0};
    CaromStatus status = carom_trace(&problem, NULL, &trace, &result);
    if (!engine_end(status, result.message)) {
        return NULL;
    }
    write_columns(&trace, columns);
    return columns;
}

/* Most samples of all contacts together, about 300 MB. */
enum { SAMPLES_MAX = 2000000 };

/* The columns of the process, with samples numbers each; NULL on failure. */
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
