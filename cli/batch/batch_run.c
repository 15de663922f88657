/* carom batch: a table is read in chunks; threads solve and encode their pieces; pieces are written
 * in order. */
#include "batch/batch_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "batch/crew.h"
#include "io/progress.h"
#include "table/table_reader.h"
#include "table/table_writer.h"

enum { CHUNK_ROWS = 4096, PIECE_ROWS = 64, PIECES = CHUNK_ROWS / PIECE_ROWS };

typedef struct Piece {
    char *bytes; /* encoded rows */
    size_t length, size;
    int failed;         /* rows that were not solved */
    int first_failed;   /* in the piece */
    CaromStatus status; /* of that row */
    BatchFault fault;   /* of that row */
    int misfit_row;     /* a cell does not fit the output's column; -1: all do */
    int misfit_column;
    bool no_memory;
} Piece;

/* A run from one table to another. */
typedef struct Run {
    const char *in_name, *out_name;
    TableReader *reader;
    TableWriter *writer;
    BatchInput input;
    const BatchOutput *output;
    Crew *crew;
    int count; /* rows of the chunk */
    Piece pieces[PIECES];
    unsigned long long rows, failed, first_failed_row;
    CaromStatus first_status; /* of the first row that failed */
    BatchFault first_fault;
    double start, shown; /* seconds: of the start, and when progress was last shown */
} Run;

/* A row of the table, as a problem. False: see *fault. */
static bool read_row(const Run *run, int index, CaromCase *row, BatchFault *fault) {
    TableCell cells[TABLE_COLUMNS_MAX];
    const char *why = run->reader->row(run->reader, index, cells);
    if (why) {
        *fault = (BatchFault){.column = "", .what = why};
        return false;
    }
    return batch_input_read(cells, &run->input, row, fault);
}

/* The cells of the output: those passed through, then the answer's. A row that cannot be read has
 * nothing to pass. */
static void collect_cells(const Run *run, int index, const BatchAnswer *answer, TableCell *cells) {
    int passed = run->input.passed_count;
    if (passed > 0) {
        TableCell all[TABLE_COLUMNS_MAX];
        bool good = run->reader->row(run->reader, index, all) == NULL;
        for (int i = 0; i < passed; i++) {
            cells[i] = good ? all[run->input.passed[i]] : table_text("");
        }
    }
    batch_output_cells(run->output, answer, cells + passed);
}

static bool make_room(Piece *piece, size_t room) {
    if (piece->size - piece->length >= room) {
        return true;
    }
    size_t size = 2 * piece->size + room;
    char *larger = realloc(piece->bytes, size);
    piece->bytes = larger ? larger : piece->bytes;
    piece->size = larger ? size : piece->size;
    return larger != NULL;
}

static void encode_row(const Run *run, int first, int row, const BatchAnswer *answer,
                       Piece *piece) {
    TableCell cells[TABLE_COLUMNS_MAX];
    collect_cells(run, first + row, answer, cells);
    if (!make_room(piece, run->writer->room(run->writer, cells))) {
        piece->no_memory = true;
        return;
    }
    int column = 0;
    size_t length = run->writer->encode(run->writer, cells, piece->bytes + piece->length, &column);
    if (length == 0 && piece->misfit_row < 0) {
        piece->misfit_row = row;
        piece->misfit_column = column;
    }
    piece->length += length;
}

static void note_failure(Piece *piece, int row, CaromStatus status, BatchFault fault) {
    if (piece->failed++ == 0) {
        piece->first_failed = row;
        piece->status = status;
        piece->fault = fault;
    }
}

/* Why a row that was read was not solved. */
static BatchFault reason(const CaromCase *row) {
    BatchOutput all = {.depth = BATCH_RESULT};
    BatchAnswer answer;
    batch_output_solve(&all, 1, row, &answer);
    return (BatchFault){.column = "", .what = answer.message};
}

/* Read, solve and encode some rows. */
static void solve_piece(int part, void *context) {
    Run *run = context;
    Piece *piece = &run->pieces[part];
    int first = part * PIECE_ROWS;
    int count = run->count - first < PIECE_ROWS ? run->count - first : PIECE_ROWS;
    CaromCase cases[PIECE_ROWS];
    BatchAnswer answers[PIECE_ROWS], refused;
    BatchFault faults[PIECE_ROWS] = {{0}};
    size_t good = 0;
    memset(cases, 0, sizeof cases);
    for (int i = 0; i < count; i++) {
        good += read_row(run, first + i, &cases[good], &faults[i]);
    }
    batch_output_solve(run->output, good, cases, answers);
    piece->length = 0;
    piece->failed = 0;
    piece->misfit_row = -1;
    const BatchAnswer *next = answers;
    for (int i = 0; i < count; i++) {
        bool solved = faults[i].what == NULL;
        const BatchAnswer *answer = next;
        if (!solved) {
            batch_output_refuse(faults[i].what, &refused);
            answer = &refused;
        }
        if (answer->status < 0) {
            if (solved && piece->failed == 0) {
                faults[i] = reason(&cases[next - answers]);
            }
            note_failure(piece, i, answer->status, faults[i]);
        }
        encode_row(run, first, i, answer, piece);
        next += solved;
    }
}

