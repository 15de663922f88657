/* A measured impact given by W and v: cells of a table, a record of numbers, a row of the fit. */
#ifndef CAROM_CLI_FIT_FIT_PLAIN_ROW_H
#define CAROM_CLI_FIT_FIT_PLAIN_ROW_H

#include <carom/fit.h>

#include "fit/fit_columns.h"
#include "fit/fit_reading.h"

/* Numbers only. Those that were not measured are NAN. */
typedef struct FitPlainRow {
    double W[6], v[3], after[3];
    double mu, mu_static, e, stiffness_ratio;
    double sigma[3], velocity_sigma[3], W_sigma[6];
    double model, law; /* CaromModel, CaromLaw */
} FitPlainRow;

enum { FIT_PLAIN_NUMBERS = sizeof(FitPlainRow) / sizeof(double) };

/* What a record has: width numbers, columns[i] being the place in a FitPlainRow of number i; all
 * others are those of standard. */
typedef struct FitPlainLayout {
    int width, columns[FIT_PLAIN_NUMBERS];
    FitPlainRow standard;
    bool has_sigma, has_velocity_sigma, has_W_sigma;
    double sigma; /* of all rows; 0: by column, or not known */
    bool sigma_percent;
} FitPlainLayout;

/* Memory of one thread, besides that of the CaromFitRow: what errors of W need. */
typedef struct FitPlainRoom {
    CaromFitUncertain uncertain[6];
    double by_W[6][9], gain[6][9], zero[3];
} FitPlainRoom;

FitPlainLayout fit_plain_layout(const FitColumns *columns, const FitReading *reading);

/* Cells into a record of layout->width numbers; layout->standard is set, too. False: *error names
 * the column. */
bool fit_plain_read(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                    FitPlainLayout *layout, double *record, Error *error);

/* The numbers of a record. */
void fit_plain_unpack(const FitPlainLayout *layout, const double *record, FitPlainRow *plain);

/* A record as a row of the fit. */
void fit_plain_fill(const FitPlainLayout *layout, const double *record, FitPlainRoom *room,
                    CaromFitRow *row);

#endif
