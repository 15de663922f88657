/* From measured impacts to coefficients: mu, e and stiffnesses by least squares.
 *
 * Part of libcarom-fit, a library of its own. A row is one measured impact: the problem in contact
 * space and any numbers measured after it that are linear in the impulse (contact velocities,
 * velocities of bodies, speeds of a mechanism). The sum of squared residuals is minimised by
 * Levenberg and Marquardt's method with the exact derivatives of carom/derivative.h, from several
 * starts, because the objective has kinks where a sequence of events changes. docs/fit.md has the
 * statistics.
 *
 * The functions allocate working memory and free it; they keep nothing and print nothing. The
 * result depends on the data and the options alone, not on the number of threads. */
#ifndef CAROM_FIT_H
#define CAROM_FIT_H

#include <stddef.h>

#include <carom/derivative.h>
#include <carom/problem.h>
#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most parameters of a fit, contacts of a row, and numbers measured in a row. */
#define CAROM_FIT_PARAMETERS_MAX 16
#define CAROM_FIT_CONTACTS_MAX 8
#define CAROM_FIT_MEASURED_MAX 64

/* Most uncertain inputs of a row, besides the velocity before. */
#define CAROM_FIT_UNCERTAIN_MAX 32

/* CaromFitParameter.contact: the same value at every contact. */
#define CAROM_FIT_ALL_CONTACTS (-1)

/* A coefficient to be found. Start from carom_fit_parameter(). */
typedef struct CaromFitParameter {
    CaromCoefficient coefficient; /* not CAROM_COEFFICIENT_MU_STATIC: outcomes do not depend on it
                                     smoothly */
    int contact;                  /* index, or CAROM_FIT_ALL_CONTACTS */
    double low, high;             /* bounds; equal: the value is given */
    double start;                 /* NAN: several starts between the bounds */
} CaromFitParameter;

/* Bounds: mu in [0, 10], e in [0, 1], stiffness and stiffness_ratio in [1e-3, 1e3]; start NAN. */
CAROM_API CaromFitParameter carom_fit_parameter(CaromCoefficient coefficient, int contact);

/* An input of a row that is not exact (a mass, a position, an angle): what the row's numbers change
 * by it. m: as many numbers as the impulse has. */
typedef struct CaromFitUncertain {
    double sigma;                  /* standard deviation, >= 0 */
    const double *inverse_inertia; /* derivatives of W, m x m, */
    const double *velocity;        /* of the velocity before, m, */
    const double *offset, *gain;   /* of offset and gain below, laid out alike */
} CaromFitUncertain;

/* A measured impact. Predicted are offset + gain I, I being the impulse. */
typedef struct CaromFitRow {
    CaromProblem problem; /* coefficients that are fitted are replaced */
    int count;            /* of measured numbers, 0 to CAROM_FIT_MEASURED_MAX; 0: left out */
    const double *offset; /* count */
    const double *gain;   /* count rows of as many numbers as I has */
    const double *value;  /* count, measured */
    const double *sigma;  /* count, standard deviations, > 0; NULL: the same unknown one for all */
    /* Standard deviations of the velocity before the impact (as many as it has); NULL: exact. Their
     * effect on the numbers after is propagated to first order, through the impulse and, where a
     * number is a contact velocity (its gain is a row of W), its offset. Other numbers need
     * `uncertain`. */
    const double *velocity_sigma;
    /* Other inputs that are not exact, each independent of all others; propagated likewise. The
     * library sets the count to 0 before the first row is read. */
    int uncertain_count; /* 0 to CAROM_FIT_UNCERTAIN_MAX */
    const CaromFitUncertain *uncertain;
    /* Room that the reader may use for one contact; the library does not look at it. */
    double numbers[48];
    CaromContact contact;
    /* More room: CaromFitData.room bytes that only this thread uses, zeroed before its first row,
     * then left to the reader; NULL if there are none. */
    void *room;
} CaromFitRow;

/* The data: read() fills row number index. Called from several threads at once if options.run is
 * set, each with a row of its own; what the row points to must live until that thread's next call.
 */
typedef void CaromFitRead(const void *source, size_t index, CaromFitRow *row);

typedef struct CaromFitData {
    size_t rows;
    CaromFitRead *read;
    const void *source;
    size_t room; /* bytes that the reader wants in CaromFitRow.room: a buffer of a file; 0: none */
} CaromFitData;

/* How residuals count. */
typedef enum CaromFitLoss {
    CAROM_FIT_SQUARES = 0,
    CAROM_FIT_HUBER = 1, /* rows beyond 1.345 standard deviations count linearly */
    CAROM_FIT_CAUCHY = 2 /* rows far out count next to nothing */
} CaromFitLoss;

