/* The pictures of a scene's page. */
#include <ctype.h>
#include <string.h>

#include "io/html.h"
#include "io/progress.h"
#include "plot/plot_run.h"
#include "report/page/report_page.h"

/* In every kind; the first reason why one cannot be drawn will do for all. */
static void draw_kinds(const ReportPage *page, const PlotRun *run, PagePictures *pictures) {
    PlotKind kinds[PLOT_KINDS_MAX];
    char why[sizeof pictures->why];
    pictures->count = plot_kinds_of(page->scene, kinds);
    for (size_t i = 0; i < pictures->count; i++) {
        PagePicture *one = &pictures->pictures[i];
        one->kind = kinds[i];
        progress_show("%s: picture %zu of %zu, %s", page->file_name, i + 1, pictures->count,
                      one->kind.name);
        if (!plot_draw_svg(run, page->file_name, one->kind.name, &one->picture, why, sizeof why) &&
            !pictures->why[0]) {
            memcpy(pictures->why, why, sizeof why);
        }
    }
}

void page_pictures_draw(const ReportPage *page, PagePictures *pictures) {
    PlotRun run;
    *pictures = (PagePictures){0};
    progress_show("%s: sampling", page->file_name); /* many contacts take their time */
    if (plot_run_make(page->scene, page->solution, &run, pictures->why, sizeof pictures->why) >=
        0) {
        draw_kinds(page, &run, pictures);
        plot_run_free(&run);
    }
    progress_end();
}

void page_pictures_free(PagePictures *pictures) {
    for (size_t i = 0; i < pictures->count; i++) {
        plot_picture_free(&pictures->pictures[i].picture);
    }
    *pictures = (PagePictures){0};
}

static void write_picture(FILE *file, const PagePicture *one) {
    char caption[1024];
    snprintf(caption, sizeof caption, "%s. %s", one->kind.title, one->kind.explanation);
    caption[0] = (char)toupper((unsigned char)caption[0]);
    html_picture_embed(file, one->picture.svg, one->picture.size, one->picture.description,
                       caption);
}

void report_page_pictures(FILE *file, const ReportPage *page, const PagePictures *pictures) {
    fputs("<h2>Pictures</h2>\n", file);
    if (pictures->why[0]) {
        fputs("<p class=\"warn\">Pictures are missing: ", file);
        html_text(file, pictures->why);
        fputs(".</p>\n", file);
    }
    if (pictures->count == 0) {
        return;
    }
    if (page->solution->method != CAROM_EXACT) {
        fputs("<p>They show the exact process, whatever the method of the numbers.</p>\n", file);
    }
    fputs("<div class=\"pictures\">\n", file);
    for (size_t i = 0; i < pictures->count; i++) {
        if (pictures->pictures[i].picture.svg) {
            write_picture(file, &pictures->pictures[i]);
        }
    }
    fputs("</div>\n", file);
}
