/* carom batch: many single-contact problems, one per row.
 *
 * Rows are read in chunks; the threads share the pieces of a chunk. One thread parses, solves and
 * formats a piece; then the pieces are written in order. The output of a row depends on that row
 * alone, so it is the same for any number of threads. */
#include "batch/batch_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "batch/batch_rows.h"
#include "batch/crew.h"
#include "io/output_file.h"
#include "io/progress.h"

enum { CHUNK_ROWS = 4096, PIECE_ROWS = 64, PIECES = CHUNK_ROWS / PIECE_ROWS };

typedef struct Piece {
    char *text;         /* PIECE_ROWS * BATCH_ROW_BYTES */
    size_t length;      /* of text */
    int failed;         /* rows that were not solved */
    int first_failed;   /* in the piece */
    CaromStatus status; /* of that row */
    BatchFault fault;   /* of that row */
} Piece;

/* A run from one stream to another. */
typedef struct Run {
    const char *in_name, *out_name;
    FILE *in, *out;
    OutputFile file; /* of out; not used if that is standard output */
    CsvReader reader;
    BatchColumns columns;
    CsvLine *lines; /* CHUNK_ROWS */
    char *text;     /* of all pieces */
    Crew *crew;
    unsigned long long rows, failed, first_failed_line;
    Piece first_failed;  /* the piece with the first row that failed; without its text */
    double start, shown; /* seconds: of the start, and when progress was last shown */
} Run;

static void note_failure(Piece *piece, int row, CaromStatus status, BatchFault fault) {
    if (piece->failed++ == 0) {
        piece->first_failed = row;
        piece->status = status;
        piece->fault = fault;
    }
}

/* Parse, solve and format some rows. */
static void solve_piece(const CsvLine *lines, int count, const BatchColumns *columns,
                        Piece *piece) {
    CaromCase cases[PIECE_ROWS];
    CaromOutcome outcomes[PIECE_ROWS];
    BatchFault faults[PIECE_ROWS] = {{0}};
    size_t good = 0;
    memset(cases, 0, sizeof cases);
    for (int i = 0; i < count; i++) {
        good += batch_row_read(&lines[i], columns, &cases[good], &faults[i]);
    }
    carom_batch_solve(good, cases, outcomes);
    piece->length = 0;
    piece->failed = 0;
    const CaromOutcome *next = outcomes;
    for (int i = 0; i < count; i++) {
        bool solved = faults[i].what == NULL;
        CaromOutcome outcome = solved ? *next : batch_row_invalid();
        if (outcome.status < 0) {
            if (solved && piece->failed == 0) {
                faults[i] = batch_row_reason(&cases[next - outcomes]);
            }
            note_failure(piece, i, outcome.status, faults[i]);
        }
        piece->length += batch_row_write(&outcome, piece->text + piece->length);
        next += solved;
    }
}

static bool write_failed(const Run *run) {
    message_error("%s: cannot be written: %s", run->out_name, strerror(errno));
    return false;
}

/* The pieces of a chunk of rows. */
typedef struct Chunk {
    const Run *run;
    int count; /* of rows */
    Piece pieces[PIECES];
} Chunk;

static void solve_part(int part, void *context) {
    Chunk *chunk = context;
    int first = part * PIECE_ROWS, left = chunk->count - first;
    chunk->pieces[part].text = chunk->run->text + (size_t)first * BATCH_ROW_BYTES;
    solve_piece(&chunk->run->lines[first], left < PIECE_ROWS ? left : PIECE_ROWS,
                &chunk->run->columns, &chunk->pieces[part]);
}

