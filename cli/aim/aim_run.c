/* carom aim: the strikes for a wanted outcome of a scene. */
#include "aim/aim_run.h"

#include <math.h>
#include <string.h>

#include "aim/aim_slope.h"
#include "scene/scene_read.h"

/* Step of a difference by a coefficient, where there is no derivative. */
#define STEP 1e-5

static bool read_free(const Field *aim, AimRun *run) {
    Field list = field_member(aim, "free");
    const char *key;
    json_t *value;
    if (!json_is_object(list.value) || json_object_size(list.value) == 0) {
        return field_fail_type(&list, "an object {\"PATH\": [LOW, HIGH], ...}");
    }
    json_object_foreach(list.value, key, value) {
        Field field = field_member(&list, key);
        double range[2];
        Error why;
        int at = run->free_count;
        if (at == CAROM_AIM_FREE_MAX) {
            return field_fail(&list, "at most %d free numbers", CAROM_AIM_FREE_MAX);
        }
        if (!scene_path_read(key, strlen(key), &run->free[at], &why) ||
            !scene_path_get(run->document, &run->free[at], &run->values[at], &why)) {
            return field_fail(&field, "%s", why.text);
        }
        if (!field_vector(&field, 2, range)) {
            return false;
        }
        if (!(range[0] < range[1])) {
            return field_fail(&field, "low must be below high");
        }
        run->low[at] = range[0];
        run->high[at] = range[1];
        run->free_count++;
    }
    return true;
}

static bool read_wishes(const Field *aim, const Scene *scene, AimRun *run) {
    Field list = field_member(aim, "wanted");
    size_t size;
    if (!field_is_list(&list, "a list of wishes", AIM_WISHES_MAX, &size)) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        Field field = field_element(&list, i);
        if (!aim_wish_read(&field, scene, &run->wishes[i])) {
            return false;
        }
        run->wish_count++;
        run->miss_count += aim_wish_size(&run->wishes[i]);
    }
    return true;
}

bool aim_read(json_t *document, AimRun *run, Error *error) {
    static const char *const known[] = {"free", "wanted", NULL};
    Scene scene = {0};
    memset(run, 0, sizeof *run);
    run->document = json_deep_copy(document);
    if (!run->document || json_object_del(run->document, "aim") != 0) {
        return error_set(error, "aim: missing, must be an object with \"free\" and \"wanted\"");
    }
    Field root = field_root(document, error), aim = field_member(&root, "aim");
    bool good = field_is_object(&aim, "an object with \"free\" and \"wanted\"", known) &&
                scene_from_json(run->document, &scene, error) && read_free(&aim, run) &&
                read_wishes(&aim, &scene, run);
    if (good) {
        snprintf(run->name, sizeof run->name, "%s", scene.name ? scene.name : "");
    }
    scene_free(&scene);
    return good;
}

void aim_free(AimRun *run) {
    json_decref(run->document);
    run->document = NULL;
}

/* The sequence of events: letters of one contact; of several, contact and event. */
static void name_sequence(const CaromResult *result, char *text) {
    static const char letters[] = {'c', 'k', 'r', 'a', 'h', 'o', 's', 'l'};
    size_t length = 0;
    snprintf(text, CAROM_AIM_SEQUENCE_SIZE, "%s", result->sequence);
    if (result->sequence[0]) {
        return;
    }
    for (int i = 0; i < result->event_count && i < result->event_capacity; i++) {
        const CaromEvent *event = &result->events[i];
        if (length + 8 < CAROM_AIM_SEQUENCE_SIZE) {
            length += (size_t)snprintf(text + length, CAROM_AIM_SEQUENCE_SIZE - length, "%d%c",
                                       event->contact, letters[event->kind]);
        }
    }
}

/* A solved scene of the run. */
typedef struct Solved {
    json_t *document;
    Scene scene;
    Solution solution;
} Solved;

/* Solve the document with values of the free numbers, and one more number changed (path NULL:
 * none). close_solved() in any case. */
