/* The result of a fit as text and JSON. */
#include "fit/fit_report.h"

#include <math.h>
#include <string.h>

#include "base/json_write.h"
#include "scene/scene.h"

size_t fit_report_outliers(const FitGroup *group, FitOutlier *outliers) {
    size_t count = 0;
    int kept = 0;
    for (size_t i = 0; i < group->rows; i++) {
        if (!(group->distances[i] > FIT_OUTLIER)) {
            continue;
        }
        count++;
        FitOutlier found = {i, group->distances[i]};
        int at = kept < FIT_OUTLIERS_SHOWN ? kept++ : FIT_OUTLIERS_SHOWN - 1;
        if (at == FIT_OUTLIERS_SHOWN - 1 && kept == FIT_OUTLIERS_SHOWN && count > (size_t)kept &&
            outliers[at].distance >= found.distance) {
            continue;
        }
        for (; at > 0 && outliers[at - 1].distance < found.distance; at--) {
            outliers[at] = outliers[at - 1];
        }
        outliers[at] = found;
    }
    return count;
}

/* Text. */

/* A value with as many digits as its standard error justifies: two of that. */
static Words rounded(double value, double error) {
    if (!(error > 0) || !isfinite(error) || error > fabs(value)) {
        return words_of("%.4g", value);
    }
    int digits = 1 - (int)floor(log10(error));
    return words_of("%.*f", digits < 0 ? 0 : digits > 12 ? 12 : digits, value);
}

/* A value that is found, and at the end of its bounds: -1 the lower, 1 the upper, else 0. */
static int bound_of(const CaromFitParameter *parameter, const CaromFitEstimate *estimate) {
    bool found = estimate->identified && parameter->low < parameter->high;
    return found && estimate->value <= parameter->low    ? -1
           : found && estimate->value >= parameter->high ? 1
                                                         : 0;
}

static void print_estimate(FILE *file, const char *name, const CaromFitEstimate *estimate) {
    if (!estimate->identified || isnan(estimate->standard_error)) {
        fprintf(file, "  %-24s %12.4g  %14s", name, estimate->value,
                estimate->identified ? "not known" : "not identified");
    } else {
        fprintf(file, "  %-24s %12s  %14.2g", name,
                rounded(estimate->value, estimate->standard_error).text, estimate->standard_error);
    }
    if (!isnan(estimate->low)) {
        double width = (estimate->high - estimate->low) / 4;
        fprintf(file, "  %s to %s%s", rounded(estimate->low, width).text,
                rounded(estimate->high, width).text,
                estimate->identified && !estimate->linear ? " (not symmetric: by profile)" : "");
    }
    fputc('\n', file);
    if (estimate->reason[0]) {
        fprintf(file, "      %s\n", estimate->reason);
    }
}

static void print_correlation(FILE *file, const FitRun *run, const CaromFitResult *fit) {
    int n = run->parameters->count;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double c = fit->correlation[i * CAROM_FIT_PARAMETERS_MAX + j];
            if (!isnan(c)) {
                fprintf(file, "  correlation of %s and %s: %.3f\n", run->parameters->names[j],
                        run->parameters->names[i], c);
            }
        }
    }
}

static void print_outliers(FILE *file, const FitRun *run, const FitGroup *group) {
    FitOutlier outliers[FIT_OUTLIERS_SHOWN];
    size_t count = fit_report_outliers(group, outliers);
    if (count == 0) {
        fprintf(file, "  every row is within %g standard deviations\n", FIT_OUTLIER);
        return;
    }
    fprintf(file, "  rows that do not fit (beyond %g standard deviations): %zu", FIT_OUTLIER,
            count);
    for (size_t i = 0; i < count && i < FIT_OUTLIERS_SHOWN; i++) {
        fprintf(file, "%s line %zu (%.3g)", i == 0 ? ":" : ",",
                fit_run_line(run, group, outliers[i].row), outliers[i].distance);
    }
    fputs(count > FIT_OUTLIERS_SHOWN ? ", ...\n" : "\n", file);
}

