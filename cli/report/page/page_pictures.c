/* The part of a scene's page with its pictures. */
#include "report/page/page_pictures.h"

#include <ctype.h>

#include "io/html.h"
#include "io/progress.h"
#include "plot/plot_run.h"
#include "report/page/page_bars.h"

void page_pictures_draw(const ReportPage *page, PagePictures *pictures) {
    PlotRun run;
    *pictures = (PagePictures){0};
    progress_show("%s: sampling", page->file_name); /* many contacts take their time */
    if (plot_run_make(page->scene, page->solution, &run, &pictures->error) >= 0) {
        pictures->count = plot_kinds_of(page->scene, pictures->kinds);
        for (size_t i = 0; i < pictures->count; i++) {
            const char *kind = pictures->kinds[i].name;
            Error error;
            progress_show("%s: picture %zu of %zu, %s", page->file_name, i + 1, pictures->count,
                          kind);
            if (!plot_draw_svg(&run, page->file_name, kind, &pictures->pictures[i], &error) &&
                !pictures->error.text[0]) {
                pictures->error = error;
            }
        }
        plot_run_free(&run);
    }
    progress_end();
}

void page_pictures_free(PagePictures *pictures) {
    for (size_t i = 0; i < pictures->count; i++) {
        plot_picture_free(&pictures->pictures[i]);
    }
    *pictures = (PagePictures){0};
}

static void write_picture(FILE *file, const PlotKind *kind, const PlotPicture *picture) {
    char caption[1024];
    snprintf(caption, sizeof caption, "%s. %s", kind->title, kind->explanation);
    caption[0] = (char)toupper((unsigned char)caption[0]);
    html_picture_embed(file, picture->svg, picture->size, picture->description, caption);
}

void page_pictures(FILE *file, const ReportPage *page, const PagePictures *pictures) {
    fputs("<h2>Pictures</h2>\n", file);
    if (pictures->error.text[0]) {
        html_between(file, "<p class=\"warn\">Pictures are missing: ", pictures->error.text,
                     ".</p>\n");
    }
    if (!scene_has_process(page->scene, page->solution->method)) {
        page_bars(file, page);
    }
    if (pictures->count == 0) {
        return;
    }
    if (page->solution->method != CAROM_METHOD_EXACT) {
        fputs("<p>They show the exact process, whatever the method of the numbers.</p>\n", file);
    }
    fputs("<div class=\"pictures\">\n", file);
    for (size_t i = 0; i < pictures->count; i++) {
        if (pictures->pictures[i].svg) {
            write_picture(file, &pictures->kinds[i], &pictures->pictures[i]);
        }
    }
    fputs("</div>\n", file);
}
