/* Rows that are single contacts. */
#include "batch/contact_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_input.h"
#include "batch/batch_output.h"

typedef struct ContactRows {
    BatchRows rows;
    BatchInput input;
    BatchOutput output;
} ContactRows;

/* A row of the table, as a problem. False: see *fault. */
static bool read_row(const ContactRows *rows, const TableReader *reader, int index, CaromCase *row,
                     BatchFault *fault) {
    TableCell cells[TABLE_COLUMNS_MAX];
    const char *why = reader->row(reader, index, cells);
    if (why) {
        *fault = (BatchFault){.column = "", .what = why};
        return false;
    }
    return batch_input_read(cells, &rows->input, row, fault);
}

/* Why a row that was read was not solved. */
static const char *reason_of(const CaromCase *row) {
    static const BatchOutput all = {.depth = BATCH_RESULT};
    BatchAnswer answer;
    batch_output_solve(&all, 1, row, &answer);
    return answer.message;
}

static void solve_rows(const BatchRows *base, const TableReader *reader, int first, int count,
                       BatchEmit *emit, void *context) {
    const ContactRows *rows = (const ContactRows *)base;
    CaromCase cases[BATCH_PIECE_ROWS];
    BatchAnswer answers[BATCH_PIECE_ROWS], refused;
    BatchFault faults[BATCH_PIECE_ROWS] = {{0}};
    TableCell cells[TABLE_COLUMNS_MAX];
    size_t good = 0;
    memset(cases, 0, sizeof cases);
    for (int i = 0; i < count; i++) {
        good += read_row(rows, reader, first + i, &cases[good], &faults[i]);
    }
    batch_output_solve(&rows->output, good, cases, answers);
    size_t next = 0;
    bool explained = false; /* only the first failure is told */
    for (int i = 0; i < count; i++) {
        bool was_read = faults[i].what == NULL;
        char reason[256] = "";
        const BatchAnswer *answer = was_read ? &answers[next] : &refused;
        if (!was_read) {
            batch_output_refuse(faults[i].what, &refused);
            snprintf(reason, sizeof reason, "%s%s%s", faults[i].column,
                     faults[i].column[0] ? ": " : "", faults[i].what);
        } else if (answer->status < 0 && !explained) {
            snprintf(reason, sizeof reason, "%s", reason_of(&cases[next]));
        }
        explained = explained || answer->status < 0;
        batch_output_cells(&rows->output, answer, cells);
        emit(context, i, answer->status, reason, cells);
        next += was_read;
    }
}

static void close_rows(BatchRows *rows) {
    free(rows);
}

BatchRows *contact_rows_create(const TableColumns *given, const char *columns, Error *error) {
    ContactRows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        error_set(error, "out of memory");
        return NULL;
    }
    rows->rows.solve = solve_rows;
    rows->rows.close = close_rows;
    if (!batch_output_read(columns ? columns : BATCH_DEFAULT_COLUMNS, &rows->output, error) ||
        !batch_input_find(given, &rows->input, error)) {
        free(rows);
        return NULL;
    }
    rows->rows.columns.count = rows->output.count;
    memcpy(rows->rows.columns.list, rows->output.columns, sizeof rows->output.columns);
    rows->rows.passed_count = rows->input.passed_count;
    memcpy(rows->rows.passed, rows->input.passed, sizeof rows->input.passed);
    return &rows->rows;
}