static bool solve_chunk(Run *run, int count) {
    Chunk chunk = {.run = run, .count = count};
    const Piece *pieces = chunk.pieces;
    int used = (count + PIECE_ROWS - 1) / PIECE_ROWS;
    crew_run(run->crew, used, solve_part, &chunk);
    for (int k = 0; k < used; k++) {
        if (fwrite(pieces[k].text, 1, pieces[k].length, run->out) != pieces[k].length) {
            return write_failed(run);
        }
        if (run->failed == 0 && pieces[k].failed > 0) {
            int row = k * PIECE_ROWS + pieces[k].first_failed;
            run->first_failed = pieces[k];
            run->first_failed_line = run->rows + (unsigned long long)row + 2; /* the header is 1 */
        }
        run->failed += (unsigned long long)pieces[k].failed;
    }
    run->rows += (unsigned long long)count;
    return true;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every half second. */
static void show_progress(Run *run) {
    double now = seconds();
    if (now - run->shown >= 0.5) {
        run->shown = now;
        progress_show("%llu rows, %.0f rows/s", run->rows, (double)run->rows / (now - run->start));
    }
}

static bool read_failed(const Run *run, const char *why) {
    message_error("%s: %s", run->in_name, why);
    return false;
}

static bool read_header(Run *run) {
    CsvLine header;
    Error error;
    if (csv_read_lines(&run->reader, &header, 1) == 0) {
        return read_failed(run,
                           ferror(run->in) ? strerror(errno) : "empty: the header row is missing");
    }
    return batch_columns_read(&header, &run->columns, &error) || read_failed(run, error.text);
}

static bool solve_rows(Run *run) {
    int count;
    while ((count = csv_read_lines(&run->reader, run->lines, CHUNK_ROWS)) > 0) {
        if (!solve_chunk(run, count)) {
            return false;
        }
        show_progress(run);
    }
    return !ferror(run->in) || read_failed(run, strerror(errno));
}

static bool open_output(Run *run, const char *path) {
    Error error;
    run->out = stdout;
    if (path && !output_file_begin(path, &run->file, &error)) {
        message_error("%s: cannot be written: %s", path, error.text);
        return false;
    }
    run->out = path ? run->file.stream : stdout;
    return true;
}

/* The output is complete: put it in its place. */
static bool finish_output(Run *run, const char *path) {
    Error error;
    if (!path) {
        return fflush(stdout) == 0 || write_failed(run);
    }
    if (!output_file_finish(&run->file, &error)) {
        message_error("%s: cannot be written: %s", path, error.text);
        return false;
    }
    return true;
}

static bool run_batch(Run *run, const char *out_path, int threads) {
    run->lines = malloc(CHUNK_ROWS * sizeof *run->lines);
    run->text = malloc((size_t)CHUNK_ROWS * BATCH_ROW_BYTES);
    run->crew = crew_create(threads < PIECES ? threads : PIECES);
    if (!csv_open(run->in, &run->reader) || !run->lines || !run->text || !run->crew) {
        return read_failed(run, "out of memory");
    }
    if (!read_header(run) || !open_output(run, out_path)) {
        return false;
    }
    run->start = run->shown = seconds();
    bool good = fputs(BATCH_HEADER, run->out) != EOF ? solve_rows(run) : write_failed(run);
    progress_end();
    if (good) {
        return finish_output(run, out_path);
    }
    if (out_path) {
        output_file_drop(&run->file);
    }
    return false;
}

/* The number of rows that were not solved, and the reason for the first. */
static void report_failures(const Run *run) {
    const Piece *piece = &run->first_failed;
    bool invalid = piece->status == CAROM_INVALID_INPUT;
    const char *start = invalid ? piece->fault.column : carom_status_string(piece->status);
    message_error("%s: %llu of %llu rows were not solved; the first in line %llu: %s%s%s",
                  run->in_name, run->failed, run->rows, run->first_failed_line, start,
                  start[0] ? ": " : "", piece->fault.what);
}

int batch_run(const char *in_path, const char *out_path, int threads) {
    Run run = {.in_name = in_path ? in_path : "standard input",
               .out_name = out_path ? out_path : "standard output",
               .in = in_path ? fopen(in_path, "rb") : stdin};
    if (!run.in) {
        message_error("%s: cannot be opened: %s", in_path, strerror(errno));
        return 2;
    }
    bool good = run_batch(&run, out_path, threads);
    crew_free(run.crew);
    csv_close(&run.reader);
    free(run.lines);
    free(run.text);
    if (run.in != stdin) {
        fclose(run.in);
    }
    if (run.failed > 0) {
        report_failures(&run);
    }
    return !good ? 2 : run.failed > 0 ? 1 : 0;
}
