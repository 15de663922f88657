/* Other minima that fit as well: then the data do not choose between the values there. */
#ifndef CAROM_FIT_ESTIMATE_RIVALS_H
#define CAROM_FIT_ESTIMATE_RIVALS_H

#include "estimate/errors.h"
#include "estimate/starts.h"

/* Descend from the other ends again, with the weights that the task has now. One that comes lower
 * by enough to matter takes the place of x. Returns the passes over the data. */
int crm_rivals_descend(const Task *task, Starts *starts, double *x, DescentEnd *end);

/* Extend intervals to the rivals of x that fit within 95 %, too; a parameter that has much of its
 * interval from a rival is not identified. */
void crm_rivals_judge(const Task *task, const Starts *starts, double objective,
                      const Errors *errors, CaromFitEstimate *estimates);

#endif