static void print_comparison(FILE *file, const FitRun *run, const FitGroup *group) {
    if (group->comparison_count == 0) {
        return;
    }
    fprintf(file,
            "\n  Models, by cross validation (rows kept back in %d parts)\n"
            "  %-36s %12s %12s\n",
            run->folds, "", "rms", "above best");
    for (int i = 0; i < group->comparison_count; i++) {
        const FitComparison *comparison = &group->comparisons[i];
        if (comparison->validation.status < 0) {
            fprintf(file, "  %-36s %s\n", comparison->model.name, comparison->validation.message);
        } else {
            fprintf(file, "  %-36s %12.4g %12.2g +- %.1g\n", comparison->model.name,
                    comparison->validation.rms, comparison->worse, comparison->worse_error);
        }
    }
}

/* Is chi^2 more than three standard deviations above its mean? */
static bool is_too_far(const FitRun *run, const CaromFitResult *fit) {
    double freedom = (double)fit->residuals - run->parameters->count;
    return fit->sigma_given && fit->chi2 > freedom + 3 * sqrt(2 * freedom) + 3;
}

static void print_group(FILE *file, const FitRun *run, const FitGroup *group) {
    const CaromFitResult *fit = &group->fit;
    fprintf(file, "\n%s%s%zu row%s, %zu measured number%s\n", group->name,
            group->name[0] ? ": " : "", fit->rows, fit->rows == 1 ? "" : "s", fit->residuals,
            fit->residuals == 1 ? "" : "s");
    if (fit->status < 0) {
        fprintf(file, "  %s: %s\n", carom_status_string(fit->status),
                fit_run_message(run, group).text);
        return;
    }
    fprintf(file, "  %-24s %12s  %14s  %s\n", "", "value", "standard error", "95 % interval");
    for (int k = 0; k < run->parameters->count; k++) {
        int bound = bound_of(&run->parameters->list[k], &fit->parameters[k]);
        print_estimate(file, run->parameters->names[k], &fit->parameters[k]);
        if (bound != 0) {
            fprintf(file, "      at its %s bound: the data want %s\n",
                    bound < 0 ? "lower" : "upper", bound < 0 ? "less" : "more");
        }
    }
    print_correlation(file, run, fit);
    fprintf(file, "  residuals: rms %.4g", fit->rms);
    if (fit->sigma_given) {
        size_t freedom = fit->residuals - (size_t)run->parameters->count;
        fprintf(file, ", chi^2 %.4g for %zu degree%s of freedom", fit->chi2, freedom,
                freedom == 1 ? "" : "s");
    }
    fputc('\n', file);
    if (is_too_far(run, fit)) {
        fputs("  the model does not fit within the given sigmas; standard errors are enlarged\n",
              file);
    }
    print_outliers(file, run, group);
    if (fit->minima > 1) {
        fprintf(file, "  %d starts led to %d different minima; this is the lowest\n", fit->starts,
                fit->minima);
    }
    if (fit->differences) {
        fputs("  some derivatives are differences of outcomes: on a kink, or not computed\n", file);
    }
    print_comparison(file, run, group);
}

void fit_report_text(FILE *file, const char *name, const FitRun *run) {
    fprintf(file, "%s", name);
    if (run->model >= 0) {
        fprintf(file, "; model %s", scene_model_names[run->model]);
    }
    if (run->law >= 0) {
        fprintf(file, ", law of restitution %s", scene_law_names[run->law]);
    }
    fputc('\n', file);
    for (int g = 0; g < run->group_count; g++) {
        print_group(file, run, &run->groups[g]);
    }
    for (int i = 0; i < run->notes.count; i++) {
        const char *text = run->notes.notes[i].text;
        bool asks = text[0] && text[strlen(text) - 1] == '?';
        fprintf(file, "%sNote: %s%s\n", i == 0 ? "\n" : "", text, asks ? "" : ".");
    }
}

/* JSON. */

static json_t *estimate_object(const CaromFitParameter *parameter,
                               const CaromFitEstimate *estimate) {
    json_t *object =
        json_pack("{s:o, s:o, s:b, s:[o,o], s:b, s:b}", "value", json_write_number(estimate->value),
                  "standard_error", json_write_number(estimate->standard_error), "identified",
                  estimate->identified, "interval", json_write_number(estimate->low),
                  json_write_number(estimate->high), "profile", estimate->profiled, "linear",
                  estimate->linear);
    if (bound_of(parameter, estimate) != 0) {
        json_object_set_new(object, "at_bound", json_true());
    }
    if (estimate->reason[0]) {
        json_object_set_new(object, "reason", json_string(estimate->reason));
    }
    return object;
}

