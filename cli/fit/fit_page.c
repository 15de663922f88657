/* The result of a fit as a page. */
#include "fit/fit_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_report.h"
#include "io/html.h"
#include "io/output_file.h"
#include "picture/picture.h"

/* Points drawn, at most: more only make the file large. */
enum { POINTS_MAX = 2000, WIDTH = 640, HEIGHT = 480 };

/* Half the 95 % region of two parameters: sqrt of the quantile of chi^2 with two degrees. */
#define REGION 2.4477

/* What a picture is drawn from. */
typedef struct Drawing {
    const FitRun *run;
    const FitGroup *group;
    double values[CAROM_FIT_PARAMETERS_MAX];
} Drawing;

/* Write predicted and measured of every number, of at most POINTS_MAX rows. False: out of memory.
 */
static bool write_points(FILE *script, const Drawing *drawing) {
    const FitGroup *group = drawing->group;
    const FitParameters *parameters = drawing->run->parameters;
    FitView view = fit_run_view(drawing->run, group);
    size_t step = group->rows / POINTS_MAX + 1;
    double predicted[CAROM_FIT_MEASURED_MAX];
    CaromFitRow row = {.room = calloc(1, fit_table_room(view.table))};
    if (!row.room) {
        return false;
    }
    fputs("$points << END\n", script);
    for (size_t i = 0; i < group->rows; i += step) {
        fit_table_row(&view, i, &row);
        if (row.count == 0 || carom_fit_predict(&row, parameters->list, parameters->count,
                                                drawing->values, predicted, NULL) < 0) {
            continue;
        }
        for (int k = 0; k < row.count; k++) {
            double unit = drawing->run->table->from_scene && row.sigma ? row.sigma[k] : 1;
            fprintf(script, "%.9g %.9g\n", predicted[k] / unit, row.value[k] / unit);
        }
    }
    fputs("END\n", script);
    free(row.room);
    return true;
}

/* Numbers of a template may have different units: they are drawn over their sigmas. */
static const char *unit_words(const FitTable *table) {
    return !table->from_scene   ? ""
           : table->scene.known ? ", in units of sigma"
           : table->scene.mixed ? ", as speeds of the same energy"
                                : "";
}

static bool draw_predicted(FILE *script, const Drawing *drawing) {
    bool good = write_points(script, drawing);
    const char *unit = unit_words(drawing->run->table);
    fprintf(script,
            "set xlabel 'predicted%s'\nset ylabel 'measured%s'\nset key off\n"
            "plot x lc rgb '#999999' dt 2, $points using 1:2 with points pt 6 ps 0.6 lc rgb "
            "'#0072B2'\n",
            unit, unit);
    return good;
}

static bool draw_residuals(FILE *script, const Drawing *drawing) {
    bool good = write_points(script, drawing);
    const char *unit = unit_words(drawing->run->table);
    fprintf(script,
            "set xlabel 'predicted%s'\nset ylabel 'measured - predicted'\nset key off\n"
            "plot 0 lc rgb '#999999' dt 2, $points using 1:($2-$1) with points pt 6 ps 0.6 lc rgb "
            "'#D55E00'\n",
            unit);
    return good;
}

/* The 95 % ellipse of the first two parameters that are identified. */
static bool draw_ellipse(FILE *script, const Drawing *drawing, int a, int b) {
    const CaromFitResult *fit = &drawing->group->fit;
    const CaromFitEstimate *first = &fit->parameters[a], *second = &fit->parameters[b];
    double c = fit->correlation[a * CAROM_FIT_PARAMETERS_MAX + b], s = sqrt(fmax(1 - c * c, 0));
    fputs("$ellipse << END\n", script);
    for (int i = 0; i <= 90; i++) {
        double angle = i * 2 * acos(-1) / 90, x = cos(angle), y = c * x + s * sin(angle);
        fprintf(script, "%.9g %.9g\n", first->value + REGION * first->standard_error * x,
                second->value + REGION * second->standard_error * y);
    }
    fprintf(script,
            "END\nset key off\nset xlabel '%s' noenhanced\nset ylabel '%s' noenhanced\n"
            "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 2 lc rgb '#D55E00'\n"
            "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 2 lc rgb '#D55E00'\n"
            "plot $ellipse with lines lw 2 lc rgb '#0072B2', '-' with points pt 7 lc rgb 'black'\n"
            "%.9g %.9g\ne\n",
            drawing->run->parameters->names[a], drawing->run->parameters->names[b], first->low,
            second->value, first->high, second->value, first->value, second->low, first->value,
            second->high, first->value, second->value);
    return true;
}

