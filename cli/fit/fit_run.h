/* carom fit: the fits of all groups, and the comparison of models. */
#ifndef CAROM_CLI_FIT_FIT_RUN_H
#define CAROM_CLI_FIT_FIT_RUN_H

#include "fit/fit_notes.h"
#include "fit/fit_parameters.h"
#include "fit/fit_table.h"

/* A model and law by which the rows are fitted. */
typedef struct FitModel {
    const char *name;
    int model, law;
    bool add_ratio; /* stiffness_ratio is fitted besides the parameters */
} FitModel;

enum { FIT_MODELS_MAX = 5 };

/* One model of a comparison: errors on rows that were kept back. */
typedef struct FitComparison {
    FitModel model;
    CaromFitValidation validation;
    /* difference of the mean squared residuals from the best model's, row by row, as a difference
     * of rms, and its standard error */
    double worse, worse_error;
} FitComparison;

typedef struct FitGroup {
    const char *name;   /* "": there are no groups */
    size_t rows, first; /* of the table */
    double *distances;
    CaromFitResult fit;
    int comparison_count; /* 0: not wanted */
    FitComparison comparisons[FIT_MODELS_MAX];
} FitGroup;

/* Owns everything but table and parameters. */
typedef struct FitRun {
    FitTable *table;
    const FitParameters *parameters;
    int model, law; /* -1: by row */
    int folds;      /* of the comparison of models */
    FitNotes notes;
    int group_count;
    FitGroup *groups;
} FitRun;

typedef struct FitRunOptions {
    CaromFitLoss loss;
    int folds; /* parts in which rows are kept back to compare models; 0: no comparison */
    int threads;
} FitRunOptions;

/* Fit every group. False: see *error. The status of each fit is in its group. fit_run_free() in
 * any case. */
bool fit_run(const FitRunOptions *options, FitRun *run, Error *error);
void fit_run_free(FitRun *run);

/* The line in the file of a row of the group. */
size_t fit_run_line(const FitRun *run, const FitGroup *group, size_t row);

/* The rows of a group as the library reads them. */
FitView fit_run_view(const FitRun *run, const FitGroup *group);

/* The message of a failed fit with rows as lines of the file. */
Words fit_run_message(const FitRun *run, const FitGroup *group);

#endif
