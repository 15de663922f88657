/* carom batch: a table is read in chunks; threads solve and encode them; they are written in order.
 */
#include "batch/batch_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "batch/batch_parts.h"
#include "batch/pipeline.h"
#include "batch/shard_output.h"
#include "io/progress.h"
#include "table/table_kind.h"

/* A chunk of rows on its way through. */
typedef struct Slot {
    TableChunk chunk;
    BatchWork *work;
    TableBuffer buffer; /* encoded rows */
    TableFit fit;
    TableMisfit misfit;
    int failed;         /* rows that were not solved */
    int first_failed;   /* row of the chunk */
    CaromStatus status; /* of that row */
    char reason[BATCH_REASON_SIZE];
} Slot;

/* A run from one table to another. */
typedef struct Run {
    const BatchRun *given;
    TableColumns columns; /* of the output */
    TableColumns encoded; /* of what is written: in a part one more */
    SummaryPlan summary;
    bool typed; /* rows are written as records */
    int slot_count;
    Slot *slots;
    bool peeked;              /* slot 0 has the first rows already */
    unsigned long long at;    /* row that the reader is at */
    unsigned long long next;  /* row to solve next */
    unsigned long long taken; /* part that this process has, + 1; 0: none */
    TableWriter *writer;      /* of the output, or of a part; NULL: none yet */
    unsigned long long part;  /* that is written */
    unsigned long long rows, failed, first_failed_row;
    CaromStatus first_status; /* of the first row that failed */
    char first_reason[BATCH_REASON_SIZE];
    double start, shown; /* seconds: of the start, and when progress was last shown */
} Run;

static bool fail(const char *name, const char *why) {
    message_error("%s: %s", name, why);
    return false;
}

static bool write_failed(const Run *run, const Error *error) {
    message_error("%s: cannot be written: %s", run->given->out_name, error->text);
    return false;
}

static unsigned long long row_name(const Run *run, unsigned long long row) {
    return row + (unsigned long long)run->given->reader->first_line;
}

static const char *row_word(const Run *run) {
    return run->given->reader->typed ? "row" : "line";
}

/* Is a part to be made by this run: it has a block of this shard, and is not there? */
static bool part_is_wanted(const Run *run, unsigned long long part) {
    const BatchRun *given = run->given;
    unsigned long long blocks = given->part_rows / BATCH_BLOCK_ROWS, first = part * blocks;
    unsigned long long shards = (unsigned long long)given->shards;
    unsigned long long ours =
        first + ((unsigned long long)given->shard + shards - first % shards) % shards;
    return ours < first + blocks && !batch_parts_has(given->parts, part);
}

/* The row to solve after those before row, which is at the beginning of a block or within one. */
static unsigned long long find_next(Run *run, unsigned long long row) {
    const BatchRun *given = run->given;
    const TableReader *reader = given->reader;
    unsigned long long shards = (unsigned long long)given->shards;
    while (row % BATCH_BLOCK_ROWS == 0 && !(reader->counted && row >= reader->total)) {
        unsigned long long part = given->parts ? row / given->part_rows : 0;
        if (given->parts && run->taken != part + 1) {
            part = given->ranks ? given->ranks->take(given->ranks) : part;
            row = part * given->part_rows;
            if (!part_is_wanted(run, part)) {
                row += given->part_rows;
                continue;
            }
            run->taken = part + 1;
        } else if (row / BATCH_BLOCK_ROWS % shards == (unsigned long long)given->shard) {
            break;
        } else {
            row += BATCH_BLOCK_ROWS;
        }
    }
    return row;
}

/* Rows from run->next on, up to the end of their block. Returns their number, -1: failed. */
static int read_chunk(Run *run, TableChunk *chunk) {
    TableReader *reader = run->given->reader;
    Error error;
    if (run->next > run->at) {
        long long skipped = reader->skip(reader, run->next - run->at, &error);
        if (skipped < 0) {
            fail(run->given->in_name, error.text);
            return -1;
        }
        run->at += (unsigned long long)skipped;
        if (run->at < run->next) { /* the end */
            return 0;
        }
    }
    int most = BATCH_BLOCK_ROWS - (int)(run->next % BATCH_BLOCK_ROWS);
    int count = reader->next(reader, chunk, most, &error);
    if (count < 0) {
        fail(run->given->in_name, error.text);
        return -1;
    }
    chunk->first = run->at;
    run->at += (unsigned long long)count;
    return count;
}

