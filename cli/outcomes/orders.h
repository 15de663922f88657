/* Outcomes over the orders of impacts. */
#ifndef CAROM_CLI_OUTCOMES_ORDERS_H
#define CAROM_CLI_OUTCOMES_ORDERS_H

#include "outcomes/outcomes.h"

/* Fill outcomes->orders: all orders if they are no more than options.count, else a random sample of
 * that number, with the fastest contact first in its first one. False: out of memory. */
bool orders_compute(Outcomes *outcomes, const char *name);

#endif
