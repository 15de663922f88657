/* The summary of a table instead of its rows. */
#include "batch/summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/summary_plot.h"
#include "io/output_file.h"
#include "table/binary.h"

typedef struct Writer {
    TableWriter table;
    const char *path;
    Summary summary;
} Writer;

static double read_number(const TableColumn *column, const char *bytes) {
    int64_t integer;
    double number;
    if (column->kind == TABLE_INTEGER) {
        memcpy(&integer, bytes, sizeof integer);
        return (double)integer;
    }
    memcpy(&number, bytes, sizeof number);
    return number;
}

/* Count a value, and keep it where a map is wanted. */
static bool count_value(Summary *summary, int column, unsigned long long row, const char *bytes) {
    const TableColumn *type = &summary->columns->list[column];
    double *map = summary->maps[column], number;
    if (type->kind == TABLE_TEXT) {
        int place = summary_count_text(&summary->texts[column], bytes, type->width);
        number = place < 0 ? (double)NAN : (double)place;
    } else {
        number = read_number(type, bytes);
        if (!summary_count_number(&summary->numbers[column], number)) {
            return false;
        }
    }
    const SummaryAxis *axes = summary->plan->axes;
    if (map && row < (unsigned long long)(axes[0].count * axes[1].count)) {
        map[row] = number;
    }
    return true;
}

static bool append_records(TableWriter *table, const char *bytes, size_t length, int rows,
                           Error *error) {
    Summary *summary = &((Writer *)table)->summary;
    (void)length;
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < table->columns.count; i++) {
            if (!count_value(summary, i, summary->rows, bytes)) {
                return error_set(error, "out of memory");
            }
            bytes += binary_size(&table->columns.list[i]);
        }
        summary->rows++;
    }
    return true;
}

static void write_numbers(FILE *file, const Summary *summary, int width) {
    static const double parts[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    fprintf(file, "%*s %11s %11s %11s %11s %11s %11s %11s %11s %11s\n", width, "", "mean",
            "std. dev.", "least", "5 %", "25 %", "median", "75 %", "95 %", "greatest");
    for (int i = 0; i < summary->columns->count; i++) {
        const SummaryNumbers *numbers = &summary->numbers[i];
        if (summary->columns->list[i].kind == TABLE_TEXT) {
            continue;
        }
        fprintf(file, "%-*s", width, summary->columns->list[i].name);
        if (numbers->count == 0) {
            fprintf(file, " no finite number\n");
            continue;
        }
        double freedom = numbers->count > 1 ? (double)(numbers->count - 1) : 1;
        fprintf(file, " %11.5g %11.5g %11.5g", numbers->mean, sqrt(numbers->squares / freedom),
                numbers->least);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            fprintf(file, " %11.4g", summary_quantile(numbers, parts[k]));
        }
        fprintf(file, " %11.5g", numbers->greatest);
        if (numbers->others > 0) {
            fprintf(file, "  (%llu without)", numbers->others);
        }
        fprintf(file, "\n");
    }
}

static void write_texts(FILE *file, const Summary *summary) {
    for (int i = 0; i < summary->columns->count; i++) {
        const SummaryTexts *texts = &summary->texts[i];
        if (summary->columns->list[i].kind != TABLE_TEXT) {
            continue;
        }
        fprintf(file, "\n%s\n", summary->columns->list[i].name);
        int order[SUMMARY_TEXTS];
        summary_order(texts, order);
        for (int k = 0; k < texts->count; k++) {
            int at = order[k];
            fprintf(file, "  %-16s %12llu  %8.4f %%\n",
                    texts->list[at][0] ? texts->list[at] : "(none)", texts->times[at],
                    100 * (double)texts->times[at] / (double)summary->rows);
        }
        if (texts->others > 0) {
            fprintf(file, "  %-16s %12llu\n", "(others)", texts->others);
        }
    }
}

static void write_summary(FILE *file, const void *data) {
    const Summary *summary = data;
    int width = 12;
    for (int i = 0; i < summary->columns->count; i++) {
        int length = (int)strlen(summary->columns->list[i].name);
        width = summary->columns->list[i].kind != TABLE_TEXT && length > width ? length : width;
    }
    fprintf(file, "%llu rows\n\n", summary->rows);
    write_numbers(file, summary, width);
    int energy = table_find(summary->columns, "energy_change");
    if (energy >= 0 && summary->numbers[energy].count > 0) {
        double gain = fmax(0, summary->numbers[energy].greatest);
        fprintf(file, "\nLargest gain of energy: %.5g\n", gain);
    }
    write_texts(file, summary);
}

static bool finish_summary(TableWriter *table, Error *error) {
    const Writer *writer = (const Writer *)table;
    const Summary *summary = &writer->summary;
    if (summary->plan->plot && !summary_plot(summary, error)) {
        return false;
    }
    if (writer->path) {
        return output_file_write(writer->path, write_summary, summary, error);
    }
    write_summary(stdout, summary);
    return output_stream_flush(stdout) || error_set(error, "%s", strerror(errno));
}

static void close_writer(TableWriter *table) {
    Writer *writer = (Writer *)table;
    Summary *summary = &writer->summary;
    for (int i = 0; i < table->columns.count; i++) {
        if (summary->numbers) {
            summary_free_numbers(&summary->numbers[i]);
        }
        if (summary->maps) {
            free(summary->maps[i]);
        }
    }
    free(summary->numbers);
    free(summary->texts);
    free(summary->maps);
    free(writer);
}

/* What the picture needs of a column. False: out of memory. */
static bool prepare_plot(Summary *summary, int column) {
    const SummaryPlan *plan = summary->plan;
    double points = (double)plan->axes[0].count * (double)plan->axes[1].count;
    if (!plan->plot || column < plan->skipped) {
        return true;
    }
    if (points > 0 && points <= SUMMARY_MAP_POINTS) {
        double *map = malloc((size_t)points * sizeof *map);
        for (int i = 0; map && i < (int)points; i++) {
            map[i] = NAN;
        }
        summary->maps[column] = map;
        return map != NULL;
    }
    SummaryNumbers *numbers = &summary->numbers[column];
    numbers->bins = calloc(1, sizeof *numbers->bins);
    return numbers->bins != NULL;
}

TableWriter *summary_create(const char *path, const TableColumns *columns, const SummaryPlan *plan,
                            Error *error) {
    Writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        error_set(error, "out of memory");
        return NULL;
    }
    Summary *summary = &writer->summary;
    size_t count = (size_t)columns->count;
    writer->table = (TableWriter){.columns = *columns,
                                  .typed = true,
                                  .append = append_records,
                                  .finish = finish_summary,
                                  .close = close_writer};
    writer->path = path;
    *summary = (Summary){.columns = &writer->table.columns,
                         .plan = plan,
                         .numbers = calloc(count, sizeof *summary->numbers),
                         .texts = calloc(count, sizeof *summary->texts),
                         .maps = calloc(count, sizeof *summary->maps)};
    bool good = summary->numbers && summary->texts && summary->maps;
    for (int i = 0; i < columns->count && good; i++) {
        good = prepare_plot(summary, i);
    }
    if (!good) {
        close_writer(&writer->table);
        error_set(error, "out of memory");
        return NULL;
    }
    return &writer->table;
}
