/* The output of a shard. */
#include "batch/shard_output.h"

#include <string.h>

#include "batch/batch_run.h"

bool shard_output_is_other(const char *path, unsigned long long first_row) {
    Error error; /* what cannot be read is not a shard */
    TableReader *reader = table_open(path, &error);
    TableChunk chunk = {0};
    TableView view = {0};
    double row = (double)first_row;
    int last = reader ? reader->columns.count - 1 : -1;
    if (last >= 0 && strcmp(reader->columns.list[last].name, BATCH_ROW) == 0 &&
        reader->next(reader, &chunk, 1, &error) == 1) {
        table_view_number(&view, last, 0);
        reader->read(reader, &chunk, 0, 1, &view, &row, sizeof row, NULL);
    }
    table_chunk_free(&chunk);
    table_close(reader);
    return row != (double)first_row;
}
