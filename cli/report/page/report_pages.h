/* The directory of carom solve --report: a page for each scene, named after the scene's file, and
 * an index if there are several scenes. */
#ifndef CAROM_CLI_REPORT_PAGE_REPORT_PAGES_H
#define CAROM_CLI_REPORT_PAGE_REPORT_PAGES_H

#include "report/page/page_parts.h"

/* The line of a scene in the index. */
typedef struct ReportEntry {
    char *page;  /* the page's file name in the directory */
    char *title; /* NULL: no page was written */
    char *note;  /* an error or a warning; NULL: none */
    int contacts;
    double lost[3]; /* lost energy, to friction, in the normal direction; parts of that before */
} ReportEntry;

/* Owns the entries. */
typedef struct ReportPages {
    const char *directory;
    char **paths; /* of the scenes, as on the command line */
    int count;
    ReportEntry *entries;
} ReportPages;

/* Name the pages of the scenes at paths, which must stay valid; all names differ. False: out of
 * memory. */
bool report_pages_create(const char *directory, char **paths, int count, ReportPages *pages);

/* Draw and write the page of a scene, in a directory that is made if necessary. Errors go to
 * standard error; the path goes to standard output if tell is true. Returns the exit status: 0
 * written, possibly without pictures; 2 not written. */
int report_pages_write(ReportPages *pages, int index, const ReportPage *page, bool tell);

/* Note for the index why a scene has no page. */
void report_pages_skip(ReportPages *pages, int index, const char *message);

/* Write the index of several scenes, unless there is no page; as report_pages_write(). */
int report_pages_finish(const ReportPages *pages, bool tell);

void report_pages_free(ReportPages *pages);

/* The name of a scene's file without directories; standard input is called scene.json. */
const char *report_pages_file_name(const char *path);

#endif
