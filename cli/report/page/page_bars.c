#include "report/page/page_bars.h"

#include <math.h>
#include <stdlib.h>

#include "io/html.h"
#include "plot/plot_sheet.h"
#include "report/words/outcome_words.h"

/* Sizes in pixels: title of a contact, longest bar, height of a bar, of a contact's bars. */
enum { TITLE = 60, LONGEST = 320, BAR = 11, TOP = 24, WIDTH = TITLE + LONGEST + 90 };

/* Two or more numbers at each contact, as lengths. */
typedef struct Bars {
    const char *caption;
    int count; /* for each contact */
    const char *names[4], *colours[4];
    double (*length)(const ReportPage *page, int contact, int bar);
} Bars;

static double impulse_of(const ReportPage *page, int contact, int bar) {
    int rows = scene_rows(page->scene);
    const double *I = &page->solution->result.impulse[rows * contact];
    return bar == 0 ? I[rows - 1] : report_tangential(I, rows);
}

static double speed_of(const ReportPage *page, int contact, int bar) {
    int rows = scene_rows(page->scene);
    const double *v = bar % 2 ? page->solution->result.velocity : page->scene->velocity;
    v += rows * contact;
    return bar < 2 ? fabs(v[rows - 1]) : report_tangential(v, rows);
}

static void write_bar(FILE *svg, const Bars *bars, int bar, double y, double length, double most) {
    double width = most > 0 ? LONGEST * length / most : 0;
    fprintf(svg,
            "<rect x=\"%d\" y=\"%g\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
            "<text x=\"%.1f\" y=\"%g\">%.4g</text>\n",
            TITLE, y, width, BAR - 2, bars->colours[bar], TITLE + width + 5, y + BAR - 3, length);
}

static void write_svg(FILE *svg, const ReportPage *page, const Bars *bars, int contacts) {
    int step = (bars->count + 1) * BAR;
    double most = 0;
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"10\" "
            "font-family=\"sans-serif\" fill=\"" PLOT_GREY "\">\n",
            WIDTH, TOP + step * contacts);
    for (int i = 0; i < contacts * bars->count; i++) {
        most = fmax(most, bars->length(page, i / bars->count, i % bars->count));
    }
    for (int k = 0; k < bars->count; k++) {
        int x = TITLE + 105 * k;
        fprintf(svg,
                "<rect x=\"%d\" y=\"5\" width=\"9\" height=\"9\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"13\">%s</text>\n",
                x, bars->colours[k], x + 13, bars->names[k]);
    }
    for (int i = 0; i < contacts; i++) {
        fprintf(svg, "<text x=\"0\" y=\"%d\">contact %d</text>\n", TOP + step * i + BAR - 3, i);
        for (int k = 0; k < bars->count; k++) {
            write_bar(svg, bars, k, TOP + step * i + BAR * k, bars->length(page, i, k), most);
        }
    }
    fputs("</svg>\n", svg);
}

static void write_bars(FILE *file, const ReportPage *page, const Bars *bars) {
    int contacts = page->scene->contact_count;
    char *text = NULL;
    size_t size = 0;
    FILE *svg = open_memstream(&text, &size);
    if (!svg) {
        return;
    }
    write_svg(svg, page, bars, contacts < PAGE_ROWS ? contacts : PAGE_ROWS);
    if (fclose(svg) == 0) {
        html_picture_embed(file, text, size, bars->caption, bars->caption);
    }
    free(text);
}

void page_bars(FILE *file, const ReportPage *page) {
    static const Bars impulses = {.caption = "Impulses at the contacts",
                                  .count = 2,
                                  .names = {"normal", "tangential"},
                                  .colours = {PLOT_BLUE, PLOT_ORANGE},
                                  .length = impulse_of};
    static const Bars speeds = {
        .caption = "Speeds at the contacts",
        .count = 4,
        .names = {"normal before", "normal after", "sliding before", "sliding after"},
        .colours = {PLOT_SKY, PLOT_BLUE, PLOT_ORANGE, PLOT_VERMILION},
        .length = speed_of};
    html_element(file, "p",
                 "Several rigid contacts at impulse level have no process between before and "
                 "after, so there is no path of impulses or velocities to draw.");
    fputs("<div class=\"pictures\">\n", file);
    write_bars(file, page, &impulses);
    write_bars(file, page, &speeds);
    fputs("</div>\n", file);
}
