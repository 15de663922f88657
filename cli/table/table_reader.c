/* Reading a table. */
#include "table/table_reader.h"

#include "table/csv_table.h"
#include "table/npy_table.h"
#include "table/table_format.h"
#include "table/table_module.h"

TableReader *table_open(const char *path, Error *error) {
    switch (table_format(path)) {
    case TABLE_NPY:
        return npy_table_open(path, error);
    case TABLE_NPZ:
        return table_module_open(TABLE_MODULE_NPZ, path, error);
    case TABLE_HDF5:
        return table_module_open(TABLE_MODULE_HDF5, path, error);
    default:
        return csv_table_open(path, error);
    }
}

void table_close(TableReader *reader) {
    if (reader) {
        reader->close(reader);
    }
}
