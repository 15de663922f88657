/* Tables as one NumPy array of records (.npy). */
#ifndef CAROM_CLI_TABLE_NPY_TABLE_H
#define CAROM_CLI_TABLE_NPY_TABLE_H

#include "table/table_reader.h"
#include "table/table_writer.h"

TableReader *npy_table_open(const char *path, Error *error);
TableWriter *npy_table_create(const char *path, const TableColumns *columns, Error *error);

#endif
