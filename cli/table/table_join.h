/* Joining tables with the same columns. */
#ifndef CAROM_CLI_TABLE_TABLE_JOIN_H
#define CAROM_CLI_TABLE_TABLE_JOIN_H

#include "table/table_reader.h"
#include "table/table_writer.h"

/* Copy at most so many rows of a table to the end of another, which has the same columns, or fewer:
 * the reader's last ones are then left out. see() gets the cells of each row; NULL: not wanted.
 * Returns the number of rows, -1: see error. */
typedef void TableSee(void *context, const TableCell *cells);
long long table_join_copy(TableReader *reader, TableWriter *writer, long long most, TableSee *see,
                          void *context, Error *error);

#endif
