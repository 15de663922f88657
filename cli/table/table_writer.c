/* Writing a table. */
#include "table/table_writer.h"

#include "table/csv_table.h"
#include "table/npy_table.h"
#include "table/table_format.h"
#include "table/table_module.h"

bool table_is_typed(const char *path) {
    return table_format(path) != TABLE_CSV;
}

TableWriter *table_create(const char *path, const TableColumns *columns, Error *error) {
    switch (table_format(path)) {
    case TABLE_NPY:
        return npy_table_create(path, columns, error);
    case TABLE_NPZ:
        return table_module_create(TABLE_MODULE_NPZ, path, columns, error);
    case TABLE_HDF5:
        return table_module_create(TABLE_MODULE_HDF5, path, columns, error);
    default:
        return csv_table_create(path, columns, error);
    }
}

void table_writer_close(TableWriter *writer) {
    if (writer) {
        writer->close(writer);
    }
}