static unsigned long long row_name(const Run *run, int index) {
    return run->rows + (unsigned long long)(index + run->reader->first_line);
}

static const char *row_word(const Run *run) {
    return run->reader->typed ? "row" : "line";
}

static bool misfit(const Run *run, int part) {
    const Piece *piece = &run->pieces[part];
    message_error("%s: %s %llu: column \"%s\": does not fit the kind of column that the first "
                  "rows have, so it cannot be copied to %s",
                  run->in_name, row_word(run), row_name(run, part * PIECE_ROWS + piece->misfit_row),
                  run->writer->columns.list[piece->misfit_column].name, run->out_name);
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
        if (!run->writer->append(run->writer, piece->bytes, piece->length,
                                 left < PIECE_ROWS ? left : PIECE_ROWS, &error)) {
            message_error("%s: cannot be written: %s", run->out_name, error.text);
            return false;
        }
        if (run->failed == 0 && piece->failed > 0) {
            run->first_status = piece->status;
            run->first_fault = piece->fault;
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
    if (run->reader->counted) {
        progress_show("%llu of %llu rows, %.0f rows/s, %.0f s left", run->rows, run->reader->total,
                      rate, (double)(run->reader->total - run->rows) / rate);
    } else {
        progress_show("%llu rows, %.0f rows/s", run->rows, rate);
    }
}

static bool read_failed(const Run *run, const char *why) {
    message_error("%s: %s", run->in_name, why);
    return false;
}

/* The next chunk; false: see *error. At the end its count is 0. */
static bool next_chunk(Run *run, Error *error) {
    run->count = run->reader->next(run->reader, CHUNK_ROWS, error);
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
        if (run->reader->row(run->reader, i, cells)) {
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
static bool choose_columns(const Run *run, bool typed, TableColumns *columns, Error *error) {
    columns->count = 0;
    for (int i = 0; i < run->input.passed_count; i++) {
        const TableColumn *from = &run->reader->columns.list[run->input.passed[i]];
        TableColumn *column = table_add(columns, from->name, strlen(from->name), from->kind);
        column->width = from->width;
        if (typed && !run->reader->typed) {
            choose_kind(run, run->input.passed[i], column);
        }
    }
    for (int i = 0; i < run->output->count; i++) {
        const TableColumn *from = &run->output->columns[i];
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
    return true;
}

static bool begin(Run *run, const char *in_path, const char *out_path, int threads) {
    Error error;
    TableColumns columns;
    run->reader = table_open(in_path, &error);
    if (!run->reader || !batch_input_find(&run->reader->columns, &run->input, &error) ||
        !next_chunk(run, &error) ||
        !choose_columns(run, table_is_typed(out_path), &columns, &error)) {
        return read_failed(run, error.text);
    }
    run->crew = crew_create(threads < PIECES ? threads : PIECES);
    if (!run->crew) {
        return read_failed(run, "out of memory");
    }
    run->writer = table_create(out_path, &columns, &error);
    if (!run->writer) {
        message_error("%s: cannot be written: %s", run->out_name, error.text);
        return false;
    }
    return true;
}

static bool solve_rows(Run *run) {
    Error error;
    run->start = run->shown = seconds();
    while (run->count > 0) {
        if (!solve_chunk(run)) {
            return false;
        }
        show_progress(run);
        if (!next_chunk(run, &error)) {
            return read_failed(run, error.text);
        }
    }
    progress_end();
    if (!run->writer->finish(run->writer, &error)) {
        message_error("%s: cannot be written: %s", run->out_name, error.text);
        return false;
    }
    return true;
}

/* The number of rows that were not solved, and the reason for the first. */
static void report_failures(const Run *run) {
    bool invalid = run->first_status == CAROM_INVALID_INPUT;
    const char *start = invalid ? run->first_fault.column : carom_status_string(run->first_status);
    message_error("%s: %llu of %llu rows were not solved; the first in %s %llu: %s%s%s",
                  run->in_name, run->failed, run->rows, row_word(run), run->first_failed_row, start,
                  start[0] ? ": " : "", run->first_fault.what);
}

int batch_run(const char *in_path, const char *out_path, const BatchOutput *output, int threads) {
    Run *run = calloc(1, sizeof *run);
    if (!run) {
        message_error("out of memory");
        return 2;
    }
    run->in_name = in_path ? in_path : "standard input";
    run->out_name = out_path ? out_path : "standard output";
    run->output = output;
    bool good = begin(run, in_path, out_path, threads) && solve_rows(run);
    progress_end();
    if (run->failed > 0) {
        report_failures(run);
    }
    int status = !good ? 2 : run->failed > 0 ? 1 : 0;
    table_writer_close(run->writer);
    table_close(run->reader);
    crew_free(run->crew);
    for (int k = 0; k < PIECES; k++) {
        free(run->pieces[k].bytes);
    }
    free(run);
    return status;
}
