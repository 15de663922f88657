/* carom measure: the procedures by name. */
#ifndef CAROM_CLI_MEASURE_MEASURE_RUN_H
#define CAROM_CLI_MEASURE_MEASURE_RUN_H

#include <stdbool.h>

#include <carom/measure.h>

#include "base/error.h"

/* Options of all procedures. Numbers that are not given are NAN, but where 0 is said. */
typedef struct MeasureSettings {
    double sigma; /* 0: not given */
    int as_printed;
    double struck; /* mass ratio of the pendulum's target; 0: it hit a fixed body */
    double gravity;
    double stiffness, stretch, rest, mass;
    double sigma_stiffness, sigma_mass; /* 0: exact */
    long springs;
    double radius, mu_slide, mu_roll;
    double time;       /* of a tumbling body */
    double inertia[3]; /* of a tumbling body: principal moments */
} MeasureSettings;

enum { MEASURE_NUMBERS_MAX = 12 };

/* A number of the result, with the name that it has in files. */
typedef struct MeasureNumber {
    const char *name;
    CaromMeasured measured;
} MeasureNumber;

typedef struct MeasureResult {
    const char *what; /* the first number in words */
    int count;        /* >= 1; the first is the result */
    MeasureNumber numbers[MEASURE_NUMBERS_MAX];
} MeasureResult;

/* The names of the procedures; ends with NULL. */
extern const char *const measure_kinds[];

/* Run a procedure on the arguments: numbers, pairs A:B, or a file. False: see *error. */
bool measure_run(const char *kind, char *const *arguments, int count,
                 const MeasureSettings *settings, MeasureResult *result, Error *error);

#endif
