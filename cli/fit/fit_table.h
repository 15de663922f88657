/* A table of measured impacts in memory: what carom fit works on.
 *
 * Rows with W and v are kept as the numbers that the file has: 96 bytes with W, v and the velocity
 * after; rows of a template scene as the problem that the scene becomes. */
#ifndef CAROM_CLI_FIT_FIT_TABLE_H
#define CAROM_CLI_FIT_FIT_TABLE_H

#include <carom/fit.h>

#include "fit/fit_columns.h"

/* Most groups. */
enum { FIT_GROUPS_MAX = 1000 };

/* How the table is to be read. */
typedef struct FitReading {
    const char *group;  /* name of the column of groups */
    json_t *document;   /* the template; NULL: none */
    int model, law;     /* given on the command line; -1: by row, or the template's */
    double sigma;       /* of all measured numbers; 0: by column or not known */
    bool sigma_percent; /* of the row's largest speed before */
    bool fitted[CAROM_COEFFICIENT_COUNT]; /* columns that may be missing */
} FitReading;

/* A row of a template. */
typedef struct FitSceneRow {
    CaromProblem problem; /* points into memory of the row, as all below */
    int count;
    const double *offset, *gain, *value, *sigma;
    double *memory;
    CaromContact *contacts;
    int uncertain_count;
    CaromFitUncertain *uncertain; /* with memory of their own, behind them */
} FitSceneRow;

/* A row with W and v, numbers only. Those that were not measured are NAN. */
typedef struct FitPlainRow {
    double W[6], v[3], after[3];
    double mu, mu_static, e, stiffness_ratio;
    double sigma[3], velocity_sigma[3];
    double model, law; /* CaromModel, CaromLaw */
} FitPlainRow;

enum { FIT_NUMBERS = sizeof(FitPlainRow) / sizeof(double) };

/* Owns everything. */
typedef struct FitTable {
    size_t rows, capacity;
    bool from_scene;
    /* rows with W and v: width numbers each, columns[i] being the place in a FitPlainRow of number
     * i; all others are those of standard */
    int width, columns[FIT_NUMBERS];
    FitPlainRow standard;
    double *numbers;
    FitSceneRow *scenes;
    bool has_sigma, has_velocity_sigma;
    double sigma; /* of all rows; 0: by column, or not known */
    bool sigma_percent;
    unsigned short *group; /* of each row; NULL: there is no column of groups */
    int group_count;
    char *group_names[FIT_GROUPS_MAX];
    char unused[512];
} FitTable;

/* Read a file (NULL: standard input). False: see *error, which names line and column.
 * fit_table_free() in any case. */
bool fit_table_read(const char *path, const FitReading *reading, FitTable *table, Error *error);
void fit_table_free(FitTable *table);

/* A row with W and v. */
void fit_table_plain(const FitTable *table, size_t row, FitPlainRow *plain);

/* The line of a row in the file. */
size_t fit_table_line(size_t row);

/* A CaromFitRead, with a FitView as source. order: the rows of a group; NULL: all. model, law: in
 * place of those of the rows; -1: theirs. */
typedef struct FitView {
    const FitTable *table;
    const size_t *order;
    int model, law;
} FitView;

void fit_table_row(const void *view, size_t index, CaromFitRow *row);

#endif
