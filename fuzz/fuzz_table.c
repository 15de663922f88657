/* Fuzz target: arbitrary bytes as a table, CSV or .npy by the first byte; its rows to carom batch.
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused table has a message; every row is
 * emitted, with a known status, a success with finite numbers, a failure with NaN. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <carom/carom.h>

#include "batch/contact_rows.h"
#include "fuzz_reader.h"
#include "table/csv_table.h"
#include "table/npy_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Rows that are read and solved. */
enum { ROWS_MAX = 200 };

static TableChunk chunk;
static TableBuffer buffer;

/* Numbers of the outcome: impulse and velocity come first. */
static double number_of(const TableSource *source, int row) {
    double number;
    require(source->kind == TABLE_SOURCE_NUMBERS, "an impulse or velocity is a number");
    memcpy(&number, (const char *)source->first + (size_t)row * source->stride, sizeof number);
    return number;
}

static void check_row(const BatchRows *rows, const TableReader *reader, const BatchWork *work,
                      int row) {
    CaromStatus status = (CaromStatus)work->statuses[row];
    char reason[BATCH_REASON_SIZE] = "";
    require(strcmp(carom_status_string(status), "unknown_status") != 0, "unknown status");
    if (status < 0) {
        rows->explain(rows, reader, &chunk, row, reason);
        require(reason[0] != '\0', "a failure needs a reason");
    }
    for (int i = 0; i < 6; i++) {
        double number = number_of(&work->sources[rows->passed_count + i], row);
        require(status < 0 || isfinite(number), "a success must have finite numbers");
        require(status != CAROM_INVALID_INPUT || isnan(number), "a failure has none");
    }
}

/* The columns of the output. */
static void name_columns(const TableReader *reader, const BatchRows *rows, TableColumns *columns) {
    *columns = (TableColumns){.count = rows->passed_count + rows->columns.count};
    for (int i = 0; i < columns->count; i++) {
        columns->list[i] = i < rows->passed_count ? reader->columns.list[rows->passed[i]]
                                                  : rows->columns.list[i - rows->passed_count];
    }
}

static void solve_chunk(const TableReader *reader, const BatchRows *rows, BatchWork *work,
                        const TableColumns *columns) {
    TableMisfit misfit;
    rows->solve(rows, reader, &chunk, 0, chunk.count, work);
    for (int row = 0; row < chunk.count; row++) {
        check_row(rows, reader, work, row);
    }
    for (int typed = 0; typed < 2; typed++) {
        buffer.length = 0;
        table_encode(columns, typed && reader->typed, work->sources, chunk.count, &buffer, &misfit);
        require(buffer.length > 0, "rows are encoded");
    }
}

static void read_table(TableReader *reader) {
    static TableColumns columns;
    Error error = {{0}};
    BatchRows *rows = contact_rows_create(&reader->columns, NULL, &error);
    require(rows || error.text[0], "refused columns need a message");
    BatchWork *work = rows ? rows->start(rows) : NULL;
    if (work && rows->passed_count + rows->columns.count <= TABLE_COLUMNS_MAX) {
        name_columns(reader, rows, &columns);
        for (int total = 0; total < ROWS_MAX; total += chunk.count) {
            error.text[0] = '\0';
            int count = reader->next(reader, &chunk, 128, &error);
            require(count >= 0 || error.text[0], "a failure to read needs a message");
            if (count <= 0) {
                break;
            }
            solve_chunk(reader, rows, work, &columns);
            reader->skip(reader, 3, &error);
        }
    }
    if (rows) {
        rows->end(work);
        rows->close(rows);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int file = size > 0 ? memfd_create("table", 0) : -1;
    if (file < 0 || write(file, data + 1, size - 1) != (ssize_t)size - 1) {
        return 0;
    }
    char path[64];
    Error error = {{0}};
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    TableReader *reader = data[0] % 2 ? npy_table_open(path, &error) : csv_table_open(path, &error);
    require(reader || error.text[0], "a refused table needs a message");
    if (reader) {
        read_table(reader);
    }
    table_close(reader);
    table_chunk_free(&chunk);
    close(file);
    return 0;
}
