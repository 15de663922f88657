#include "sensitivity/sensitivity_picture.h"

#include <math.h>
#include <stdlib.h>

#include "io/html.h"

/* Sizes in pixels: the names of the numbers, the longest bar to each side, the height of a bar, the
 * legend; and the most numbers that are drawn. */
enum { NAMES = 190, REACH = 160, BAR_HEIGHT = 10, LEGEND = 16, NUMBERS_MAX = 24 };

/* Colours that are told apart in all kinds of colour vision. */
static const char *const COLOURS[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS };

typedef struct Chart {
    const Sensitivity *sensitivity;
    const int *shown;
    int count;
    int rows[NUMBERS_MAX], row_count; /* the numbers drawn */
    double most;                      /* the longest bar */
} Chart;

static double bar_of(const Chart *chart, int row, int k) {
    double percent =
        sensitivity_relative(chart->sensitivity, &chart->sensitivity->by[row], chart->shown[k]);
    return isfinite(percent) ? percent : 0;
}

static void choose_rows(Chart *chart) {
    for (int i = 0; i < chart->sensitivity->count && chart->row_count < NUMBERS_MAX; i++) {
        double largest = 0;
        for (int k = 0; k < chart->count; k++) {
            largest = fmax(largest, fabs(bar_of(chart, i, k)));
        }
        if (largest > 1e-9) {
            chart->rows[chart->row_count++] = i;
            chart->most = fmax(chart->most, largest);
        }
    }
}

static void write_legend(FILE *svg, const Chart *chart) {
    for (int k = 0; k < chart->count; k++) {
        int y = 4 + LEGEND * k;
        fprintf(svg,
                "<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"9\" fill=\"%s\"/><text x=\"%d\" "
                "y=\"%d\">",
                NAMES, y, COLOURS[k % COLOUR_COUNT], NAMES + 14, y + 8);
        html_text(svg, components_name(&chart->sensitivity->components, chart->shown[k]).text);
        fputs("</text>\n", svg);
    }
}

static void write_bar(FILE *svg, double value, double most, int k, int y) {
    double width = REACH * fabs(value) / most, zero = NAMES + REACH;
    double x = value < 0 ? zero - width : zero;
    fprintf(svg,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.3g</text>\n",
            x, y, width, BAR_HEIGHT - 2, COLOURS[k % COLOUR_COUNT],
            value < 0 ? x - 4 : x + width + 4, y + BAR_HEIGHT - 2, value < 0 ? "end" : "start",
            value);
}

static void write_chart(FILE *svg, const Chart *chart) {
    int top = LEGEND * chart->count + 10, step = (chart->count + 1) * BAR_HEIGHT;
    int height = top + step * chart->row_count, zero = NAMES + REACH;
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"10\" "
            "font-family=\"sans-serif\" fill=\"#808080\">\n",
            NAMES + 2 * REACH + 50, height);
    write_legend(svg, chart);
    for (int i = 0; i < chart->row_count; i++) {
        int y = top + step * i;
        fprintf(svg, "<text x=\"0\" y=\"%d\">", y + BAR_HEIGHT - 2);
        html_text(svg, chart->sensitivity->by[chart->rows[i]].path.text);
        fputs("</text>\n", svg);
        for (int k = 0; k < chart->count; k++) {
            double value = bar_of(chart, chart->rows[i], k);
            if (fabs(value) > 1e-9) {
                write_bar(svg, value, chart->most, k, y + BAR_HEIGHT * k);
            }
        }
    }
    fprintf(svg, "<path d=\"M%d %dV%d\" stroke=\"#808080\"/>\n</svg>\n", zero, top - 4, height);
}

void sensitivity_picture(FILE *file, const Sensitivity *sensitivity, const int *shown, int count) {
    static const char caption[] = "Per cent of change for one per cent of each number";
    Chart chart = {.sensitivity = sensitivity, .shown = shown, .count = count};
    char *text = NULL;
    size_t size = 0;
    choose_rows(&chart);
    FILE *svg = chart.row_count > 0 ? open_memstream(&text, &size) : NULL;
    if (!svg) {
        return;
    }
    write_chart(svg, &chart);
    if (fclose(svg) == 0) {
        fputs("<div class=\"pictures\">\n", file);
        html_picture_embed(file, text, size, "Bars of the sensitivities in the table below",
                           caption);
        fputs("</div>\n", file);
    }
    free(text);
}
