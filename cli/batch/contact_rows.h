/* Rows that are single contacts: W, v and coefficients. */
#ifndef CAROM_CLI_BATCH_CONTACT_ROWS_H
#define CAROM_CLI_BATCH_CONTACT_ROWS_H

#include "base/error.h"
#include "batch/batch_rows.h"

/* columns: the outputs that are wanted, as --columns has them; NULL: the usual ones. NULL: see
 * error. */
BatchRows *contact_rows_create(const TableColumns *given, const char *columns, Error *error);

#endif
