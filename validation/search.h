/* The same search for the best coefficients of every model: Nelder and Mead's, from several starts,
 * without derivatives, because engines have none. */
#ifndef CAROM_VALIDATION_SEARCH_H
#define CAROM_VALIDATION_SEARCH_H

#include "impact.h"

/* Coefficients with the least mean error over the impacts. Returns that error; INFINITY: none. */
double search_best(const Model *model, const Impact *impacts, int count, double *coefficients);

/* Mean error over the impacts; each (may be NULL) gets the error of every impact. */
double search_error(const Model *model, const Impact *impacts, int count,
                    const double *coefficients, double *each);

#endif
