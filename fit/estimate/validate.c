/* Cross validation. */
#include <carom/fit.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "estimate/row.h"

/* The rows of a fold, or all others. Row i is in fold i % folds: neighbours, which may have been
 * measured alike, are in different ones. */
typedef struct Fold {
    const CaromFitData *data;
    size_t fold, folds;
} Fold;

static void read_others(const void *source, size_t index, CaromFitRow *row) {
    const Fold *fold = source;
    /* index counts the rows outside the fold */
    size_t group = index / (fold->folds - 1), place = index % (fold->folds - 1);
    place += place >= fold->fold;
    fold->data->read(fold->data->source, group * fold->folds + place, row);
}

static size_t count_others(const Fold *fold) {
    size_t rows = fold->data->rows, whole = rows / fold->folds, rest = rows % fold->folds;
    return whole * (fold->folds - 1) + rest - (rest > fold->fold);
}

static CaromStatus fail(CaromFitValidation *result, CaromStatus status, const char *message) {
    snprintf(result->message, sizeof result->message, "%s", message);
    result->rms = result->error = NAN;
    result->status = status;
    return status;
}

/* Sums over rows of the mean squared residual. */
typedef struct Sums {
    double total, squares;
    size_t rows;
} Sums;

/* Predict a fold. False: a row has no outcome. */
static bool predict(const Fold *fold, RowRoom *room, const CaromFitParameter *parameters, int count,
                    const double *values, double *each, Sums *sums) {
    for (size_t i = fold->fold; i < fold->data->rows; i += fold->folds) {
        double square = 0;
        fold->data->read(fold->data->source, i, &room->row);
        if (each) {
            each[i] = NAN;
        }
        if (room->row.count == 0) {
            continue;
        }
        if (crm_row_predict(room, parameters, count, values, false, false) < 0) {
            return false;
        }
        for (int k = 0; k < room->row.count; k++) {
            double sigma = room->row.sigma ? room->row.sigma[k] : 1;
            double r = (room->predicted[k] - room->row.value[k]) / sigma;
            square += r * r / room->row.count;
        }
        if (each) {
            each[i] = square;
        }
        sums->total += square;
        sums->squares += square * square;
        sums->rows++;
    }
    return true;
}

static CaromStatus run(const CaromFitData *data, const CaromFitParameter *parameters, int count,
                       const CaromFitOptions *options, int folds, double *squares, RowRoom *room,
                       CaromFitValidation *result) {
    CaromFitOptions quick = options ? *options : carom_fit_options_default();
    CaromFitResult fit;
    Sums sums = {0};
    quick.no_profile = 1;
    for (int f = 0; f < folds; f++) {
        Fold fold = {data, (size_t)f, (size_t)folds};
        const CaromFitData others = {count_others(&fold), read_others, &fold, data->room};
        double values[CAROM_FIT_PARAMETERS_MAX];
        if (carom_fit(&others, parameters, count, &quick, NULL, &fit) < 0) {
            return fail(result, fit.status, fit.message);
        }
        for (int k = 0; k < count; k++) {
            values[k] = fit.parameters[k].value;
        }
        if (!predict(&fold, room, parameters, count, values, squares, &sums)) {
            return fail(result, CAROM_NOT_CONVERGED, "a row that was kept back has no outcome");
        }
    }
    double n = (double)sums.rows, mean = sums.total / n;
    result->rows = sums.rows;
    result->rms = sqrt(mean);
    result->error = sqrt(fmax(sums.squares / n - mean * mean, 0) / n) / (2 * result->rms);
    return CAROM_OK;
}

CaromStatus carom_fit_validate(const CaromFitData *data, const CaromFitParameter *parameters,
                               int count, const CaromFitOptions *options, int folds,
                               double *squares, CaromFitValidation *result) {
    if (!result) {
        return CAROM_INVALID_INPUT;
    }
    *result = (CaromFitValidation){0};
    if (!data || !data->read || !parameters || folds < 2 || folds > 100 ||
        data->rows < 2 * (size_t)folds) {
        return fail(result, CAROM_INVALID_INPUT,
                    "cross validation needs 2 to 100 folds and two "
                    "rows for each");
    }
    RowRoom *room = crm_row_room(data->room);
    CaromStatus status = room ? run(data, parameters, count, options, folds, squares, room, result)
                              : fail(result, CAROM_INVALID_INPUT, "out of memory");
    crm_row_room_free(room);
    return status;
}
