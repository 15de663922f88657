/* carom merge. */
#include "batch/merge_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "batch/batch_run.h"
#include "table/table_join.h"
#include "table/table_kind.h"

/* Room for a text of a summary, whose first 63 bytes count. */
enum { MERGE_TEXT = 1024 };

/* Rows must come one after the other. */
static bool see_row(void *context, double row, Error *error) {
    double *next = context;
    bool good = row == *next;
    ++*next;
    return good || error_set(error, "its rows do not come next: a shard is missing, given twice, "
                                    "or not in its place");
}

typedef struct Merge {
    const char *out_path;
    const SummaryPlan *summary;
    char *const *paths;
    int count;
    TableReader **readers;
    TableWriter *writer;
} Merge;

static bool fail(const char *path, const char *why) {
    message_error("%s: %s", path, why);
    return false;
}

static bool same_columns(const TableColumns *a, const TableColumns *b) {
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++) {
        same = strcmp(a->list[i].name, b->list[i].name) == 0 && a->list[i].kind == b->list[i].kind;
    }
    return same;
}

/* Look at the first rows of a table. False: see error. */
static bool guess_table(const char *path, TableGuess *guesses, Error *error) {
    TableReader *reader = table_open(path, error);
    TableChunk chunk = {0};
    TableCell cells[TABLE_COLUMNS_MAX];
    int count = reader ? reader->next(reader, &chunk, BATCH_BLOCK_ROWS, error) : -1;
    for (int i = 0; i < count; i++) {
        if (reader->row(reader, &chunk, i, cells)) {
            continue;
        }
        for (int k = 0; k < reader->columns.count; k++) {
            table_guess_cell(&guesses[k], &cells[k]);
        }
    }
    table_chunk_free(&chunk);
    table_close(reader);
    return count >= 0;
}

/* CSV does not say which columns are numbers: those that are in the first block of each table. */
static bool guess_kinds(const Merge *merge, TableColumns *columns) {
    TableGuess guesses[TABLE_COLUMNS_MAX] = {{0}};
    Error error;
    for (int i = 0; i < merge->count; i++) {
        if (!guess_table(merge->paths[i], guesses, &error)) {
            return fail(merge->paths[i], error.text);
        }
    }
    for (int i = 0; i < columns->count; i++) {
        TableColumn *column = &columns->list[i];
        table_guess_kind(&guesses[i], column);
        column->kind = !guesses[i].not_empty           ? TABLE_TEXT
                       : column->kind == TABLE_INTEGER ? TABLE_NUMBER
                                                       : column->kind;
        column->width = column->width > MERGE_TEXT ? column->width : MERGE_TEXT;
    }
    return true;
}

static bool open_tables(Merge *merge) {
    Error error;
    for (int i = 0; i < merge->count; i++) {
        merge->readers[i] = table_open(merge->paths[i], &error);
        if (!merge->readers[i]) {
            return fail(merge->paths[i], error.text);
        }
        if (!same_columns(&merge->readers[0]->columns, &merge->readers[i]->columns)) {
            return fail(merge->paths[i], "has other columns than the first table");
        }
    }
    TableColumns columns = merge->readers[0]->columns;
    if (strcmp(columns.list[columns.count - 1].name, BATCH_ROW) != 0) {
        return fail(merge->paths[0], "is not a shard: its last column is not " BATCH_ROW);
    }
    const char *out_name = merge->out_path ? merge->out_path : "standard output";
    bool is_csv = !merge->readers[0]->typed;
    if (!merge->summary && is_csv && table_is_typed(merge->out_path)) {
        return fail(out_name, "CSV tables can be merged to CSV only");
    }
    columns.count--; /* without the numbers of the rows */
    if (merge->summary && is_csv && !guess_kinds(merge, &columns)) {
        return false;
    }
    merge->writer = merge->summary
                        ? summary_create(merge->out_path, &columns, merge->summary, &error)
                        : table_create(merge->out_path, &columns, &error);
    return merge->writer || fail(out_name, error.text);
}

/* Blocks in turn, until all tables are at their end. */
static bool copy_blocks(const Merge *merge) {
    double next = 0;
    for (int i = 0, empty = 0; empty < merge->count; i = (i + 1) % merge->count) {
        Error error;
        long long rows = table_join_copy(merge->readers[i], merge->writer, BATCH_BLOCK_ROWS,
                                         see_row, &next, &error);
        if (rows < 0) {
            return fail(merge->paths[i], error.text);
        }
        empty = rows == 0 ? empty + 1 : 0;
    }
    return true;
}

int merge_run(const char *out_path, const SummaryPlan *summary, char *const *paths, int count) {
    Merge merge = {.out_path = out_path,
                   .summary = summary,
                   .paths = paths,
                   .count = count,
                   .readers = calloc((size_t)count, sizeof *merge.readers)};
    Error error;
    bool good = merge.readers != NULL && open_tables(&merge) && copy_blocks(&merge);
    if (good && !merge.writer->finish(merge.writer, &error)) {
        good = fail(out_path ? out_path : "standard output", error.text);
    }
    table_writer_close(merge.writer);
    for (int i = 0; i < count && merge.readers; i++) {
        table_close(merge.readers[i]);
    }
    free(merge.readers);
    return good ? 0 : 2;
}
