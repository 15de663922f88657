/* Rows that are single contacts. */
#include "batch/contact_rows.h"

#include <math.h>
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

typedef struct ContactWork {
    BatchWork base;
    CaromCase cases[BATCH_PIECE_ROWS];
    double below[BATCH_PIECE_ROWS][3]; /* entries below the diagonal */
    bool refused[BATCH_PIECE_ROWS];
    const char *status_names[BATCH_PIECE_ROWS];
    CaromOutcome outcomes[BATCH_PIECE_ROWS];
    BatchAnswer *answers; /* BATCH_PIECE_ROWS where more than outcomes is wanted, else NULL */
    CaromCaseDerivative *derivatives; /* likewise for BATCH_SLOPE */
} ContactWork;

static void end_work(BatchWork *base) {
    if (base) {
        free(((ContactWork *)base)->answers);
        free(((ContactWork *)base)->derivatives);
    }
    batch_work_free(base);
}

static BatchWork *start_work(const BatchRows *base) {
    const ContactRows *rows = (const ContactRows *)base;
    ContactWork *work = batch_work_create(sizeof *work, base);
    if (!work) {
        return NULL;
    }
    if (rows->output.depth > BATCH_OUTCOME) {
        bool slopes = rows->output.depth == BATCH_SLOPE;
        work->answers = calloc(BATCH_PIECE_ROWS, sizeof *work->answers);
        work->derivatives = slopes ? calloc(BATCH_PIECE_ROWS, sizeof *work->derivatives) : NULL;
        if (!work->answers || (slopes && !work->derivatives)) {
            end_work(&work->base);
            return NULL;
        }
    }
    batch_output_sources(&rows->output, work->outcomes, work->answers, work->status_names,
                         work->base.sources + base->passed_count);
    return &work->base;
}

/* A row of the table as a problem, cell by cell. False: see *fault. */
static bool read_row(const ContactRows *rows, const TableReader *reader, const TableChunk *chunk,
                     int index, CaromCase *row, BatchFault *fault) {
    TableCell cells[TABLE_COLUMNS_MAX];
    const char *why = reader->row(reader, chunk, index, cells);
    if (why) {
        *fault = (BatchFault){.column = "", .what = why};
        return false;
    }
    return batch_input_read(cells, &rows->input, row, fault);
}

/* All rows of a piece as problems: at once, then cell by cell those that are not plain numbers in
 * their ranges. One that cannot be read becomes a problem that the library refuses. */
static void read_rows(const ContactRows *rows, const TableReader *reader, const TableChunk *chunk,
                      int first, int count, ContactWork *work) {
    const BatchInput *input = &rows->input;
    batch_input_prepare(input, work->cases, count);
    reader->read(reader, chunk, first, count, &input->view, work->cases, sizeof *work->cases,
                 work->base.passed);
    if (input->below.number_count > 0) {
        reader->read(reader, chunk, first, count, &input->below, work->below, sizeof *work->below,
                     NULL);
    }
    for (int i = 0; i < count; i++) {
        CaromCase *row = &work->cases[i];
        BatchFault fault;
        work->refused[i] = !batch_input_accept(input, work->below[i], row) &&
                           !read_row(rows, reader, chunk, first + i, row, &fault);
        if (work->refused[i]) {
            *row = (CaromCase){.contact = {.mu = NAN}};
        }
    }
}

static void solve_rows(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                       int first, int count, BatchWork *base_work) {
    const ContactRows *rows = (const ContactRows *)base;
    ContactWork *work = (ContactWork *)base_work;
    read_rows(rows, reader, chunk, first, count, work);
    if (!work->answers) {
        carom_batch_solve((size_t)count, work->cases, work->outcomes);
    } else if (work->derivatives) {
        carom_batch_differentiate((size_t)count, work->cases, work->outcomes, work->derivatives);
    }
    for (int i = 0; i < count; i++) {
        if (work->derivatives) {
            batch_output_take(&work->outcomes[i], &work->derivatives[i], &work->answers[i]);
        } else if (work->answers && work->refused[i]) {
            BatchFault fault;
            read_row(rows, reader, chunk, first + i, &work->cases[i], &fault);
            batch_output_refuse(fault.what, &work->answers[i]);
        } else if (work->answers) {
            batch_output_solve(&rows->output, &work->cases[i], &work->answers[i]);
        }
        CaromStatus status = work->answers ? work->answers[i].status : work->outcomes[i].status;
        base_work->statuses[i] = status;
        work->status_names[i] = carom_status_string(status);
    }
}

static void explain_row(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                        int index, char reason[BATCH_REASON_SIZE]) {
    static const BatchOutput all = {.depth = BATCH_RESULT};
    CaromCase row;
    BatchFault fault;
    BatchAnswer answer;
    if (!read_row((const ContactRows *)base, reader, chunk, index, &row, &fault)) {
        snprintf(reason, BATCH_REASON_SIZE, "%s%s%s", fault.column, fault.column[0] ? ": " : "",
                 fault.what);
        return;
    }
    batch_output_solve(&all, &row, &answer);
    snprintf(reason, BATCH_REASON_SIZE, "%s", answer.message);
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
    rows->rows.start = start_work;
    rows->rows.solve = solve_rows;
    rows->rows.explain = explain_row;
    rows->rows.end = end_work;
    rows->rows.close = close_rows;
    if (!batch_input_find(given, &rows->input, error) ||
        !batch_output_read(columns ? columns : BATCH_DEFAULT_COLUMNS, rows->input.planar,
                           &rows->output, error)) {
        free(rows);
        return NULL;
    }
    rows->rows.columns.count = rows->output.count;
    memcpy(rows->rows.columns.list, rows->output.columns, sizeof rows->output.columns);
    rows->rows.passed_count = rows->input.view.cell_count;
    memcpy(rows->rows.passed, rows->input.view.cells, sizeof rows->input.view.cells);
    return &rows->rows;
}
