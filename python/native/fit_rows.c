/* Coefficients from rows of measured impacts, by libcarom-fit. */
#include <math.h>
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

/* A fit that is set up. */
typedef struct Setup {
    Source source;
    CaromFitData data;
    CaromFitOptions options;
    CaromFitParameter wanted[CAROM_FIT_PARAMETERS_MAX];
} Setup;

static void set_up(const Shape *shape, const Source *source, int loss, int count,
                   const FitParameter *parameters, Setup *setup) {
    setup->source = *source;
    setup->data = (CaromFitData){(size_t)shape->count, read_row, &setup->source, 0};
    for (int i = 0; i < count; i++) {
        const FitParameter *from = &parameters[i];
        CaromFitParameter *to = &setup->wanted[i];
        *to = carom_fit_parameter((CaromCoefficient)from->coefficient, from->contact);
        to->low = isnan(from->low) ? to->low : from->low;
        to->high = isnan(from->high) ? to->high : from->high;
        to->start = from->start;
    }
    setup->options = carom_fit_options_default();
    setup->options.loss = (CaromFitLoss)loss;
    setup->options.crew = crew_create(shape->threads);
    setup->options.run = setup->options.crew ? run_parts : NULL;
}

int rows_fit(const Shape *shape, const Problems *problems, const Rows *after, const Rows *sigma,
             const Rows *velocity_sigma, int loss, int count, const FitParameter *parameters,
             const FitOut *out) {
    const Source source = {shape, problems, after, sigma, velocity_sigma};
    Setup setup;
    CaromFitResult result;
    set_up(shape, &source, loss, count, parameters, &setup);
    CaromStatus status =
        carom_fit(&setup.data, setup.wanted, count, &setup.options, out->distances, &result);
    crew_free(setup.options.crew);
    write_fit(&result, count, out);
    return status;
}

int rows_validate(const Shape *shape, const Problems *problems, const Rows *after,
                  const Rows *sigma, const Rows *velocity_sigma, int loss, int count,
                  const FitParameter *parameters, int folds, double *squares, double *numbers,
                  char *message) {
    const Source source = {shape, problems, after, sigma, velocity_sigma};
    Setup setup;
    CaromFitValidation result;
    set_up(shape, &source, loss, count, parameters, &setup);
    CaromStatus status = carom_fit_validate(&setup.data, setup.wanted, count, &setup.options, folds,
                                            squares, &result);
    crew_free(setup.options.crew);
    numbers[0] = result.rms;
    numbers[1] = result.error;
    memcpy(message, result.message, sizeof result.message);
    return status;
}

#endif
