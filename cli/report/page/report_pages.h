/* The directory of carom solve --report: a page for each scene, named after the scene's file, and
 * with several scenes an index of them. */
#ifndef CAROM_CLI_REPORT_PAGES_H
#define CAROM_CLI_REPORT_PAGES_H

#include "report/page/report_page.h"

/* What the index says of a scene. */
typedef struct ReportEntry {
    char *page;  /* the page's file name in the directory */
    char *title; /* NULL: no page was written */
    char *note;  /* what is wrong; NULL: nothing */
    int contacts;
    double lost[3]; /* energy lost, to friction, in the normal direction: parts of that before */
} ReportEntry;

/* Owns the entries. */
typedef struct ReportPages {
    const char *directory;
    char **paths; /* of the scenes, as on the command line */
    int count;
    ReportEntry *entries;
} ReportPages;

/* Name the pages of the scenes at paths, which must stay. Two pages never have the same name.
 * False: no memory. */
bool report_pages_create(const char *directory, char **paths, int count, ReportPages *pages);

/* Draw and write the page of a scene by its index; makes the directory if it is not there. What is
 * wrong is said on standard error; where is told on standard output, if tell. Answers with the exit
 * status: 0 written, if need be without pictures; 2 not written. */
int report_pages_write(ReportPages *pages, int index, const ReportPage *page, bool tell);

/* Keep for the index why a scene has no page. */
void report_pages_skip(ReportPages *pages, int index, const char *message);

/* The index of several scenes; as report_pages_write(). None if no page was written. */
int report_pages_finish(const ReportPages *pages, bool tell);

void report_pages_free(ReportPages *pages);

/* A scene's file without its directories; standard input is called scene.json. */
const char *report_pages_file_name(const char *path);

#endif
