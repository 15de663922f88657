/* Coefficients from rows of measured impacts, by libcarom-fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch/crew.h"
#include "rows.h"

#ifdef CAROM_HAS_FIT
#include <carom/fit.h>

enum { SIZE_MAX_ROW = 3 * CAROM_FIT_CONTACTS_MAX };

typedef struct Source {
    const Shape *shape;
    const Problems *problems;
    const Rows *after, *sigma, *velocity_sigma;
} Source;

/* What a row points to, until its thread reads the next. */
typedef struct RowRoom {
    CaromContact contacts[CAROM_FIT_CONTACTS_MAX];
    double offset[SIZE_MAX_ROW], value[SIZE_MAX_ROW], sigma[SIZE_MAX_ROW];
    double gain[SIZE_MAX_ROW * SIZE_MAX_ROW];
} RowRoom;

/* Velocities after are v + W I. Those that are NaN were not measured. */
static void read_row(const void *context, size_t index, CaromFitRow *row) {
    static _Thread_local RowRoom room;
    const Source *source = context;
    const Shape *shape = source->shape;
    int64_t at = (int64_t)index;
    int m = problems_size(source->problems);
    const double *after = rows_at(shape, source->after, at);
    const double *sigma = rows_at(shape, source->sigma, at);
    CaromProblem problem = problems_at(shape, source->problems, at, room.contacts);
    row->problem = problem;
    row->count = 0;
    for (int i = 0; i < m; i++) {
        if (isnan(after[i])) {
            continue;
        }
        room.offset[row->count] = problem.velocity[i];
        room.value[row->count] = after[i];
        room.sigma[row->count] = sigma ? sigma[i] : 0;
        memcpy(&room.gain[row->count * m], &problem.inverse_inertia[i * m],
               (size_t)m * sizeof(double));
        row->count++;
    }
    row->offset = room.offset;
    row->gain = room.gain;
    row->value = room.value;
    row->sigma = sigma ? room.sigma : NULL;
    row->velocity_sigma = rows_at(shape, source->velocity_sigma, at);
}

static void run_parts(void *crew, int count, CaromFitPart *part, void *context) {
    crew_run(crew, count, part, context);
}

static void write_fit(const CaromFitResult *result, int count, const FitOut *out) {
    for (int i = 0; i < count; i++) {
        const CaromFitEstimate *from = &result->parameters[i];
        const double numbers[4] = {from->value, from->standard_error, from->low, from->high};
        memcpy(&out->estimates[4 * i], numbers, sizeof numbers);
        out->flags[3 * i] = from->identified;
        out->flags[3 * i + 1] = from->profiled;
        out->flags[3 * i + 2] = from->linear;
        memcpy(&out->reasons[FIT_REASON * i], from->reason, sizeof from->reason);
        memcpy(&out->covariance[count * i], &result->covariance[CAROM_FIT_PARAMETERS_MAX * i],
               (size_t)count * sizeof(double));
    }
    out->numbers[0] = result->rms;
    out->numbers[1] = result->chi2;
    out->numbers[2] = result->scale;
    const int64_t counts[6] = {(int64_t)result->rows,    (int64_t)result->residuals,
                               result->minima,           result->differences,
                               (int64_t)result->slipped, (int64_t)result->stuck};
    memcpy(out->counts, counts, sizeof counts);
    memcpy(out->message, result->message, sizeof result->message);
}

_Static_assert(sizeof((CaromFitEstimate *)0)->reason == FIT_REASON, "room for a reason");

int rows_fit(const Shape *shape, const Problems *problems, const Rows *after, const Rows *sigma,
             const Rows *velocity_sigma, int loss, int count, const FitParameter *parameters,
             const FitOut *out) {
    Source source = {shape, problems, after, sigma, velocity_sigma};
    CaromFitData data = {(size_t)shape->count, read_row, &source};
    CaromFitOptions options = carom_fit_options_default();
    CaromFitParameter wanted[CAROM_FIT_PARAMETERS_MAX];
    CaromFitResult result;
    for (int i = 0; i < count; i++) {
        wanted[i] =
            carom_fit_parameter((CaromCoefficient)parameters[i].coefficient, parameters[i].contact);
        wanted[i].low = isnan(parameters[i].low) ? wanted[i].low : parameters[i].low;
        wanted[i].high = isnan(parameters[i].high) ? wanted[i].high : parameters[i].high;
        wanted[i].start = parameters[i].start;
    }
    options.loss = (CaromFitLoss)loss;
    options.crew = crew_create(shape->threads);
    options.run = options.crew ? run_parts : NULL;
    CaromStatus status = carom_fit(&data, wanted, count, &options, out->distances, &result);
    crew_free(options.crew);
    write_fit(&result, count, out);
    return status;
}

#else

int rows_fit(const Shape *shape, const Problems *problems, const Rows *after, const Rows *sigma,
             const Rows *velocity_sigma, int loss, int count, const FitParameter *parameters,
             const FitOut *out) {
    (void)shape, (void)problems, (void)after, (void)sigma, (void)velocity_sigma, (void)loss;
    (void)count, (void)parameters;
    snprintf(out->message, FIT_MESSAGE,
             "this build has no fit: cminpack was missing (Debian: libcminpack-dev)");
    return CAROM_INVALID_INPUT;
}

#endif
