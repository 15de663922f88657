/* carom batch: many single-contact problems, one per row.
 *
 * Rows are read in chunks; the threads share the pieces of a chunk. One thread parses, solves and
 * formats a piece; then the pieces are written in order. The output of a row depends on that row
 * alone, so it is the same for any number of threads. */
#include "batch/batch_run.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "batch/batch_rows.h"
#include "io/progress.h"

enum { CHUNK_ROWS = 4096, PIECE_ROWS = 64, PIECES = CHUNK_ROWS / PIECE_ROWS };

typedef struct Piece {
    char *text;         /* PIECE_ROWS * BATCH_ROW_BYTES */
    size_t length;      /* of text */
    int failed;         /* rows that were not solved */
    int first_failed;   /* in the piece */
    CaromStatus status; /* of that row */
    BatchFault fault;   /* of that row; what NULL: it was read, but not solved */
} Piece;

/* A run from one stream to another. */
typedef struct Run {
    const char *in_name, *out_name;
    FILE *in, *out;
    CsvReader reader;
    BatchColumns columns;
    CsvLine *lines; /* CHUNK_ROWS */
    char *text;     /* of all pieces */
    int threads;
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
        CaromOutcome outcome = faults[i].what ? batch_row_invalid() : *next++;
        if (outcome.status < 0) {
            note_failure(piece, i, outcome.status, faults[i]);
        }
        piece->length += batch_row_write(&outcome, piece->text + piece->length);
    }
}

static bool write_failed(const Run *run) {
    fprintf(stderr, "carom: %s: cannot be written: %s\n", run->out_name, strerror(errno));
    return false;
}

static bool solve_chunk(Run *run, int count) {
    Piece pieces[PIECES];
    int used = (count + PIECE_ROWS - 1) / PIECE_ROWS;
#pragma omp parallel for schedule(dynamic) num_threads(run->threads)
    for (int k = 0; k < used; k++) {
        int first = k * PIECE_ROWS;
        int rows = count - first < PIECE_ROWS ? count - first : PIECE_ROWS;
        pieces[k].text = run->text + (size_t)first * BATCH_ROW_BYTES;
        solve_piece(&run->lines[first], rows, &run->columns, &pieces[k]);
    }
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
    fprintf(stderr, "carom: %s: %s\n", run->in_name, why);
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

/* Writing over the input file would lose it. */
static bool is_same_file(FILE *in, const char *path) {
    struct stat a, b;
    return fstat(fileno(in), &a) == 0 && stat(path, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool open_output(Run *run, const char *path) {
    if (!path) {
        run->out = stdout;
        return true;
    }
    if (is_same_file(run->in, path)) {
        fprintf(stderr, "carom: %s: is the input as well as the output\n", path);
        return false;
    }
    run->out = fopen(path, "w");
    if (!run->out) {
        fprintf(stderr, "carom: %s: cannot be opened: %s\n", path, strerror(errno));
    }
    return run->out != NULL;
}

static bool close_output(Run *run) {
    bool good = !ferror(run->out);
    good = (run->out == stdout ? fflush(stdout) : fclose(run->out)) == 0 && good;
    run->out = NULL;
    return good || write_failed(run);
}

static bool run_batch(Run *run, const char *out_path) {
    run->lines = malloc(CHUNK_ROWS * sizeof *run->lines);
    run->text = malloc((size_t)CHUNK_ROWS * BATCH_ROW_BYTES);
    if (!csv_open(run->in, &run->reader) || !run->lines || !run->text) {
        return read_failed(run, "out of memory");
    }
    if (!read_header(run) || !open_output(run, out_path)) {
        return false;
    }
    run->start = run->shown = seconds();
    bool good = fputs(BATCH_HEADER, run->out) != EOF ? solve_rows(run) : write_failed(run);
    progress_end();
    if (good) {
        return close_output(run);
    }
    if (run->out != stdout) {
        fclose(run->out);
    }
    return false;
}

/* The number of rows that were not solved, and the reason for the first. */
static void report_failures(const Run *run) {
    const Piece *piece = &run->first_failed;
    bool readable = piece->fault.what == NULL;
    const char *column = readable ? "" : piece->fault.column;
    fprintf(
        stderr, "carom: %s: %llu of %llu rows were not solved; the first in line %llu: %s%s%s\n",
        run->in_name, run->failed, run->rows, run->first_failed_line, column, column[0] ? ": " : "",
        readable ? carom_status_string(piece->status) : piece->fault.what);
}

int batch_run(const char *in_path, const char *out_path, int threads) {
    Run run = {.in_name = in_path ? in_path : "standard input",
               .out_name = out_path ? out_path : "standard output",
               .in = in_path ? fopen(in_path, "rb") : stdin,
               .threads = threads};
    if (!run.in) {
        fprintf(stderr, "carom: %s: cannot be opened: %s\n", in_path, strerror(errno));
        return 2;
    }
    bool good = run_batch(&run, out_path);
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
