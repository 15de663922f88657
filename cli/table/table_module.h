/* Formats that need a library are modules (io/module.h).
 */
#ifndef CAROM_CLI_TABLE_TABLE_MODULE_H
#define CAROM_CLI_TABLE_TABLE_MODULE_H

#include "table/table_reader.h"
#include "table/table_writer.h"

/* What a module has, under these names. */
typedef TableReader *TableModuleOpen(const char *path, Error *error);
typedef TableWriter *TableModuleCreate(const char *path, const TableColumns *columns, Error *error);
TableModuleOpen carom_table_open;
TableModuleCreate carom_table_create;

#define TABLE_MODULE_NPZ "carom-npz.so"
#define TABLE_MODULE_HDF5 "carom-hdf5.so"

/* Load the module of a file's name and call it. NULL: see error. */
TableReader *table_module_open(const char *module, const char *path, Error *error);
TableWriter *table_module_create(const char *module, const char *path, const TableColumns *columns,
                                 Error *error);

#endif
