/* What the general calls use of the compliant model: one contact with 3 rows (t1, t2, n), or 2
 * (t, n) in a planar problem. */
#ifndef CAROM_COMPLIANT_COMPLIANT_H
#define CAROM_COMPLIANT_COMPLIANT_H

#include <carom/trace.h>

/* Check the input, all but the definiteness of W. */
CaromStatus compliant_check(const double *W, const double *v, int rows, const CaromContact *contact,
                            const char **message);

CaromStatus compliant_solve(const double *W, const double *v, int rows, const CaromContact *contact,
                            CaromResult *result);

CaromStatus compliant_trace(const double *W, const double *v, int rows, const CaromContact *contact,
                            CaromTrace *trace, CaromResult *result);

#endif
