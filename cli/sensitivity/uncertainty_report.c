/* Error bars as text, JSON and a section of a page. */
#include "sensitivity/uncertainty_report.h"

#include <math.h>

#include "base/json_write.h"
#include "base/text.h"
#include "io/html.h"
#include "sensitivity/sensitivity_report.h"

/* Do all derivatives exist? */
static bool has_linear(const ErrorBars *bars) {
    bool good = true;
    for (int i = 0; i < bars->sensitivity.components.count; i++) {
        good = good && !isnan(bars->bars[i].linear);
    }
    return good;
}

/* A linear error bar, or a word where it is missing. */
static Words linear_words(const ErrorBar *bar) {
    return isnan(bar->linear) ? words_of("none") : words_of("%.3g", bar->linear);
}

/* The warning where a kink bends the error bars; "" if they agree. */
static Words warning(const ErrorBars *bars) {
    if (bars->agree) {
        return words_of("%s", "");
    }
    const char *missing = has_linear(bars) ? "" : bars->sensitivity.message;
    Words words = words_of(has_linear(bars) ? "linear and sampled error bars disagree"
                                            : "there are no linear error bars of some numbers");
    if (missing && missing[0]) {
        words_add(&words, ": %s", missing);
    }
    Words kink = sensitivity_kink_words(&bars->sensitivity);
    if (bars->samples < UNCERTAINTY_SAMPLES) {
        words_add(&words, "; %d of %d samples have no answer", UNCERTAINTY_SAMPLES - bars->samples,
                  UNCERTAINTY_SAMPLES);
    }
    if (kink.text[0]) {
        words_add(&words, "; a kink is near: %s", kink.text);
    }
    return words;
}

void error_bars_text(FILE *file, const ErrorBars *bars) {
    const Components *components = &bars->sensitivity.components;
    fprintf(file, "\nerror bars of %-14s %12s %12s %12s  %s\n", "", "value", "linear", "sampled",
            "95 % interval");
    for (int i = 0; i < components->count; i++) {
        const ErrorBar *bar = &bars->bars[i];
        Words name = components_name(components, i);
        text_fit(name.text, 28);
        fprintf(file, "%s%*s %12.6g %12s %12.3g  %.6g to %.6g\n", name.text,
                28 - text_width(name.text), "", bar->value + 0.0, linear_words(bar).text,
                bar->sampled, bar->low + 0.0, bar->high + 0.0);
    }
    Words note = warning(bars);
    if (note.text[0]) {
        fprintf(file, "Warning        %s\n", note.text);
    }
}

void error_bars_json(json_t *line, const ErrorBars *bars) {
    const Components *components = &bars->sensitivity.components;
    json_t *list = json_array();
    for (int i = 0; i < components->count; i++) {
        const ErrorBar *bar = &bars->bars[i];
        json_t *object = json_object();
        json_object_set_new(object, "of", json_string(components_path(components, i).text));
        json_object_set_new(object, "value", json_write_number(bar->value));
        json_object_set_new(object, "linear", json_write_number(bar->linear));
        json_object_set_new(object, "sampled", json_write_number(bar->sampled));
        json_object_set_new(object, "mean", json_write_number(bar->mean));
        json_object_set_new(object, "low", json_write_number(bar->low));
        json_object_set_new(object, "high", json_write_number(bar->high));
        json_array_append_new(list, object);
    }
    json_object_set_new(line, "uncertainty", list);
    json_object_set_new(line, "uncertainty_linear", json_boolean(bars->agree));
}

void error_bars_page(FILE *file, const ErrorBars *bars) {
    static const char *const columns[] = {"", "value", "linear", "sampled", "95 % interval"};
    const Components *components = &bars->sensitivity.components;
    fputs("<h2>Error bars</h2>\n", file);
    html_table_begin(file, "Standard deviations of the outcome", columns, 5);
    for (int i = 0; i < components->count; i++) {
        const ErrorBar *bar = &bars->bars[i];
        html_row_begin(file, components_name(components, i).text);
        html_cell_number(file, bar->value, 6);
        html_cell_number_text(file, linear_words(bar).text);
        html_cell_number(file, bar->sampled, 3);
        html_cell(file, words_of("%.6g to %.6g", bar->low, bar->high).text);
        html_row_end(file);
    }
    html_table_end(file);
    html_between(file, "<p>", warning(bars).text, "</p>\n");
}
