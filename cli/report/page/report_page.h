/* carom solve --report: a page (HTML) that tells all about a solved scene, ready to be sent to a
 * colleague: one file, with its pictures and the scene itself. */
#ifndef CAROM_CLI_REPORT_PAGE_H
#define CAROM_CLI_REPORT_PAGE_H

#include <stdio.h>

#include "plot/plot.h"
#include "solve/solution.h"

/* What a page is about. Nothing is owned. */
typedef struct ReportPage {
    const char *file_name; /* of the scene, without directories */
    const char *bytes;     /* the scene as it was given */
    size_t size;
    const CaromOptions *options;
    const Scene *scene;
    const Solution *solution; /* with a result */
} ReportPage;

/* A picture of the scene; its svg is NULL if it could not be drawn. */
typedef struct PagePicture {
    PlotKind kind;
    PlotPicture picture;
} PagePicture;

/* All pictures of the scene. */
typedef struct PagePictures {
    size_t count;
    PagePicture pictures[PLOT_KINDS_MAX];
    char why[512]; /* one could not be drawn; "": all were */
} PagePictures;

/* Draw the scene in every kind that it has. End with page_pictures_free(). */
void page_pictures_draw(const ReportPage *page, PagePictures *pictures);
void page_pictures_free(PagePictures *pictures);

/* The page with its pictures into a file at path, which is replaced only by a complete one. False:
 * why (size > 0) is the reason, without the path. */
bool report_page_write(const ReportPage *page, const PagePictures *pictures, const char *path,
                       char *why, size_t size);

/* The parts of a page, each with its headings. */
void report_page_given(FILE *file, const ReportPage *page);
void report_page_course(FILE *file, const ReportPage *page);
void report_page_motion(FILE *file, const ReportPage *page);
void report_page_energy(FILE *file, const ReportPage *page);
void report_page_pictures(FILE *file, const ReportPage *page, const PagePictures *pictures);

/* Most rows of a table; what is beyond them is in the scene and the result, which the page carries.
 * A last line says how many there are. */
enum { PAGE_ROWS = 100 };
void report_page_more(FILE *file, int count, const char *what);

/* What is between the two is folded away behind the summary if it is a table of so many rows that
 * what follows would be out of sight. */
enum { PAGE_ROWS_OPEN = 12 };
void report_page_fold_begin(FILE *file, int count, const char *summary);
void report_page_fold_end(FILE *file, int count);

/* The scene's name, or else its file's. */
const char *report_page_title(const ReportPage *page);

#endif
