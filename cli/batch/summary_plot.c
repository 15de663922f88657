/* A summary as a picture. */
#include "batch/summary_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

enum { PANEL_WIDTH = 400, PANEL_HEIGHT = 270, HEADING_HEIGHT = 40, BARS = 10, TICKS = 8 };

/* A string of gnuplot without markup. */
static void write_text(FILE *script, const char *before, const char *text) {
    fputs(before, script);
    gnuplot_text(script, text);
    fputs(" noenhanced\n", script);
}

/* Shares in percent, between the thousandth and the last thousandth: a few far away would make all
 * others one bar. */
static void draw_numbers(const SummaryNumbers *numbers, const char *name, FILE *script) {
    const SummaryBins *bins = numbers->bins;
    double width = ldexp(1, bins->power), low = summary_quantile(numbers, 0.001);
    double high = summary_quantile(numbers, 0.999), room = fmax((high - low) / 40, 2 * width);
    /* bins that are next to each other, together, so that some 60 are shown */
    int together = (int)fmax(1, floor((high - low) / width / 60));
    double box = together * width;
    if (!(high > low)) { /* one value only: a bar that can be seen */
        room = 0.05 * fmax(fabs(low), 1);
        box = room / 5;
    }
    write_text(script, "set title ", name);
    write_text(script, "set xlabel ",
               words_of("median %.4g, 5 %% %.4g, 95 %% %.4g", summary_quantile(numbers, 0.5),
                        summary_quantile(numbers, 0.05), summary_quantile(numbers, 0.95))
                   .text);
    fputs("$bars << END\n", script);
    for (int i = 0; i < SUMMARY_BINS; i += together) {
        unsigned long long sum = 0;
        for (int k = i; k < i + together && k < SUMMARY_BINS; k++) {
            sum += bins->counts[k];
        }
        double middle = ((double)(bins->first + i) + 0.5 * together) * width;
        if (sum > 0) {
            fprintf(script, "%.9g %.9g\n", middle, 100 * (double)sum / (double)numbers->count);
        }
    }
    fprintf(script,
            "END\nset xrange [%.9g:%.9g]\nset yrange [0:*]\nset xtics auto\nset ylabel 'rows, %%'\n"
            "set style fill solid 0.8 noborder\n"
            "plot $bars using 1:2:(%.9g) with boxes lc rgb '#3b528b'\n",
            low - room, high + room, box);
}

/* Frequencies, the most frequent first. */
static void draw_texts(const Summary *summary, const SummaryTexts *texts, const char *name,
                       FILE *script) {
    int order[SUMMARY_TEXTS], shown = texts->count < BARS ? texts->count : BARS;
    summary_order(texts, order);
    write_text(
        script, "set title ",
        words_of(texts->count > shown || texts->others > 0 ? "%s, the %d most frequent" : "%s",
                 name, shown)
            .text);
    fputs("unset xlabel\nset xtics rotate by -35 noenhanced (", script);
    for (int k = 0; k < shown; k++) {
        const char *text = texts->list[order[k]];
        fputs(k > 0 ? ", " : "", script);
        gnuplot_text(script, text[0] ? text : "(none)");
        fprintf(script, " %d", k);
    }
    fputs(")\n$bars << END\n", script);
    for (int k = 0; k < shown; k++) {
        fprintf(script, "%d %.9g\n", k,
                100 * (double)texts->times[order[k]] / (double)summary->rows);
    }
    fprintf(script,
            "END\nset xrange [-0.7:%g]\nset yrange [0:*]\nset ylabel 'rows, %%'\n"
            "set style fill solid 0.8 noborder\n"
            "plot $bars using 1:2:(0.7) with boxes lc rgb '#21918c'\n",
            fmax(shown, 3) - 0.3);
}

/* An axis of a map; a geometric one by its logarithm, as cells are equal. */
static double axis_value(const SummaryAxis *axis, long index) {
    double from = axis->geometric ? log10(axis->from) : axis->from;
    double to = axis->geometric ? log10(axis->to) : axis->to;
    return from + (to - from) * (double)index / (double)(axis->count - 1);
}

static void write_axis(const SummaryAxis *axis, char letter, FILE *script) {
    double half = 0.5 * (axis_value(axis, 1) - axis_value(axis, 0));
    fprintf(script, "set %crange [%.9g:%.9g]\nset %clabel ", letter, axis_value(axis, 0) - half,
            axis_value(axis, axis->count - 1) + half, letter);
    gnuplot_text(script, words_of(axis->geometric ? "log10 %s" : "%s", axis->name).text);
    fputs(" noenhanced\n", script);
}

static void write_cells(const SummaryAxis *axes, const double *map, FILE *script) {
    fputs("$map << END\n", script);
    for (long i = 0; i < axes[0].count; i++) {
        for (long k = 0; k < axes[1].count; k++) {
            double value = map[i * axes[1].count + k];
            fprintf(script, "%.9g %.9g ", axis_value(&axes[0], i), axis_value(&axes[1], k));
            fprintf(script, isfinite(value) ? "%.9g\n" : "NaN\n", value);
        }
        fputc('\n', script);
    }
    fputs("END\n", script);
}

