/* Names of outputs that all kinds of rows share, and the list of --columns. */
#ifndef CAROM_CLI_BATCH_BATCH_NAMES_H
#define CAROM_CLI_BATCH_BATCH_NAMES_H

#include <carom/carom.h>

#include "base/error.h"
#include "table/table.h"

enum { BATCH_ENERGIES = 7, BATCH_STATUS_BYTES = 24, BATCH_MESSAGE_BYTES = 256 };

/* The energy account as columns and as numbers. */
extern const char *const batch_energy_names[BATCH_ENERGIES];
void batch_energy_numbers(const CaromEnergy *energy, double numbers[BATCH_ENERGIES]);

/* Call add() for each name of a comma-separated list, until one is refused. */
typedef bool BatchAddName(void *context, const char *name, Error *error);
bool batch_names_read(const char *list, BatchAddName *add, void *context, Error *error);

#endif
