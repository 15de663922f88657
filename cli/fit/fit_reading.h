/* How a table of measured impacts is to be read. */
#ifndef CAROM_CLI_FIT_FIT_READING_H
#define CAROM_CLI_FIT_FIT_READING_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <carom/derivative.h>

typedef struct FitReading {
    const char *group;  /* name of the column of groups */
    json_t *document;   /* the template; NULL: none */
    int model, law;     /* given on the command line; -1: by row, or the template's */
    double sigma;       /* of all measured numbers; 0: by column or not known */
    bool sigma_percent; /* of the row's largest speed before */
    bool fitted[CAROM_COEFFICIENT_COUNT]; /* columns that may be missing */
    size_t memory;                        /* bytes of rows in memory, as in fit_spool.h */
} FitReading;

#endif