/* Call part(0, context) ... part(count - 1, context), each once, in any order, on any threads. */
typedef void CaromFitPart(int part, void *context);
typedef void CaromFitRun(void *crew, int count, CaromFitPart *part, void *context);

typedef struct CaromFitOptions {
    CaromFitLoss loss;
    int starts;         /* 0: four, and four for each parameter; for a stiffness eight */
    int sigma_relative; /* 1: the sigmas of rows only say how their numbers compare; the scatter of
                           the residuals gives their common factor */
    int no_profile;     /* 1: intervals from standard errors alone; so it is above 20,000 rows */
    CaromFitRun *run;   /* NULL: on the caller's thread */
    void *crew;         /* passed to run */
} CaromFitOptions;

CAROM_API CaromFitOptions carom_fit_options_default(void);

/* A parameter as the data have it. */
typedef struct CaromFitEstimate {
    double value;
    /* The larger of the linear one (from J^T J and the scatter of the residuals, not below the
     * given sigmas) and that by leaving out one row after another. NAN: not identified, or not
     * known (one row without a sigma). */
    double standard_error;
    double low, high; /* 95 % interval, within the bounds */
    int profiled;     /* 1: the interval is where the sum of squares, minimised over all others,
                         rises by as much; 0: value -+ 1.96 standard errors, or Student's
                         quantile where no sigma is given */
    int linear;       /* 1: the profiled interval is that of the standard error, within a fifth */
    int identified;   /* 0: the data cannot tell this parameter; reason says why */
    char reason[192]; /* "" if identified */
} CaromFitEstimate;

typedef struct CaromFitResult {
    CaromStatus status;
    char message[256]; /* what is wrong; "" */
    size_t rows;       /* used: with a measured number */
    size_t residuals;  /* measured numbers */
    CaromFitEstimate parameters[CAROM_FIT_PARAMETERS_MAX];
    /* by rows, CAROM_FIT_PARAMETERS_MAX apart; NAN where a parameter is not identified */
    double correlation[CAROM_FIT_PARAMETERS_MAX * CAROM_FIT_PARAMETERS_MAX];
    double covariance[CAROM_FIT_PARAMETERS_MAX * CAROM_FIT_PARAMETERS_MAX];
    double rms;  /* of measured minus predicted */
    double chi2; /* sum of squares in units of sigma; sigma 1 where none is given */
    int sigma_given;
    double scale;          /* standard deviation of a residual, in units of sigma, by the median */
    int passes;            /* over the data, with derivatives */
    int differences;       /* 1: some rows were differentiated by differences of the outcome */
    int starts, minima;    /* starts, and distinct minima that they led to */
    size_t slipped, stuck; /* rows that slipped throughout, and that ended sticking */
} CaromFitResult;

/* Fit. distances (data->rows numbers, may be NULL) gets each row's root mean square residual in
 * units of result->scale times sigma: what is beyond 4 does not fit; NAN for a row without a
 * number.
 *
 * CAROM_INVALID_INPUT: bad parameters or bounds, too few measured numbers, a row that cannot be
 * solved (message names it, counted from 0) or measured numbers that are not finite.
 * CAROM_NOT_CONVERGED: no start came to a minimum. Then numbers are NAN. */
CAROM_API CaromStatus carom_fit(const CaromFitData *data, const CaromFitParameter *parameters,
                                int count, const CaromFitOptions *options, double *distances,
                                CaromFitResult *result);

/* The numbers of a row predicted with given values of the parameters; *sequence (may be NULL, else
 * CAROM_SEQUENCE_SIZE characters) is the sequence of events. The status is that of the solve. */
CAROM_API CaromStatus carom_fit_predict(const CaromFitRow *row, const CaromFitParameter *parameters,
                                        int count, const double *values, double *predicted,
                                        char *sequence);

/* Errors of prediction on rows that were kept back. */
typedef struct CaromFitValidation {
    CaromStatus status;
    char message[256];
    size_t rows;
    double rms;   /* of measured minus predicted, over all numbers, in units of sigma if given */
    double error; /* standard error of the mean square, as an error of rms */
} CaromFitValidation;

/* Cross validation: the rows are dealt out into folds, 2 to 100; each fold is predicted by a fit to
 * the others. squares (data->rows numbers, may be NULL) gets each row's mean squared residual, to
 * compare two models row by row. */
CAROM_API CaromStatus carom_fit_validate(const CaromFitData *data,
                                         const CaromFitParameter *parameters, int count,
                                         const CaromFitOptions *options, int folds, double *squares,
                                         CaromFitValidation *result);

#ifdef __cplusplus
}
#endif

#endif