static int read_slot(void *context, int index) {
    Run *run = context;
    TableChunk *chunk = &run->slots[index].chunk;
    run->next = find_next(run, run->next);
    int count = run->peeked && run->next == 0 ? chunk->count : read_chunk(run, chunk);
    run->peeked = false;
    run->next += count > 0 ? (unsigned long long)count : 0;
    return count < 0 ? -1 : count > 0;
}

/* Count the rows of a piece that were not solved. */
static void note_failures(const Run *run, int first, int count, Slot *slot) {
    const BatchRun *given = run->given;
    for (int i = 0; i < count; i++) {
        if (slot->work->statuses[i] < 0 && slot->failed++ == 0) {
            slot->first_failed = first + i;
            slot->status = (CaromStatus)slot->work->statuses[i];
            given->rows->explain(given->rows, given->reader, &slot->chunk, first + i, slot->reason);
        }
    }
}

/* Encode a piece. */
static void encode_piece(const Run *run, int first, int count, Slot *slot) {
    const BatchRun *given = run->given;
    TableSource sources[TABLE_COLUMNS_MAX];
    int64_t numbers[BATCH_PIECE_ROWS];
    int next = given->rows->passed_count + given->rows->columns.count;
    memcpy(sources, slot->work->sources, (size_t)next * sizeof *sources);
    if (given->shards > 1) {
        for (int i = 0; i < count; i++) {
            numbers[i] = (int64_t)slot->chunk.first + first + i;
        }
        sources[next++] = (TableSource){TABLE_SOURCE_INTEGERS, numbers, sizeof *numbers};
    }
    if (given->parts) {
        sources[next++] = (TableSource){TABLE_SOURCE_INTEGERS, slot->work->statuses,
                                        sizeof *slot->work->statuses};
    }
    slot->fit =
        table_encode(&run->encoded, run->typed, sources, count, &slot->buffer, &slot->misfit);
    slot->misfit.row += first;
}