/* Draw into the page. */
static bool add_picture(FILE *page, const Drawing *drawing, int kind, int a, int b, Error *error) {
    static const char *const titles[] = {"Measured against predicted", "Residuals",
                                         "95 % region of two parameters"};
    static const char *const words[] = {
        "Every measured number over its predicted one; on the line both agree.",
        "Measured minus predicted over predicted: without a pattern if the model is right.",
        "The ellipse is the linear region, the bars are the intervals by profile."};
    const PictureFormat *format = picture_format("x.svg");
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file");
    }
    picture_begin(format, WIDTH, HEIGHT, script);
    bool drawn = kind == 0   ? draw_predicted(script, drawing)
                 : kind == 1 ? draw_residuals(script, drawing)
                             : draw_ellipse(script, drawing, a, b);
    size_t size = 0;
    char *svg =
        drawn ? picture_draw(format, script, titles[kind], words[kind], &size, error) : NULL;
    if (!drawn) {
        error_set(error, "out of memory");
    }
    fclose(script);
    if (svg) {
        html_picture_embed(page, svg, size, titles[kind], words[kind]);
    }
    free(svg);
    return svg != NULL;
}

static void write_table(FILE *page, const FitRun *run, const FitGroup *group) {
    static const char *const columns[] = {"",          "value", "standard error",
                                          "95 % from", "to",    HTML_WORDS "note"};
    html_table_begin(page, NULL, columns, 6);
    for (int k = 0; k < run->parameters->count; k++) {
        const CaromFitEstimate *estimate = &group->fit.parameters[k];
        html_row_begin(page, run->parameters->names[k]);
        html_cell_number(page, estimate->value, 6);
        html_cell_number(page, estimate->standard_error, 3);
        html_cell_number(page, estimate->low, 6);
        html_cell_number(page, estimate->high, 6);
        html_cell(page, estimate->reason[0] ? estimate->reason
                        : estimate->linear  ? ""
                                            : "interval by profile: not symmetric");
        html_row_end(page);
    }
    html_table_end(page);
}

static void write_comparison(FILE *page, const FitGroup *group) {
    static const char *const columns[] = {"model", "rms of rows kept back", "above the best",
                                          "standard error"};
    if (group->comparison_count == 0) {
        return;
    }
    html_table_begin(page, "Models, by cross validation", columns, 4);
    for (int i = 0; i < group->comparison_count; i++) {
        const FitComparison *comparison = &group->comparisons[i];
        html_row_begin(page, comparison->model.name);
        html_cell_number(page, comparison->validation.rms, 4);
        html_cell_number(page, comparison->worse, 2);
        html_cell_number(page, comparison->worse_error, 2);
        html_row_end(page);
    }
    html_table_end(page);
}

static void write_outliers(FILE *page, const FitRun *run, const FitGroup *group) {
    FitOutlier outliers[FIT_OUTLIERS_SHOWN];
    size_t count = fit_report_outliers(group, outliers);
    Words words = words_of("Rows beyond %g standard deviations: %zu.", FIT_OUTLIER, count);
    for (size_t i = 0; i < count && i < 8; i++) {
        words_add(&words, " Line %zu (%.3g).", fit_run_line(run, group, outliers[i].row),
                  outliers[i].distance);
    }
    html_element(page, "p", words.text);
}

static bool write_group(FILE *page, const FitRun *run, const FitGroup *group, Error *error) {
    Drawing drawing = {.run = run, .group = group};
    int told[CAROM_FIT_PARAMETERS_MAX], count = 0;
    html_element(page, "h2", group->name[0] ? group->name : "Parameters");
    if (group->fit.status < 0) {
        html_element(page, "p", fit_run_message(run, group).text);
        return true;
    }
    for (int k = 0; k < run->parameters->count; k++) {
        drawing.values[k] = group->fit.parameters[k].value;
        if (group->fit.parameters[k].identified) {
            told[count++] = k;
        }
    }
    write_table(page, run, group);
    html_element(page, "p",
                 words_of("%zu rows, %zu measured numbers, rms residual %.4g, chi^2 %.4g.",
                          group->fit.rows, group->fit.residuals, group->fit.rms, group->fit.chi2)
                     .text);
    write_outliers(page, run, group);
    write_comparison(page, group);
    bool good =
        add_picture(page, &drawing, 0, 0, 0, error) && add_picture(page, &drawing, 1, 0, 0, error);
    for (int i = 1; i < count && i < 4 && good; i++) {
        good = add_picture(page, &drawing, 2, told[0], told[i], error);
    }
    return good;
}

bool fit_page(const char *directory, const char *name, const FitRun *run, Error *error) {
    Words title = words_of("Fit of %.200s", name);
    size_t length = strlen(directory) + 16;
    char *path = malloc(length);
    OutputFile file;
    if (!path || !output_directory_make(directory, error)) {
        free(path);
        return false;
    }
    snprintf(path, length, "%s/fit.html", directory);
    bool good = output_file_begin(path, &file, error);
    if (good) {
        html_page_begin(file.stream, title.text);
        html_element(file.stream, "h1", title.text);
        for (int g = 0; g < run->group_count && good; g++) {
            good = write_group(file.stream, run, &run->groups[g], error);
        }
        for (int i = 0; i < run->notes.count; i++) {
            html_element(file.stream, "p", run->notes.notes[i].text);
        }
        html_page_end(file.stream);
        good ? (void)(good = output_file_finish(&file, error)) : output_file_drop(&file);
    }
    free(path);
    return good;
}
