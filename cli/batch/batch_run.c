/* carom batch: a table is read in chunks; threads solve and encode their pieces; pieces are written
 * in order. */
#include "batch/batch_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "batch/batch_parts.h"
#include "batch/crew.h"
#include "io/progress.h"
#include "table/table_buffer.h"

enum {
    PIECE_ROWS = BATCH_PIECE_ROWS,
    CHUNK_ROWS = BATCH_BLOCK_ROWS,
    PIECES = CHUNK_ROWS / PIECE_ROWS
};

typedef struct Run Run;

typedef struct Piece {
    const Run *run;
    int first;          /* row of the chunk */
    TableBuffer buffer; /* encoded rows */
    int failed;         /* rows that were not solved */
    int first_failed;   /* in the piece */
    CaromStatus status; /* of that row */
    char reason[256];   /* likewise */
    int misfit_row;     /* a cell does not fit the output's column; -1: all do */
    int misfit_column;
    bool no_memory;
} Piece;

/* A run from one table to another. */
struct Run {
    const BatchRun *given;
    TableColumns columns; /* of the output */
    TableWriter *writer;  /* of the output, or of a part; NULL: the part is there */
    Crew *crew;
    unsigned long long first; /* row of the table that the chunk begins with */
    int count;                /* rows of the chunk */
    Piece pieces[PIECES];
    unsigned long long rows, failed, first_failed_row;
    CaromStatus first_status; /* of the first row that failed */
    char first_reason[256];
    double start, shown; /* seconds: of the start, and when progress was last shown */
};

/* The cells of a row that are passed through. A row that cannot be read has nothing to pass. */
static void pass_cells(const Run *run, int index, TableCell *cells) {
    const BatchRows *rows = run->given->rows;
    TableCell all[TABLE_COLUMNS_MAX];
    if (rows->passed_count == 0) {
        return;
    }
    bool good = run->given->reader->row(run->given->reader, index, all) == NULL;
    for (int i = 0; i < rows->passed_count; i++) {
        cells[i] = good ? all[rows->passed[i]] : table_text("");
    }
}

/* Encode the outcome of a row. */
static void emit_row(void *context, int row, CaromStatus status, const char *reason,
                     const TableCell *outcome) {
    Piece *piece = context;
    const Run *run = piece->run;
    const BatchRows *rows = run->given->rows;
    TableCell cells[TABLE_COLUMNS_MAX];
    if (status < 0 && piece->failed++ == 0) {
        piece->first_failed = row;
        piece->status = status;
        snprintf(piece->reason, sizeof piece->reason, "%s", reason);
    }
    pass_cells(run, piece->first + row, cells);
    TableCell *next = cells + rows->passed_count;
    memcpy(next, outcome, (size_t)rows->columns.count * sizeof *cells);
    next += rows->columns.count;
    if (run->given->shards > 1) {
        *next++ = table_integer((int64_t)run->first + piece->first + row);
    }
    if (run->given->parts) {
        *next++ = table_integer(status);
    }
    int column = 0;
    TableFit fit = table_buffer_add(&piece->buffer, run->writer, cells, &column);
    piece->no_memory = piece->no_memory || fit == TABLE_NO_MEMORY;
    if (fit == TABLE_MISFIT && piece->misfit_row < 0) {
        piece->misfit_row = row;
        piece->misfit_column = column;
    }
}

/* Read, solve and encode some rows. */
static void solve_piece(int part, void *context) {
    Run *run = context;
    Piece *piece = &run->pieces[part];
    piece->run = run;
    piece->first = part * PIECE_ROWS;
    piece->buffer.length = 0;
    piece->failed = 0;
    piece->misfit_row = -1;
    int left = run->count - piece->first;
    run->given->rows->solve(run->given->rows, run->given->reader, piece->first,
                            left < PIECE_ROWS ? left : PIECE_ROWS, emit_row, piece);
}

static unsigned long long row_name(const Run *run, int index) {
    return run->first + (unsigned long long)(index + run->given->reader->first_line);
}

static const char *row_word(const Run *run) {
    return run->given->reader->typed ? "row" : "line";
}

static bool misfit(const Run *run, int part) {
    const Piece *piece = &run->pieces[part];
    message_error("%s: %s %llu: column \"%s\": does not fit the kind of column that the first "
                  "rows have, so it cannot be copied to %s",
                  run->given->in_name, row_word(run),
                  row_name(run, part * PIECE_ROWS + piece->misfit_row),
                  run->writer->columns.list[piece->misfit_column].name, run->given->out_name);
    return false;
}

