/* The result of a fit as text and JSON. */
#ifndef CAROM_CLI_FIT_FIT_REPORT_H
#define CAROM_CLI_FIT_FIT_REPORT_H

#include <stdio.h>

#include "fit/fit_run.h"

/* Rows whose residuals exceed so many standard deviations do not fit; at most so many are shown. */
#define FIT_OUTLIER 4.0
enum { FIT_OUTLIERS_SHOWN = 20 };

/* A row that does not fit. */
typedef struct FitOutlier {
    size_t row;      /* of the group */
    double distance; /* in standard deviations */
} FitOutlier;

/* The worst rows of a group, worst first; returns how many there are, of which up to
 * FIT_OUTLIERS_SHOWN are stored. */
size_t fit_report_outliers(const FitGroup *group, FitOutlier *outliers);

void fit_report_text(FILE *file, const char *name, const FitRun *run);

/* One line. False: out of memory. */
bool fit_report_json(FILE *file, const FitRun *run);

#endif
