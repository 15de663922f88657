/* Tables of comma-separated values. */
#ifndef CAROM_CLI_TABLE_CSV_TABLE_H
#define CAROM_CLI_TABLE_CSV_TABLE_H

#include "table/table_reader.h"
#include "table/table_writer.h"

TableReader *csv_table_open(const char *path, Error *error);
TableWriter *csv_table_create(const char *path, const TableColumns *columns, Error *error);

#endif
