/* The outcomes of a scene as a picture: a scatter of two components. */
#include "outcomes/outcomes_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "outcomes/outcomes_report.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

enum { WIDTH = 720, HEIGHT = 680 };

/* Range of a component relative to its scale. */
static double spread(const Outcomes *outcomes, int i) {
    return (outcomes_high(outcomes, i) - outcomes_low(outcomes, i)) / outcomes->scale[i];
}

/* The two components with the largest spread; of equals the first. */
static void find_axes(const Outcomes *outcomes, int axes[2]) {
    int count = outcomes->components.count;
    axes[0] = 0;
    for (int i = 1; i < count; i++) {
        axes[0] = spread(outcomes, i) > (1 + 1e-9) * spread(outcomes, axes[0]) ? i : axes[0];
    }
    axes[1] = axes[0] == 0 && count > 1 ? 1 : 0;
    for (int i = axes[1] + 1; i < count; i++) {
        bool wider = spread(outcomes, i) > (1 + 1e-9) * spread(outcomes, axes[1]);
        axes[1] = i != axes[0] && wider ? i : axes[1];
    }
}

static void write_points(const char *name, const OutcomeSet *set, const int axes[2], FILE *script) {
    fprintf(script, "$%s << END\n", name);
    for (int i = 0; i < set->count; i++) {
        const double *row = &set->values[(size_t)i * (size_t)set->size];
        fprintf(script, "%.9g %.9g\n", row[axes[0]], row[axes[1]]);
    }
    fputs("END\n", script);
}

/* A range with a margin, also where all values are the same. */
static void write_range(const Outcomes *outcomes, char axis, int component, FILE *script) {
    double low = outcomes_low(outcomes, component), high = outcomes_high(outcomes, component);
    double margin = fmax(0.06 * (high - low), 1e-3 * outcomes->scale[component]);
    margin = margin > 0 ? margin : 1;
    fprintf(script, "set %crange [%.9g:%.9g]\nset %clabel ", axis, low - margin, high + margin,
            axis);
    gnuplot_text(script, components_name(&outcomes->components, component).text);
    fputs(" noenhanced\n", script);
}

static void write_script(const Outcomes *outcomes, const PictureFormat *format, const char *heading,
                         const int axes[2], FILE *script) {
    picture_begin(format, WIDTH, HEIGHT, script);
    fprintf(script,
            "point = %g\nset border 31 lw 0.8\nset tics nomirror\nset lmargin at screen 0.145\n"
            "set rmargin at screen 0.955\nset bmargin at screen 0.24\nset tmargin at screen 0.92\n"
            "set key at screen 0.1,0.14 top left vertical Left reverse maxrows 2 spacing 1.3 "
            "samplen 2 noenhanced\nset title ",
            format->point);
    gnuplot_text(script, heading);
    fputs(" . ': outcomes' noenhanced\n", script);
    write_range(outcomes, 'x', axes[0], script);
    write_range(outcomes, 'y', axes[1], script);
    write_points("stiffness", &outcomes->stiffness, axes, script);
    write_points("orders", &outcomes->orders, axes, script);
    fputs("plot $stiffness with points pt 1 ps 0.8*point lc rgb '#0072B2' title ", script);
    gnuplot_text(script,
                 words_of("all at once: %d stiffness ratios", outcomes->stiffness.count).text);
    fputs(", $orders with points pt 6 ps 1.6*point lw 1.5 lc rgb '#D55E00' title ", script);
    gnuplot_text(script, words_of("one after another: %d orders", outcomes->orders.count).text);
    fputc('\n', script);
}

/* The picture in words. */
static void describe(const Outcomes *outcomes, const int axes[2], char *text, size_t size) {
    const OutcomeSet *sets[] = {&outcomes->orders, &outcomes->stiffness};
    Words names[2];
    for (int k = 0; k < 2; k++) {
        names[k] = components_name(&outcomes->components, axes[k]);
    }
    int length = snprintf(text, size,
                          "Outcomes of the impact in the two most uncertain components, %s to the "
                          "right and %s upwards.",
                          names[0].text, names[1].text);
    for (int s = 0; s < 2; s++) {
        Words cases = s == 0 ? outcomes_order_words(outcomes) : outcomes_stiffness_words(outcomes);
        length +=
            snprintf(text + length, size - (size_t)length,
                     " %s (%s): %s; %s from %.5g to %.5g, %s from %.5g to %.5g.",
                     s == 0 ? "One after another" : "All at once", s == 0 ? "circles" : "crosses",
                     cases.text, names[0].text, sets[s]->low[axes[0]], sets[s]->high[axes[0]],
                     names[1].text, sets[s]->low[axes[1]], sets[s]->high[axes[1]]);
    }
}

static bool write_picture(const Outcomes *outcomes, const char *source_name, const char *path,
                          Error *error) {
    char heading[512], title[600], description[2048];
    int axes[2];
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    find_axes(outcomes, axes);
    picture_heading(outcomes->scene->name, source_name, heading, sizeof heading);
    snprintf(title, sizeof title, "%s: outcomes", heading);
    describe(outcomes, axes, description, sizeof description);
    write_script(outcomes, picture_format(path), heading, axes, script);
    bool good = picture_write(path, script, title, description, error);
    fclose(script);
    return good;
}

int outcomes_draw(const Scene *scene, const char *source_name, const char *path, Error *error) {
    OutcomesOptions options = outcomes_options_default();
    Outcomes outcomes;
    CaromStatus solved;
    options.count = OUTCOMES_COUNT;
    int status =
        outcomes_compute(scene, &options, document_name(source_name), &outcomes, &solved, error);
    if (status == 0 && !write_picture(&outcomes, source_name, path, error)) {
        status = 2;
    }
    outcomes_free(&outcomes);
    return status;
}
