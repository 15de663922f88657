/* Joining tables with the same columns. */
#ifndef CAROM_CLI_TABLE_TABLE_JOIN_H
#define CAROM_CLI_TABLE_TABLE_JOIN_H

#include "table/table_reader.h"
#include "table/table_writer.h"

/* Sees the last column of a row, NaN where it is not a number. False: see error. */
typedef bool TableSee(void *context, double last, Error *error);

/* Copy at most so many rows of a table to the end of another, which has the same columns without
 * the last one, which see() gets. Returns the number of rows, -1: see error. */
long long table_join_copy(TableReader *reader, TableWriter *writer, long long most, TableSee *see,
                          void *context, Error *error);

#endif
