/* Reading a table. */
#include "table/table_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/csv_table.h"
#include "table/npy_table.h"
#include "table/table_format.h"
#include "table/table_module.h"

bool table_chunk_reserve(TableChunk *chunk, size_t size) {
    if (size + 1 > chunk->size) {
        free(chunk->bytes);
        chunk->bytes = malloc(size + 1);
        chunk->size = chunk->bytes ? size + 1 : 0;
    }
    if (chunk->bytes) {
        chunk->bytes[size] = 0;
    }
    return chunk->bytes != NULL;
}

void table_chunk_free(TableChunk *chunk) {
    free(chunk->bytes);
    free(chunk->lines);
    *chunk = (TableChunk){0};
}

void table_view_number(TableView *view, int column, size_t offset) {
    view->numbers[view->number_count] = column;
    view->offsets[view->number_count++] = offset;
    view->number_of[column] = (short)view->number_count;
}

void table_view_cell(TableView *view, int column) {
    view->cells[view->cell_count++] = column;
    view->cell_of[column] = (short)view->cell_count;
}

void table_view_refuse(const TableView *view, char *record, TableCell *cells) {
    const double none = NAN;
    for (int k = 0; k < view->number_count; k++) {
        memcpy(record + view->offsets[k], &none, sizeof none);
    }
    for (int k = 0; k < view->cell_count; k++) {
        cells[k] = table_text("");
    }
}

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