static bool open_solved(const AimRun *run, const double *values, const ScenePath *path,
                        double number, Solved *solved) {
    CaromOptions options = carom_options_default();
    Error ignored;
    *solved = (Solved){.document = json_deep_copy(run->document)};
    bool good = solved->document != NULL;
    for (int k = 0; k < run->free_count && good; k++) {
        good = scene_path_set(solved->document, &run->free[k], values[k], &ignored);
    }
    return good && (!path || scene_path_set(solved->document, path, number, &ignored)) &&
           scene_from_json(solved->document, &solved->scene, &ignored) &&
           solution_compute(&solved->scene, &options, &solved->solution) &&
           solved->solution.result.status >= 0;
}

static void close_solved(Solved *solved) {
    solution_free(&solved->solution);
    scene_free(&solved->scene);
    json_decref(solved->document);
}

/* The numbers of the wishes, given and wanted. */
static bool evaluate(const AimRun *run, const double *values, const ScenePath *path, double number,
                     double *given, double *wanted, char *sequence) {
    Solved solved;
    bool good = open_solved(run, values, path, number, &solved);
    for (int i = 0, at = 0; i < run->wish_count && good; i++) {
        double got[3], goal[3];
        int size = aim_wish_size(&run->wishes[i]);
        good = aim_wish_numbers(&run->wishes[i], &solved.scene, &solved.solution, got, goal);
        memcpy(given + at, got, (size_t)size * sizeof *got);
        memcpy(wanted + at, goal, (size_t)size * sizeof *goal);
        at += size;
    }
    if (good) {
        name_sequence(&solved.solution.result, sequence);
    }
    close_solved(&solved);
    return good;
}

/* A CaromAimOutcome. */
static CaromStatus find_outcome(void *context, const double *values, double *misses,
                                char *sequence) {
    const AimRun *run = context;
    double given[CAROM_AIM_MISSES_MAX], wanted[CAROM_AIM_MISSES_MAX];
    if (!evaluate(run, values, NULL, 0, given, wanted, sequence)) {
        return CAROM_NOT_CONVERGED;
    }
    for (int i = 0, at = 0; i < run->wish_count; i++) {
        for (int k = 0; k < aim_wish_size(&run->wishes[i]); k++, at++) {
            misses[at] = (given[at] - wanted[at]) / run->wishes[i].tolerance;
        }
    }
    return CAROM_OK;
}

/* A CaromAimSlopes. */
static CaromStatus find_slopes(void *context, const double *values, double *slopes) {
    const AimRun *run = context;
    Solved solved;
    bool good = open_solved(run, values, NULL, 0, &solved) &&
                aim_slopes(solved.document, &solved.scene, &solved.solution, run->wishes,
                           run->wish_count, run->free, run->free_count, slopes);
    for (int i = 0, at = 0; i < run->wish_count && good; i++) {
        for (int k = 0; k < aim_wish_size(&run->wishes[i]); k++, at++) {
            for (int j = 0; j < run->free_count; j++) {
                slopes[at * run->free_count + j] /= run->wishes[i].tolerance;
            }
        }
    }
    close_solved(&solved);
    return good ? CAROM_OK : CAROM_NOT_CONVERGED;
}

/* Slopes by one number of the scene at a solution, exact where there are any. */
static bool exact_slope(const AimRun *run, const double *values, const ScenePath *path,
                        double *slopes) {
    Solved solved;
    bool good = open_solved(run, values, NULL, 0, &solved) &&
                aim_slopes(solved.document, &solved.scene, &solved.solution, run->wishes,
                           run->wish_count, path, 1, slopes);
    for (int i = 0; i < run->miss_count && good; i++) {
        good = isfinite(slopes[i]);
    }
    close_solved(&solved);
    return good;
}

