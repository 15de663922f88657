/* The result of a fit as a page: tables and pictures, one HTML file. */
#ifndef CAROM_CLI_FIT_FIT_PAGE_H
#define CAROM_CLI_FIT_FIT_PAGE_H

#include "fit/fit_run.h"

/* Write fit.html into a directory, which is made if it does not exist. Pictures need gnuplot.
 * False: see *error. */
bool fit_page(const char *directory, const char *name, const FitRun *run, Error *error);

#endif
