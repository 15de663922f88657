/* The part of a scene's page with its pictures. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_PICTURES_H
#define CAROM_CLI_REPORT_PAGE_PAGE_PICTURES_H

#include "plot/plot.h"
#include "report/page/page_parts.h"

/* All pictures of a scene; one that could not be drawn has no svg. */
typedef struct PagePictures {
    size_t count;
    PlotKind kinds[PLOT_KINDS_MAX];
    PlotPicture pictures[PLOT_KINDS_MAX];
    Error error; /* the first reason why one could not be drawn; "": none */
} PagePictures;

/* Draw the scene in all its kinds. End with page_pictures_free(). */
void page_pictures_draw(const ReportPage *page, PagePictures *pictures);
void page_pictures_free(PagePictures *pictures);

void page_pictures(FILE *file, const ReportPage *page, const PagePictures *pictures);

#endif