static bool solve_chunk(Run *run) {
    int used = (run->count + PIECE_ROWS - 1) / PIECE_ROWS;
    crew_run(run->crew, used, solve_piece, run);
    for (int k = 0; k < used; k++) {
        const Piece *piece = &run->pieces[k];
        int left = run->count - k * PIECE_ROWS;
        Error error;
        if (piece->no_memory) {
            message_error("out of memory");
            return false;
        }
        if (piece->misfit_row >= 0) {
            return misfit(run, k);
        }
        if (!run->writer->append(run->writer, piece->buffer.bytes, piece->buffer.length,
                                 left < PIECE_ROWS ? left : PIECE_ROWS, &error)) {
            message_error("%s: cannot be written: %s", run->given->out_name, error.text);
            return false;
        }
        if (run->failed == 0 && piece->failed > 0) {
            run->first_status = piece->status;
            memcpy(run->first_reason, piece->reason, sizeof piece->reason);
            run->first_failed_row = row_name(run, k * PIECE_ROWS + piece->first_failed);
        }
        run->failed += (unsigned long long)piece->failed;
    }
    run->rows += (unsigned long long)run->count;
    return true;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every half second. */
static void show_progress(Run *run) {
    double now = seconds(), rate = (double)run->rows / (now - run->start);
    if (now - run->shown < 0.5) {
        return;
    }
    run->shown = now;
    if (run->given->reader->counted) {
        double left = (double)(run->given->reader->total - run->first) / run->given->shards;
        progress_show("%llu of %llu rows, %.0f rows/s, %.0f s left", run->first,
                      run->given->reader->total, rate, left / rate);
    } else {
        progress_show("%llu rows, %.0f rows/s", run->rows, rate);
    }
}

static bool read_failed(const Run *run, const char *why) {
    message_error("%s: %s", run->given->in_name, why);
    return false;
}

/* The next chunk, which ends with its block; false: see *error. At the end its count is 0. */
static bool next_chunk(Run *run, Error *error) {
    run->first += (unsigned long long)run->count;
    int most = CHUNK_ROWS - (int)(run->first % CHUNK_ROWS);
    run->count = run->given->reader->next(run->given->reader, most, error);
    return run->count >= 0;
}

/* The kind of a column of texts that is copied to a binary table: what all its texts in the first
 * chunk are, a text with room for twice as long ones. */
static void choose_kind(const Run *run, int place, TableColumn *column) {
    bool integers = true, numbers = true;
    size_t longest = 0;
    TableCell cells[TABLE_COLUMNS_MAX];
    for (int i = 0; i < run->count; i++) {
        int64_t integer;
        double number;
        if (run->given->reader->row(run->given->reader, i, cells)) {
            continue;
        }
        const TableCell *cell = &cells[place];
        longest = cell->length > longest ? cell->length : longest;
        integers = integers && table_text_integer(cell->text, cell->length, &integer);
        numbers = numbers && (cell->length == 0 || table_cell_number(cell, &number));
    }
    column->kind = integers ? TABLE_INTEGER : numbers ? TABLE_NUMBER : TABLE_TEXT;
    column->width = 32 * (1 + 2 * longest / 32);
}

/* The columns of the output, when the first chunk is there. */
static bool choose_columns(const Run *run, TableColumns *columns, Error *error) {
    const BatchRun *given = run->given;
    columns->count = 0;
    for (int i = 0; i < given->rows->passed_count; i++) {
        const TableColumn *from = &given->reader->columns.list[given->rows->passed[i]];
        TableColumn *column = table_add(columns, from->name, strlen(from->name), from->kind);
        column->width = from->width;
        if (given->typed && !given->reader->typed) {
            choose_kind(run, given->rows->passed[i], column);
        }
    }
    for (int i = 0; i < given->rows->columns.count; i++) {
        const TableColumn *from = &given->rows->columns.list[i];
        if (table_find(columns, from->name) >= 0) {
            return error_set(error,
                             "column \"%s\": is also one of the output; rename it, or choose "
                             "others with --columns",
                             from->name);
        }
        TableColumn *column = table_add(columns, from->name, strlen(from->name), from->kind);
        if (!column) {
            return error_set(error, "the output would have more than %d columns",
                             TABLE_COLUMNS_MAX);
        }
        column->width = from->width;
    }
    return given->shards == 1 ||
           table_add(columns, BATCH_ROW, strlen(BATCH_ROW), TABLE_INTEGER) != NULL ||
           error_set(error, "the output would have more than %d columns", TABLE_COLUMNS_MAX);
}

static bool write_failed(const Run *run, const Error *error) {
    message_error("%s: cannot be written: %s", run->given->out_name, error->text);
    return false;
}

static bool begin(Run *run) {
    Error error;
    if (!next_chunk(run, &error) || !choose_columns(run, &run->columns, &error)) {
        return read_failed(run, error.text);
    }
    run->crew = crew_create(run->given->threads < PIECES ? run->given->threads : PIECES);
    if (!run->crew) {
        return read_failed(run, "out of memory");
    }
    if (!run->given->parts) {
        run->writer = run->given->create(run->given->out_path, &run->columns, &error);
    }
    return run->given->parts || run->writer || write_failed(run, &error);
}

static bool finish_writer(Run *run) {
    Error error;
    bool good =
        !run->writer || run->writer->finish(run->writer, &error) || write_failed(run, &error);
    table_writer_close(run->writer);
    run->writer = NULL;
    return good;
}

/* Where the chunk begins a part: complete the one before and begin the new one, unless it is there.
 */
static bool change_part(Run *run) {
    const BatchRun *given = run->given;
    Error error;
    if (!given->parts || run->first % given->part_rows != 0) {
        return true;
    }
    unsigned long long part = run->first / given->part_rows;
    if (!finish_writer(run)) {
        return false;
    }
    if (!batch_parts_has(given->parts, part)) {
        run->writer = batch_parts_create(given->parts, part, &run->columns, &error);
        return run->writer || write_failed(run, &error);
    }
    return true;
}

/* All parts are there. */
static bool join_parts(Run *run) {
    BatchJoined joined;
    Error error;
    unsigned long long rows = run->given->part_rows, count = (run->first + rows - 1) / rows;
    if (!batch_parts_join(run->given->parts, count, &run->columns, &joined, &error)) {
        return write_failed(run, &error);
    }
    if (joined.failed > run->failed) { /* some in parts of an earlier run */
        run->first_status = joined.first_status;
        run->first_failed_row =
            joined.first_failed + (unsigned long long)run->given->reader->first_line;
        run->first_reason[0] = '\0';
    }
    run->failed = joined.failed;
    run->rows = joined.rows;
    return true;
}

static bool solve_rows(Run *run) {
    const BatchRun *given = run->given;
    Error error;
    run->start = run->shown = seconds();
    while (run->count > 0) {
        int block = (int)(run->first / CHUNK_ROWS % (unsigned long long)given->shards);
        if (!change_part(run)) {
            return false;
        }
        if (run->writer && block == given->shard && !solve_chunk(run)) {
            return false;
        }
        show_progress(run);
        if (!next_chunk(run, &error)) {
            return read_failed(run, error.text);
        }
    }
    progress_end();
    return finish_writer(run) && (!given->parts || join_parts(run));
}

/* The number of rows that were not solved, and the reason for the first. */
static void report_failures(const Run *run) {
    bool invalid = run->first_status == CAROM_INVALID_INPUT;
    const char *status = carom_status_string(run->first_status), *reason = run->first_reason;
    message_error("%s: %llu of %llu rows were not solved; the first in %s %llu: %s%s%s",
                  run->given->in_name, run->failed, run->rows, row_word(run), run->first_failed_row,
                  invalid && reason[0] ? "" : status, invalid || !reason[0] ? "" : ": ", reason);
}

int batch_run(const BatchRun *given) {
    Run *run = calloc(1, sizeof *run);
    if (!run) {
        message_error("out of memory");
        return 2;
    }
    run->given = given;
    bool good = begin(run) && solve_rows(run);
    progress_end();
    if (run->failed > 0) {
        report_failures(run);
    }
    int status = !good ? 2 : run->failed > 0 ? 1 : 0;
    table_writer_close(run->writer);
    crew_free(run->crew);
    for (int k = 0; k < PIECES; k++) {
        free(run->pieces[k].buffer.bytes);
    }
    free(run);
    return status;
}
