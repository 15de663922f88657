/* Common to the parts of a scene's page. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_PARTS_H
#define CAROM_CLI_REPORT_PAGE_PAGE_PARTS_H

#include <stdio.h>

#include "base/words.h"
#include "sensitivity/uncertainty.h"
#include "solve/solution.h"

/* The subject of a page. Nothing is owned. */
typedef struct ReportPage {
    const char *file_name; /* of the scene, without directories */
    const char *bytes;     /* the scene's file */
    size_t size;
    const CaromOptions *options;
    const Scene *scene;
    const Solution *solution;       /* with a result */
    const Sensitivity *sensitivity; /* NULL: not wanted */
    const ErrorBars *error_bars;    /* likewise */
} ReportPage;

/* The scene's name, or if it has none its file's. */
const char *page_title(const ReportPage *page);

/* Most rows of a table; page_more() says how many are left out. */
enum { PAGE_ROWS = 100 };
void page_more(FILE *file, int count, const char *what);

/* A table of more rows than PAGE_ROWS_OPEN is folded away behind a summary. */
enum { PAGE_ROWS_OPEN = 12 };
void page_fold_begin(FILE *file, int count, const char *summary);
void page_fold_end(FILE *file, int count);

/* The title of a contact in a table: "0: ball hits table". */
Words page_contact_title(const Scene *scene, int contact);

#endif