/* Steps of colour for texts, the same again where there are more. */
static void write_text_colours(const SummaryTexts *texts, FILE *script) {
    static const char *const colours[] = {"#440154", "#3b8fc2", "#5ec962", "#fde725",
                                          "#d95f02", "#9e9e9e", "#e7298a", "#00441b"};
    enum { COLOURS = sizeof colours / sizeof *colours };
    int count = texts->count > 0 ? texts->count : 1, step = 1 + (count - 1) / TICKS;
    fputs("set palette defined (", script);
    for (int k = 0; k < count; k++) {
        fprintf(script, "%s%d '%s', %d '%s'", k > 0 ? ", " : "", k, colours[k % COLOURS], k + 1,
                colours[k % COLOURS]);
    }
    fprintf(script, ")\nset cbrange [-0.5:%g]\nset cbtics noenhanced (", count - 0.5);
    for (int k = 0; k < texts->count; k += step) {
        fputs(k > 0 ? ", " : "", script);
        gnuplot_text(script, texts->list[k][0] ? texts->list[k] : "(none)");
        fprintf(script, " %d", k);
    }
    fputs(")\n", script);
}

static void write_number_colours(const SummaryNumbers *numbers, FILE *script) {
    double margin = 1e-3 * fmax(fabs(numbers->least), 1);
    fputs("set palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', "
          "1 '#fde725')\nset cbtics auto\n",
          script);
    if (numbers->greatest > numbers->least) {
        fprintf(script, "set cbrange [%.9g:%.9g]\n", numbers->least, numbers->greatest);
    } else {
        fprintf(script, "set cbrange [%.9g:%.9g]\n", numbers->least - margin,
                numbers->least + margin);
    }
}

static void draw_map(const Summary *summary, int column, FILE *script) {
    const SummaryAxis *axes = summary->plan->axes;
    write_text(script, "set title ", summary->columns->list[column].name);
    if (summary->columns->list[column].kind == TABLE_TEXT) {
        write_text_colours(&summary->texts[column], script);
    } else {
        write_number_colours(&summary->numbers[column], script);
    }
    fputs("set xtics auto\n", script);
    write_axis(&axes[0], 'x', script);
    write_axis(&axes[1], 'y', script);
    write_cells(axes, summary->maps[column], script);
    fputs("plot $map using 1:2:3 with image\n", script);
}

/* Is there anything to draw of a column? */
static bool is_drawn(const Summary *summary, int column) {
    return column >= summary->plan->skipped &&
           (summary->columns->list[column].kind == TABLE_TEXT ? summary->texts[column].count
                                                              : summary->numbers[column].count > 0);
}

/* The picture in words, for readers who cannot see it. */
static void describe(const Summary *summary, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "Summary of %llu rows.", summary->rows);
    for (int i = 0, panel = 0; i < summary->columns->count && panel < SUMMARY_PANELS; i++) {
        const TableColumn *column = &summary->columns->list[i];
        const SummaryNumbers *numbers = &summary->numbers[i];
        const SummaryTexts *texts = &summary->texts[i];
        int order[SUMMARY_TEXTS];
        if (!is_drawn(summary, i) || length >= size) {
            continue;
        }
        panel++;
        if (column->kind != TABLE_TEXT) {
            length += (size_t)snprintf(
                text + length, size - length, " %s: %.4g to %.4g, median %.4g.", column->name,
                numbers->least, numbers->greatest, summary_quantile(numbers, 0.5));
            continue;
        }
        summary_order(texts, order);
        length += (size_t)snprintf(text + length, size - length, " %s: most often %s, %.2f %%.",
                                   column->name, texts->list[order[0]],
                                   100 * (double)texts->times[order[0]] / (double)summary->rows);
    }
}

static void draw_panels(const Summary *summary, FILE *script) {
    fputs("set border 3 lw 0.8\nset tics nomirror out\nunset key\n"
          "set tmargin 2.5\nset bmargin 4\n",
          script);
    for (int i = 0, panel = 0; i < summary->columns->count && panel < SUMMARY_PANELS; i++) {
        const TableColumn *column = &summary->columns->list[i];
        if (!is_drawn(summary, i)) {
            continue;
        }
        panel++;
        if (summary->maps[i]) {
            draw_map(summary, i, script);
        } else if (column->kind == TABLE_TEXT) {
            draw_texts(summary, &summary->texts[i], column->name, script);
        } else {
            draw_numbers(&summary->numbers[i], column->name, script);
        }
    }
}

bool summary_plot(const Summary *summary, Error *error) {
    const SummaryPlan *plan = summary->plan;
    char heading[512], title[600], description[2048];
    int panels = 0;
    Error why;
    for (int i = 0; i < summary->columns->count; i++) {
        panels += is_drawn(summary, i) && panels < SUMMARY_PANELS;
    }
    if (panels == 0) {
        return error_set(error, "%s: there is nothing to draw", plan->plot);
    }
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    int across = panels == 1 ? 1 : panels <= 4 ? 2 : 3, down = (panels + across - 1) / across;
    picture_heading(plan->heading, "", heading, sizeof heading);
    snprintf(title, sizeof title, "%s: %llu rows", heading, summary->rows);
    describe(summary, description, sizeof description);
    picture_begin(picture_format(plan->plot), across * PANEL_WIDTH,
                  down * PANEL_HEIGHT + HEADING_HEIGHT, script);
    fprintf(script, "set multiplot layout %d,%d title ", down, across);
    gnuplot_text(script, title);
    fputs(" noenhanced\n", script);
    draw_panels(summary, script);
    fputs("unset multiplot\n", script);
    bool good = picture_write(plan->plot, script, title, description, &why) ||
                error_set(error, "%s: %s", plan->plot, why.text);
    fclose(script);
    return good;
}
