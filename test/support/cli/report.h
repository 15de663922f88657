/* The directory of reports in a test's work directory. */
#ifndef CAROM_TEST_CLI_REPORT_H
#define CAROM_TEST_CLI_REPORT_H

#include <stdbool.h>

/* Path of a file in it; lives as that of work_path(). */
const char *report_path(const char *name);

bool report_exists(void);

int report_file_count(void);

/* Test teardown: remove the directory and its files. */
int report_remove(void **state);

/* A page, checked by check_markup(); free() it. */
char *report_page(const char *name);

#endif
