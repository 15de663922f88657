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

static void check_row(void *context, int row, CaromStatus status, const char *reason,
                      const TableCell *cells) {
    int *next = context;
    require(row == *next % BATCH_PIECE_ROWS, "rows come in their order");
    require(strcmp(carom_status_string(status), "unknown_status") != 0, "unknown status");
    require(status >= 0 || *next > 0 || reason[0], "the first failure needs a reason");
    for (int i = 0; i < 6; i++) {
        require(cells[i].kind == TABLE_NUMBER, "an impulse or velocity is a number");
        require(status < 0 || isfinite(cells[i].number), "a success must have finite numbers");
        require(status != CAROM_INVALID_INPUT || isnan(cells[i].number), "a failure has none");
    }
    (*next)++;
}

/* All rows of a chunk. */
static void solve_chunk(const TableReader *reader, const BatchRows *rows, int count) {
    for (int first = 0; first < count; first += BATCH_PIECE_ROWS) {
        int next = 0, left = count - first;
        int size = left < BATCH_PIECE_ROWS ? left : BATCH_PIECE_ROWS;
        rows->solve(rows, reader, first, size, check_row, &next);
        require(next == size, "every row is emitted");
    }
}

static void read_table(TableReader *reader) {
    Error error = {{0}};
    BatchRows *rows = contact_rows_create(&reader->columns, NULL, &error);
    require(rows || error.text[0], "refused columns need a message");
    int count = 1;
    for (int total = 0; rows && count > 0 && total < ROWS_MAX; total += count) {
        error.text[0] = '\0';
        count = reader->next(reader, 128, &error);
        require(count >= 0 || error.text[0], "a failure to read needs a message");
        solve_chunk(reader, rows, count);
    }
    if (rows) {
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
    close(file);
    return 0;
}
