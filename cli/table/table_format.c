/* The format of a table. */
#include "table/table_format.h"

#include <stddef.h>
#include <string.h>

TableFormat table_format(const char *path) {
    static const struct {
        const char *end;
        TableFormat format;
    } list[] = {
        {".npy", TABLE_NPY}, {".npz", TABLE_NPZ}, {".h5", TABLE_HDF5}, {".hdf5", TABLE_HDF5}};
    size_t length = path ? strlen(path) : 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t end = strlen(list[i].end);
        if (length > end && strcmp(path + length - end, list[i].end) == 0) {
            return list[i].format;
        }
    }
    return TABLE_CSV;
}