static json_t *outlier_array(const FitRun *run, const FitGroup *group) {
    FitOutlier outliers[FIT_OUTLIERS_SHOWN];
    size_t count = fit_report_outliers(group, outliers);
    json_t *array = json_array();
    for (size_t i = 0; i < count && i < FIT_OUTLIERS_SHOWN; i++) {
        json_array_append_new(array,
                              json_pack("{s:I, s:f}", "line",
                                        (json_int_t)fit_run_line(run, group, outliers[i].row),
                                        "distance", outliers[i].distance));
    }
    return array;
}

static json_t *comparison_array(const FitGroup *group) {
    json_t *array = json_array();
    for (int i = 0; i < group->comparison_count; i++) {
        const FitComparison *comparison = &group->comparisons[i];
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "model", comparison->model.name,
                             "status", carom_status_string(comparison->validation.status), "rms",
                             json_write_number(comparison->validation.rms), "standard_error",
                             json_write_number(comparison->validation.error), "worse",
                             json_write_number(comparison->worse), "worse_standard_error",
                             json_write_number(comparison->worse_error)));
    }
    return array;
}

/* The keys of a fit, into an object. */
static void fill_group(json_t *object, const FitRun *run, const FitGroup *group) {
    const CaromFitResult *fit = &group->fit;
    int n = run->parameters->count;
    json_t *parameters = json_object(), *correlation = json_array();
    json_object_set_new(object, "status", json_string(carom_status_string(fit->status)));
    if (fit->status < 0) {
        json_object_set_new(object, "message", json_string(fit_run_message(run, group).text));
    }
    json_object_set_new(object, "rows", json_integer((json_int_t)group->rows));
    for (int k = 0; k < n; k++) {
        json_object_set_new(parameters, run->parameters->names[k],
                            estimate_object(&run->parameters->list[k], &fit->parameters[k]));
        json_array_append_new(
            correlation, json_write_numbers(fit->correlation + k * CAROM_FIT_PARAMETERS_MAX, n));
    }
    json_object_set_new(object, "parameters", parameters);
    json_object_set_new(object, "correlation", correlation);
    json_object_set_new(object, "rms", json_write_number(fit->rms));
    json_object_set_new(object, "chi2", json_write_number(fit->chi2));
    json_object_set_new(object, "residuals", json_integer((json_int_t)fit->residuals));
    json_object_set_new(object, "sigma_given", json_boolean(fit->sigma_given));
    json_object_set_new(object, "outliers", outlier_array(run, group));
    json_object_set_new(object, "minima", json_integer(fit->minima));
    json_object_set_new(object, "differences", json_boolean(fit->differences));
    if (group->comparison_count > 0) {
        json_object_set_new(object, "models", comparison_array(group));
    }
}

bool fit_report_json(FILE *file, const FitRun *run) {
    json_t *line = json_object(), *notes = json_array();
    if (run->table->group_count == 0) {
        fill_group(line, run, &run->groups[0]);
    } else {
        json_t *groups = json_object();
        CaromStatus worst = CAROM_OK;
        for (int g = 0; g < run->group_count; g++) {
            json_t *object = json_object();
            fill_group(object, run, &run->groups[g]);
            worst = run->groups[g].fit.status < worst ? run->groups[g].fit.status : worst;
            json_object_set_new(groups, run->groups[g].name, object);
        }
        json_object_set_new(line, "status", json_string(carom_status_string(worst)));
        json_object_set_new(line, "rows", json_integer((json_int_t)run->table->spool.rows));
        json_object_set_new(line, "groups", groups);
    }
    for (int i = 0; i < run->notes.count; i++) {
        json_array_append_new(notes, json_string(run->notes.notes[i].text));
    }
    json_object_set_new(line, "notes", notes);
    return json_write_line(file, line);
}