/* Slopes by one coefficient; it is left out where it cannot be changed. */
static void add_slope(const AimRun *run, const char *text, AimAnswer *answer) {
    AimSlope *slope = &answer->slopes[answer->slope_count];
    double value, ends[2][CAROM_AIM_MISSES_MAX], wanted[CAROM_AIM_MISSES_MAX];
    char sequence[CAROM_AIM_SEQUENCE_SIZE];
    Error ignored;
    if (answer->slope_count == AIM_COEFFICIENTS_MAX ||
        !scene_path_read(text, strlen(text), &slope->path, &ignored) ||
        !scene_path_get(run->document, &slope->path, &value, &ignored)) {
        return;
    }
    for (int k = 0; k < run->free_count; k++) {
        if (strcmp(run->free[k].text, slope->path.text) == 0) {
            return;
        }
    }
    if (exact_slope(run, answer->solution.values, &slope->path, slope->slopes)) {
        answer->slope_count++;
        return;
    }
    double step = STEP * fmax(fabs(value), 0.1);
    for (int side = 0; side < 2; side++) {
        if (!evaluate(run, answer->solution.values, &slope->path, value + (side ? step : -step),
                      ends[side], wanted, sequence)) {
            return;
        }
    }
    for (int i = 0; i < run->miss_count; i++) {
        slope->slopes[i] = (ends[1][i] - ends[0][i]) / (2 * step);
    }
    answer->slope_count++;
}

/* The numbers that a solution gives, and how they change with the coefficients. */
static void fill_answer(const AimRun *run, const CaromAimSolution *solution, AimAnswer *answer) {
    static const char *const names[] = {"mu", "e", "stiffness", "stiffness_ratio"};
    double wanted[CAROM_AIM_MISSES_MAX];
    char sequence[CAROM_AIM_SEQUENCE_SIZE];
    answer->solution = *solution;
    answer->slope_count = 0;
    evaluate(run, solution->values, NULL, 0, answer->given, wanted, sequence);
    size_t contacts = json_array_size(json_object_get(run->document, "contacts"));
    bool compliant = strcmp(json_string_value(json_object_get(run->document, "model")) != NULL
                                ? json_string_value(json_object_get(run->document, "model"))
                                : "",
                            "compliant") == 0;
    for (size_t i = 0; i < contacts; i++) {
        for (int k = 0; k < (compliant ? 4 : 2); k++) {
            if (k != 2 || contacts > 1) {
                Words path = words_of("contacts[%zu].%s", i, names[k]);
                add_slope(run, path.text, answer);
            }
        }
    }
}

/* Why the closest outcome is no solution. */
static void explain(AimRun *run) {
    const CaromAimSolution *closest = &run->closest.solution;
    int bounds = 0;
    run->forbids =
        words_of("the closest outcome misses by %.3g times the tolerance", closest->residual);
    for (int k = 0; k < run->free_count; k++) {
        if (closest->bound[k]) {
            words_add(&run->forbids, "%s %s is at the end of its range, %g",
                      bounds++ ? "," : "; the way further is closed:", run->free[k].text,
                      closest->values[k]);
        }
    }
    bool one = strpbrk(closest->sequence, "0123456789") == NULL;
    if (bounds == 0 && one) {
        words_add(&run->forbids, "%s",
                  strchr(closest->sequence, 's')
                      ? "; slip stops there, and no small change of what is free comes closer"
                      : "; the contact slips throughout, and no small change of what is free "
                        "comes closer");
    }
}

bool aim_search(AimRun *run, Error *error) {
    CaromAimSolution solutions[AIM_SOLUTIONS_MAX], closest;
    const char *message;
    const CaromAim aim = {.free_count = run->free_count,
                          .low = run->low,
                          .high = run->high,
                          .given = run->values,
                          .miss_count = run->miss_count,
                          .outcome = find_outcome,
                          .slopes = find_slopes,
                          .context = run};
    CaromStatus status =
        carom_aim(&aim, solutions, AIM_SOLUTIONS_MAX, &run->count, &closest, &message);
    if (status < 0) {
        return error_set(error, "aim: %s", message);
    }
    for (int i = 0; i < run->count; i++) {
        fill_answer(run, &solutions[i], &run->answers[i]);
    }
    fill_answer(run, &closest, &run->closest);
    if (run->count == 0) {
        explain(run);
    }
    return true;
}