/* Solve and encode the rows of a slot. */
static void solve_slot(void *context, int index) {
    const Run *run = context;
    const BatchRows *rows = run->given->rows;
    Slot *slot = &run->slots[index];
    slot->buffer.length = 0;
    slot->failed = 0;
    slot->fit = TABLE_FITS;
    for (int first = 0; first < slot->chunk.count && slot->fit == TABLE_FITS;
         first += BATCH_PIECE_ROWS) {
        int left = slot->chunk.count - first;
        int count = left < BATCH_PIECE_ROWS ? left : BATCH_PIECE_ROWS;
        rows->solve(rows, run->given->reader, &slot->chunk, first, count, slot->work);
        note_failures(run, first, count, slot);
        encode_piece(run, first, count, slot);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every half second. */
static void show_progress(Run *run, unsigned long long at) {
    const BatchRun *given = run->given;
    double now = seconds(), rate = (double)run->rows / (now - run->start);
    if (now - run->shown < 0.5 || (given->ranks && given->ranks->rank > 0)) {
        return;
    }
    run->shown = now;
    double all = given->ranks ? rate * given->ranks->count : rate; /* others are about as fast */
    if (given->reader->counted) {
        double left = (double)(given->reader->total - at) / given->shards;
        progress_show("%llu of %llu rows, %.0f rows/s, %.0f s left", at, given->reader->total, all,
                      left / all);
    } else {
        progress_show("%llu rows, %.0f rows/s", run->rows, rate);
    }
}

static bool finish_writer(Run *run) {
    Error error;
    bool good =
        !run->writer || run->writer->finish(run->writer, &error) || write_failed(run, &error);
    table_writer_close(run->writer);
    run->writer = NULL;
    return good;
}

/* Where a chunk begins another part: complete the one before and begin the new one. */
static bool change_part(Run *run, unsigned long long row) {
    const BatchRun *given = run->given;
    Error error;
    unsigned long long part = given->parts ? row / given->part_rows : 0;
    if (!given->parts || (run->writer && part == run->part)) {
        return true;
    }
    if (!finish_writer(run)) {
        return false;
    }
    run->part = part;
    run->writer = batch_parts_create(given->parts, part, &run->encoded, &error);
    return run->writer || write_failed(run, &error);
}

static bool misfit(const Run *run, const Slot *slot) {
    message_error("%s: %s %llu: column \"%s\": does not fit the kind of column that the first "
                  "rows have, so it cannot be copied to %s",
                  run->given->in_name, row_word(run),
                  row_name(run, slot->chunk.first + (unsigned long long)slot->misfit.row),
                  run->columns.list[slot->misfit.column].name, run->given->out_name);
    return false;
}

static bool write_slot(void *context, int index) {
    Run *run = context;
    const Slot *slot = &run->slots[index];
    Error error;
    if (slot->fit != TABLE_FITS) {
        return slot->fit == TABLE_MISFIT ? misfit(run, slot)
                                         : fail(run->given->out_name, "out of memory");
    }
    if (!change_part(run, slot->chunk.first)) {
        return false;
    }
    if (!run->writer->append(run->writer, slot->buffer.bytes, slot->buffer.length,
                             slot->chunk.count, &error)) {
        return write_failed(run, &error);
    }
    if (run->failed == 0 && slot->failed > 0) {
        run->first_status = slot->status;
        memcpy(run->first_reason, slot->reason, sizeof slot->reason);
        run->first_failed_row =
            row_name(run, slot->chunk.first + (unsigned long long)slot->first_failed);
    }
    run->failed += (unsigned long long)slot->failed;
    run->rows += (unsigned long long)slot->chunk.count;
    show_progress(run, slot->chunk.first + (unsigned long long)slot->chunk.count);
    return true;
}

/* The kind of a column of texts that is copied to a binary table: what all its texts in the first
 * chunk are, a text with room for twice as long ones. */
static void choose_kind(const Run *run, int place, TableColumn *column) {
    TableGuess guess = {0};
    TableCell cells[TABLE_COLUMNS_MAX];
    const TableChunk *chunk = &run->slots[0].chunk;
    for (int i = 0; i < chunk->count; i++) {
        if (!run->given->reader->row(run->given->reader, chunk, i, cells)) {
            table_guess_cell(&guess, &cells[place]);
        }
    }
    table_guess_kind(&guess, column);
}

/* The columns of the output, when the first chunk is there. */
static bool choose_columns(const Run *run, TableColumns *columns, Error *error) {
    const BatchRun *given = run->given;
    columns->count = 0;
    for (int i = 0; i < given->rows->passed_count; i++) {
        const TableColumn *from = &given->reader->columns.list[given->rows->passed[i]];
        TableColumn *column = table_add(columns, from->name, strlen(from->name), from->kind);
        column->width = from->width;
        if (run->typed && !given->reader->typed) {
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

/* The output may replace what is there, but not the work of another shard. */
static bool may_replace(const Run *run) {
    const BatchRun *given = run->given;
    unsigned long long first = (unsigned long long)given->shard * BATCH_BLOCK_ROWS;
    return given->shards == 1 || !given->out_path || given->summary ||
           !shard_output_is_other(given->out_path, first) ||
           fail(given->out_name, "is the output of another shard: each needs a file of its own");
}

/* The output: a table, or its summary. */
static TableWriter *create_output(const Run *run, Error *error) {
    const BatchRun *given = run->given;
    return given->summary ? summary_create(given->out_path, &run->columns, &run->summary, error)
                          : table_create(given->out_path, &run->columns, error);
}

/* Memory of all slots. */
static bool make_slots(Run *run) {
    run->slot_count = pipeline_slots(run->given->threads);
    run->slots = calloc((size_t)run->slot_count, sizeof *run->slots);
    for (int i = 0; run->slots && i < run->slot_count; i++) {
        run->slots[i].work = run->given->rows->start(run->given->rows);
        if (!run->slots[i].work) {
            return false;
        }
    }
    return run->slots != NULL;
}

/* The first rows decide about the columns, whichever rows are solved. */
static bool begin(Run *run) {
    const BatchRun *given = run->given;
    Error error;
    if (!make_slots(run)) {
        return fail(given->in_name, "out of memory");
    }
    if (read_chunk(run, &run->slots[0].chunk) < 0) {
        return false;
    }
    run->peeked = run->slots[0].chunk.count > 0;
    if (!choose_columns(run, &run->columns, &error)) {
        return fail(given->in_name, error.text);
    }
    if (!may_replace(run)) {
        return false;
    }
    run->encoded = run->columns;
    if (given->parts) {
        return batch_parts_columns(&run->encoded, &error) || fail(given->in_name, error.text);
    }
    run->writer = create_output(run, &error);
    return run->writer || write_failed(run, &error);
}

/* Rows of this shard in a table of so many. */
static unsigned long long shard_rows(const BatchRun *given, unsigned long long total) {
    unsigned long long shard = (unsigned long long)given->shard;
    unsigned long long shards = (unsigned long long)given->shards;
    unsigned long long blocks = total / BATCH_BLOCK_ROWS, rest = total % BATCH_BLOCK_ROWS;
    unsigned long long ours = (blocks + shards - 1 - shard) / shards;
    return ours * BATCH_BLOCK_ROWS + (blocks % shards == shard ? rest : 0);
}

/* All parts are there: the output is made of them. */
static bool join_parts(Run *run) {
    const BatchRun *given = run->given;
    BatchJoined joined = {0};
    Error error;
    if (!may_replace(run)) {
        return false;
    }
    run->writer = create_output(run, &error);
    if (!run->writer ||
        !batch_parts_join(given->parts, (run->at + given->part_rows - 1) / given->part_rows,
                          shard_rows(given, run->at), run->writer, &joined, &error)) {
        return write_failed(run, &error);
    }
    if (joined.failed > run->failed) { /* some in parts of an earlier run, or of others */
        run->first_status = joined.first_status;
        run->first_failed_row = row_name(run, joined.first_failed);
        run->first_reason[0] = '\0';
    }
    run->failed = joined.failed;
    run->rows = joined.rows;
    return true;
}

/* Count all rows of a table that does not say how many it has. */
static bool find_end(Run *run) {
    TableReader *reader = run->given->reader;
    Error error;
    if (reader->counted) {
        run->at = reader->total;
        return true;
    }
    long long left = reader->skip(reader, INT64_MAX, &error);
    run->at += left > 0 ? (unsigned long long)left : 0;
    return left >= 0 || fail(run->given->in_name, error.text);
}

static bool solve_rows(Run *run) {
    static const PipelineSteps steps = {read_slot, solve_slot, write_slot};
    const BatchRun *given = run->given;
    Crew *crew = crew_create(given->threads);
    bool good = crew || fail(given->in_name, "out of memory");
    run->start = run->shown = seconds();
    good = good && pipeline_run(crew, given->threads, &steps, run);
    crew_free(crew);
    progress_end();
    /* another task may have written it meanwhile */
    return good && (given->parts || may_replace(run)) && finish_writer(run);
}

/* The number of rows that were not solved, and the reason for the first. */
static void report_failures(const Run *run) {
    bool invalid = run->first_status == CAROM_INVALID_INPUT;
    const char *status = carom_status_string(run->first_status), *reason = run->first_reason;
    message_error("%s: %llu of %llu rows were not solved; the first in %s %llu: %s%s%s",
                  run->given->in_name, run->failed, run->rows, row_word(run), run->first_failed_row,
                  invalid && reason[0] ? "" : status, invalid || !reason[0] ? "" : ": ", reason);
}

/* After all rows: the first process joins the parts of all. */
static bool complete(Run *run, bool good) {
    BatchRanks *ranks = run->given->ranks;
    if (ranks && !ranks->agree(ranks, good)) {
        return good ? fail(run->given->out_name, "not made: another process failed") : false;
    }
    if (ranks && ranks->rank > 0) {
        run->failed = 0; /* the first process tells */
        return ranks->agree(ranks, true);
    }
    good = good && (!run->given->parts || (find_end(run) && join_parts(run)));
    return !ranks || ranks->agree(ranks, good) ? good : false;
}

static void free_run(Run *run) {
    table_writer_close(run->writer);
    for (int i = 0; i < run->slot_count && run->slots; i++) {
        table_chunk_free(&run->slots[i].chunk);
        run->given->rows->end(run->slots[i].work);
        free(run->slots[i].buffer.bytes);
    }
    free(run->slots);
    free(run);
}

int batch_run(const BatchRun *given) {
    Run *run = calloc(1, sizeof *run);
    if (!run) {
        message_error("out of memory");
        return 2;
    }
    run->given = given;
    run->typed = given->summary || table_is_typed(given->out_path);
    if (given->summary) {
        run->summary = *given->summary;
        run->summary.skipped = given->rows->passed_count;
    }
    bool good = begin(run) && solve_rows(run);
    progress_end();
    good = complete(run, good);
    if (run->failed > 0) {
        report_failures(run);
    }
    int status = !good ? 2 : run->failed > 0 ? 1 : 0;
    free_run(run);
    return status;
}
