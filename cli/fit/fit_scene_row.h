/* A measured impact as a template scene with numbers replaced: cells of a table, a record of
 * numbers, a row of the fit. */
#ifndef CAROM_CLI_FIT_FIT_SCENE_ROW_H
#define CAROM_CLI_FIT_FIT_SCENE_ROW_H

#include <carom/fit.h>

#include "fit/fit_columns.h"
#include "fit/fit_reading.h"

/* The problem that the scene becomes. */
typedef struct FitSceneRow {
    CaromProblem problem; /* points into memory of the row, as all below */
    int count;
    const double *offset, *gain, *value, *sigma;
    bool known; /* sigmas are given; else they are relative (fit_weight.h) */
    double *memory;
    CaromContact *contacts;
    int uncertain_count;
    CaromFitUncertain *uncertain; /* with memory of their own, behind them */
} FitSceneRow;

/* What the records of a template have in common. */
typedef struct FitSceneShape {
    CaromProblem problem; /* model, law, number of contacts; its pointers are not used */
    size_t memory;        /* numbers of W, v, offset and gain */
    int numbers;          /* measured, at most */
    int uncertain;        /* inputs, at most */
    bool known;           /* sigmas are given; else they are relative */
    bool mixed;           /* relative and not all the same: numbers of different units */
    size_t width;         /* of a record */
} FitSceneShape;

/* Memory of one thread for what is not numbers. */
typedef struct FitSceneRoom {
    CaromContact contacts[CAROM_FIT_CONTACTS_MAX];
    CaromFitUncertain uncertain[CAROM_FIT_UNCERTAIN_MAX];
} FitSceneRoom;

/* Fill in the template and read it. Empty cells of paths keep the template's number. False: see
 * *error; nothing is to be freed. */
bool fit_scene_row_read(const FitColumns *columns, const CsvField *fields,
                        const FitReading *reading, FitSceneRow *row, Error *error);
void fit_scene_row_free(FitSceneRow *row);

/* The shape of all rows, by the first one. */
FitSceneShape fit_scene_shape(const FitColumns *columns, const FitSceneRow *row);

/* A row as a record of shape->width numbers. False: it has another shape. */
bool fit_scene_pack(const FitSceneShape *shape, const FitSceneRow *row, double *record,
                    Error *error);

/* A record as a row of the fit; both room and record must live as long. */
void fit_scene_fill(const FitSceneShape *shape, const double *record, FitSceneRoom *room,
                    CaromFitRow *row);

#endif
