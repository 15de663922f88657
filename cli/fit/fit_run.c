/* carom fit: the fits of all groups, and the comparison of models. */
#include "fit/fit_run.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/crew.h"
#include "io/progress.h"

static const FitModel models[] = {
    {"rigid, energetic", CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, false},
    {"rigid, Poisson", CAROM_MODEL_RIGID, CAROM_LAW_POISSON, false},
    {"rigid, Newton", CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, false},
    {"compliant", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, false},
    {"compliant, stiffness_ratio fitted", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, true}};

FitView fit_run_view(const FitRun *run, const FitGroup *group) {
    return (FitView){run->table, group->first, run->model, run->law};
}

Words fit_run_message(const FitRun *run, const FitGroup *group) {
    const char *message = group->fit.message;
    size_t row;
    int end = 0;
    if (sscanf(message, "row %zu: %n", &row, &end) == 1 && end > 0 && row < group->rows) {
        return words_of("line %zu: %s", fit_run_line(run, group, row), message + end);
    }
    return words_of("%s", message);
}

size_t fit_run_line(const FitRun *run, const FitGroup *group, size_t row) {
    return fit_table_line(run->table, group->first + row);
}

/* The rows of each group follow each other. */
static bool list_groups(FitRun *run) {
    const FitTable *table = run->table;
    size_t first = 0;
    run->group_count = table->group_count > 0 ? table->group_count : 1;
    run->groups = calloc((size_t)run->group_count, sizeof *run->groups);
    for (int g = 0; g < run->group_count && run->groups; g++) {
        FitGroup *group = &run->groups[g];
        group->name = table->group_count > 0 ? table->group_names[g] : "";
        group->first = first;
        group->rows = table->group_rows[g];
        first += group->rows;
        group->distances = malloc((group->rows + 1) * sizeof *group->distances);
        if (!group->distances) {
            return false;
        }
    }
    return run->groups != NULL;
}

static CaromFitData data_of(const FitGroup *group, const FitView *view) {
    return (CaromFitData){group->rows, fit_table_row, view, fit_table_room(view->table)};
}

static void run_parts(void *crew, int count, CaromFitPart *part, void *context) {
    crew_run(crew, count, part, context);
}

/* The parameters that a model has. */
static FitParameters choose_parameters(const FitParameters *all, const FitModel *model) {
    FitParameters chosen = {0};
    for (int k = 0; k < all->count; k++) {
        CaromCoefficient coefficient = all->list[k].coefficient;
        bool stiff = coefficient == CAROM_COEFFICIENT_STIFFNESS ||
                     coefficient == CAROM_COEFFICIENT_STIFFNESS_RATIO;
        if (model->model == CAROM_MODEL_COMPLIANT || !stiff) {
            chosen.list[chosen.count++] = all->list[k];
        }
    }
    if (model->add_ratio) {
        chosen.list[chosen.count++] =
            carom_fit_parameter(CAROM_COEFFICIENT_STIFFNESS_RATIO, CAROM_FIT_ALL_CONTACTS);
    }
    return chosen;
}

static bool has_ratio(const FitParameters *parameters) {
    for (int k = 0; k < parameters->count; k++) {
        if (parameters->list[k].coefficient == CAROM_COEFFICIENT_STIFFNESS_RATIO) {
            return true;
        }
    }
    return parameters->count == CAROM_FIT_PARAMETERS_MAX;
}

/* Differences to the best model, row by row. */
static void compare_rows(FitGroup *group, double *const *squares) {
    int best = 0;
    for (int i = 1; i < group->comparison_count; i++) {
        if (group->comparisons[i].validation.rms < group->comparisons[best].validation.rms ||
            isnan(group->comparisons[best].validation.rms)) {
            best = i;
        }
    }
    double rms = group->comparisons[best].validation.rms;
    for (int i = 0; i < group->comparison_count; i++) {
        double sum = 0, square = 0, n = 0;
        for (size_t row = 0; row < group->rows; row++) {
            double difference = squares[i][row] - squares[best][row];
            if (!isnan(difference)) {
                sum += difference;
                square += difference * difference;
                n++;
            }
        }
        double mean = sum / n, variance = fmax(square / n - mean * mean, 0);
        FitComparison *comparison = &group->comparisons[i];
        double worse = comparison->validation.rms - rms;
        /* laws that are the same for these impacts differ by rounding */
        bool same = fabs(worse) < 1e-12 * rms;
        comparison->worse = same ? 0 : worse;
        comparison->worse_error =
            same ? 0 : sqrt(variance / n) / (comparison->validation.rms + rms);
    }
}

static bool compare_models(FitRun *run, FitGroup *group, int folds,
                           const CaromFitOptions *options) {
    double *squares[FIT_MODELS_MAX] = {0};
    bool good = true, ratio = has_ratio(run->parameters);
    int contacts = run->table->from_scene ? run->table->scene.problem.contact_count : 1;
    for (size_t i = 0; i < sizeof models / sizeof *models && good; i++) {
        /* several rigid contacts have Newton's law only */
        bool several = contacts > 1 && models[i].model == CAROM_MODEL_RIGID &&
                       models[i].law != CAROM_LAW_NEWTON;
        if (several || (models[i].add_ratio && ratio)) {
            continue;
        }
        FitComparison *comparison = &group->comparisons[group->comparison_count];
        FitParameters chosen = choose_parameters(run->parameters, &models[i]);
        FitView one = {run->table, group->first, models[i].model, models[i].law};
        const CaromFitData data = data_of(group, &one);
        progress_show("%s", models[i].name);
        comparison->model = models[i];
        squares[group->comparison_count] = calloc(group->rows + 1, sizeof **squares);
        good = squares[group->comparison_count] != NULL;
        if (good && chosen.count > 0) {
            carom_fit_validate(&data, chosen.list, chosen.count, options, folds,
                               squares[group->comparison_count], &comparison->validation);
            group->comparison_count++;
        }
    }
    if (good) {
        compare_rows(group, squares);
    }
    for (int i = 0; i < FIT_MODELS_MAX; i++) {
        free(squares[i]);
    }
    return good;
}

bool fit_run(const FitRunOptions *options, FitRun *run, Error *error) {
    Crew *crew = crew_create(options->threads);
    bool good = crew && list_groups(run);
    run->folds = options->folds;
    CaromFitOptions settings = carom_fit_options_default();
    settings.loss = options->loss;
    settings.sigma_relative = run->table->from_scene && !run->table->scene.known;
    settings.run = options->threads > 1 ? run_parts : NULL;
    settings.crew = crew;
    for (int g = 0; g < run->group_count && good; g++) {
        FitGroup *group = &run->groups[g];
        FitView view = fit_run_view(run, group);
        const CaromFitData data = data_of(group, &view);
        progress_show("%zu rows: fitting %s", group->rows, group->name);
        carom_fit(&data, run->parameters->list, run->parameters->count, &settings, group->distances,
                  &group->fit);
        if (options->folds > 0 && group->fit.status >= 0) {
            good = compare_models(run, group, options->folds, &settings);
        }
    }
    progress_end();
    crew_free(crew);
    if (good && atomic_load(&run->table->failed)) {
        return error_set(error, "temporary file: cannot be read");
    }
    return good || error_set(error, "out of memory");
}

void fit_run_free(FitRun *run) {
    for (int g = 0; g < run->group_count && run->groups; g++) {
        free(run->groups[g].distances);
    }
    free(run->groups);
    run->groups = NULL;
}
