/* Studies of scenes: derivatives, error bars, sets of outcomes, strikes for wanted outcomes, by the
 * program's own code, as its lines of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/json_write.h"
#include "outcomes/outcomes_report.h"
#include "report/json/json_report.h"
#include "rows.h"
#include "scene/scene_read.h"
#include "sensitivity/sensitivity_report.h"
#include "sensitivity/uncertainty_report.h"

static void fail(char *error, const char *text) {
    snprintf(error, sizeof((Error *)0)->text, "%s", text);
}

/* The line as text; takes the object. NULL: no memory. */
static char *line_text(json_t *line) {
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(line);
    return text;
}

/* What is asked for. */
typedef struct Question {
    SensitivityPaths paths;
    Uncertainty uncertainty;
    long seed;
} Question;

static bool read_question(int count, const char *const *paths, const double *sigmas,
                          const int *percent, Question *question, Error *error) {
    if (sigmas && count > UNCERTAINTY_TERMS_MAX) {
        return error_set(error, "at most %d uncertain numbers", UNCERTAINTY_TERMS_MAX);
    }
    question->paths.wanted = !sigmas;
    if (!sigmas && count > 0) {
        question->paths.paths = calloc((size_t)count, sizeof *question->paths.paths);
        if (!question->paths.paths) {
            return error_set(error, "out of memory");
        }
    }
    for (int i = 0; i < count; i++) {
        ScenePath *path = sigmas ? &question->uncertainty.terms[i].path : &question->paths.paths[i];
        bool velocities = sigmas && strcmp(paths[i], "velocity") == 0;
        if (!velocities && !scene_path_read(paths[i], strlen(paths[i]), path, error)) {
            return false;
        }
        if (sigmas) {
            UncertaintyTerm *term = &question->uncertainty.terms[i];
            term->velocities = velocities;
            term->sigma = sigmas[i];
            term->percent = percent[i] != 0;
            question->uncertainty.count++;
        } else {
            question->paths.count++;
        }
    }
    return true;
}

/* Derivatives or error bars of a solved scene, added to the line of its result. */
static json_t *study(json_t *document, const Scene *scene, const Solution *solution,
                     const Question *question, Error *error) {
    const CaromOptions options = carom_options_default();
    Sensitivity sensitivity = {0};
    ErrorBars bars = {0};
    bool bar = question->uncertainty.count > 0;
    bool good =
        bar ? error_bars_compute(document, scene, solution, &options, &question->uncertainty,
                                 question->seed, &bars, error)
            : sensitivity_compute(document, scene, solution, &question->paths, &sensitivity, error);
    json_t *line = good ? report_json(scene, solution) : NULL;
    if (line && bar) {
        error_bars_json(line, &bars);
    } else if (line) {
        sensitivity_json(line, &sensitivity);
    } else if (good) {
        error_set(error, "out of memory");
    }
    sensitivity_free(&sensitivity);
    error_bars_free(&bars);
    return line;
}

char *scene_slopes(const char *text, size_t size, int count, const char *const *paths,
                   const double *sigmas, const int *percent, long seed, char *error) {
    const CaromOptions options = carom_options_default();
    Question *question = calloc(1, sizeof *question);
    Scene scene = {0};
    Solution solution = {0};
    Error why = {"out of memory"};
    json_t *document = NULL, *line = NULL;
    if (question && scene_read_memory(text, size, &scene, &why)) {
        question->seed = seed;
        document = document_read_memory(text, size, &why);
        bool solved = document && read_question(count, paths, sigmas, percent, question, &why) &&
                      solution_compute(&scene, &options, &solution);
        if (solved && !solution_has_result(&solution)) {
            error_set(&why, "%s", solution.result.message);
        } else if (solved) {
            line = study(document, &scene, &solution, question, &why);
        }
    }
    char *answer = line ? line_text(line) : NULL;
    if (!answer) {
        fail(error, line ? "out of memory" : why.text);
    }
    if (question) {
        sensitivity_paths_free(&question->paths);
    }
    solution_free(&solution);
    scene_free(&scene);
    json_decref(document);
    free(question);
    return answer;
}

/* What a writer prints to a file, as text. NULL: no memory. */
typedef bool Print(FILE *file, const void *what);

static char *printed(Print *print, const void *what) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    bool good = print(file, what) && !ferror(file);
    good = fclose(file) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

static bool print_outcomes(FILE *file, const void *outcomes) {
    return outcomes_json(file, outcomes);
}

char *scene_outcomes(const char *text, size_t size, long count, double low, double high, long seed,
                     char *error) {
    const OutcomesOptions options = {count, low, high, seed};
    Scene scene = {0};
    Outcomes outcomes = {0};
    CaromStatus status;
    Error why = {"out of memory"};
    char *answer = NULL;
    if (scene_read_memory(text, size, &scene, &why)) {
        if (outcomes_compute(&scene, &options, "scene", &outcomes, &status, &why) == 0) {
            answer = printed(print_outcomes, &outcomes);
        }
        outcomes_free(&outcomes);
    }
    if (!answer) {
        fail(error, why.text);
    }
    scene_free(&scene);
    return answer;
}

#ifdef CAROM_HAS_FIT
#include "aim/aim_report.h"

static bool print_aim(FILE *file, const void *run) {
    return aim_report_json(file, run);
}

char *scene_aim(const char *text, size_t size, char *error) {
    Error why = {"out of memory"};
    json_t *document = document_read_memory(text, size, &why);
    AimRun *run = document ? calloc(1, sizeof *run) : NULL;
    char *answer = NULL;
    if (run && aim_read(document, run, &why) && aim_search(run, &why)) {
        answer = printed(print_aim, run);
    }
    if (!answer) {
        fail(error, why.text);
    }
    if (run) {
        aim_free(run);
    }
    free(run);
    json_decref(document);
    return answer;
}

#endif
