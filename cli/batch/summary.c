/* The summary of a table instead of its rows. */
#include "batch/summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output_file.h"
#include "table/binary.h"

/* Numbers are counted in classes: by sign, by power of 2 and by 256 equal parts of it. Below 2^-64
 * and above 2^64 there is one class each. */
enum { PARTS = 256, LOWEST = -64, HIGHEST = 64, CLASSES = PARTS * (HIGHEST - LOWEST) + 2 };

typedef struct Numbers {
    unsigned long long count, others; /* finite numbers, and those that are not */
    double mean, squares;             /* of the deviations from it: Welford's method */
    double least, greatest;
    unsigned long long *classes[2]; /* of positive and negative numbers; NULL: none yet */
} Numbers;

enum { TEXTS_MAX = 32, TEXT_SIZE = 64 };

typedef struct Texts {
    int count; /* different ones */
    char list[TEXTS_MAX][TEXT_SIZE];
    unsigned long long times[TEXTS_MAX], others;
} Texts;

typedef struct Writer {
    TableWriter table;
    const char *path;
    size_t record_size;
    unsigned long long rows;
    Numbers *numbers; /* of each column */
    Texts *texts;
} Writer;

static int class_of(double size) {
    int power;
    double part = frexp(size, &power); /* 1/2 to 1 */
    if (!(size > 0) || power <= LOWEST) {
        return 0;
    }
    return power > HIGHEST ? CLASSES - 1
                           : 1 + (power - 1 - LOWEST) * PARTS + (int)((2 * part - 1) * PARTS);
}

/* The middle of a class. */
static double class_value(int index) {
    if (index == 0) {
        return 0;
    }
    int power = (index - 1) / PARTS + LOWEST, part = (index - 1) % PARTS;
    return ldexp(1 + (part + 0.5) / PARTS, power);
}

static bool count_number(Numbers *numbers, double number) {
    if (!isfinite(number)) {
        numbers->others++;
        return true;
    }
    unsigned long long **classes = &numbers->classes[number < 0];
    if (!*classes && !(*classes = calloc(CLASSES, sizeof **classes))) {
        return false;
    }
    (*classes)[class_of(fabs(number))]++;
    numbers->least = numbers->count == 0 ? number : fmin(numbers->least, number);
    numbers->greatest = numbers->count == 0 ? number : fmax(numbers->greatest, number);
    numbers->count++;
    double step = number - numbers->mean;
    numbers->mean += step / (double)numbers->count;
    numbers->squares += step * (number - numbers->mean);
    return true;
}

static void count_text(Texts *texts, const char *text, size_t size) {
    char copy[TEXT_SIZE] = "";
    memcpy(copy, text, size < TEXT_SIZE ? size : TEXT_SIZE - 1);
    for (int i = 0; i < texts->count; i++) {
        if (strcmp(texts->list[i], copy) == 0) {
            texts->times[i]++;
            return;
        }
    }
    if (texts->count == TEXTS_MAX) {
        texts->others++;
        return;
    }
    memcpy(texts->list[texts->count], copy, TEXT_SIZE);
    texts->times[texts->count++] = 1;
}

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

static bool append_records(TableWriter *table, const char *bytes, size_t length, int rows,
                           Error *error) {
    Writer *writer = (Writer *)table;
    (void)length;
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < table->columns.count; i++) {
            const TableColumn *column = &table->columns.list[i];
            if (column->kind == TABLE_TEXT) {
                count_text(&writer->texts[i], bytes, column->width);
            } else if (!count_number(&writer->numbers[i], read_number(column, bytes))) {
                return error_set(error, "out of memory");
            }
            bytes += binary_size(column);
        }
    }
    writer->rows += (unsigned long long)rows;
    return true;
}

/* The value below which a part of the numbers is, by classes from the most negative on. */
static double quantile(const Numbers *numbers, double part) {
    double wanted = part * (double)(numbers->count - 1), before = 0;
    for (int at = -(CLASSES - 1); at < CLASSES; at++) {
        const unsigned long long *classes = numbers->classes[at < 0];
        double here = classes ? (double)classes[abs(at)] : 0;
        if (at == 0 && numbers->classes[1]) {
            here += (double)numbers->classes[1][0];
        }
        before += here;
        if (before > wanted) {
            double value = at < 0 ? -class_value(-at) : class_value(at);
            return fmin(fmax(value, numbers->least), numbers->greatest);
        }
    }
    return numbers->greatest;
}

static void write_numbers(FILE *file, const Writer *writer, int width) {
    static const double parts[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    fprintf(file, "%*s %11s %11s %11s %11s %11s %11s %11s %11s %11s\n", width, "", "mean",
            "std. dev.", "least", "5 %", "25 %", "median", "75 %", "95 %", "greatest");
    for (int i = 0; i < writer->table.columns.count; i++) {
        const Numbers *numbers = &writer->numbers[i];
        if (writer->table.columns.list[i].kind == TABLE_TEXT) {
            continue;
        }
        fprintf(file, "%-*s", width, writer->table.columns.list[i].name);
        if (numbers->count == 0) {
            fprintf(file, " no finite number\n");
            continue;
        }
        double freedom = numbers->count > 1 ? (double)(numbers->count - 1) : 1;
        fprintf(file, " %11.5g %11.5g %11.5g", numbers->mean, sqrt(numbers->squares / freedom),
                numbers->least);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            fprintf(file, " %11.4g", quantile(numbers, parts[k]));
        }
        fprintf(file, " %11.5g", numbers->greatest);
        if (numbers->others > 0) {
            fprintf(file, "  (%llu without)", numbers->others);
        }
        fprintf(file, "\n");
    }
}

static void write_texts(FILE *file, const Writer *writer) {
    for (int i = 0; i < writer->table.columns.count; i++) {
        const Texts *texts = &writer->texts[i];
        if (writer->table.columns.list[i].kind != TABLE_TEXT) {
            continue;
        }
        fprintf(file, "\n%s\n", writer->table.columns.list[i].name);
        /* the most frequent first; of equals the first seen */
        bool done[TEXTS_MAX] = {false};
        for (int k = 0; k < texts->count; k++) {
            int best = -1;
            for (int j = 0; j < texts->count; j++) {
                if (!done[j] && (best < 0 || texts->times[j] > texts->times[best])) {
                    best = j;
                }
            }
            done[best] = true;
            fprintf(file, "  %-16s %12llu  %8.4f %%\n",
                    texts->list[best][0] ? texts->list[best] : "(none)", texts->times[best],
                    100 * (double)texts->times[best] / (double)writer->rows);
        }
        if (texts->others > 0) {
            fprintf(file, "  %-16s %12llu\n", "(others)", texts->others);
        }
    }
}

static void write_summary(FILE *file, const void *data) {
    const Writer *writer = data;
    int width = 12;
    for (int i = 0; i < writer->table.columns.count; i++) {
        int length = (int)strlen(writer->table.columns.list[i].name);
        width = writer->table.columns.list[i].kind != TABLE_TEXT && length > width ? length : width;
    }
    fprintf(file, "%llu rows\n\n", writer->rows);
    write_numbers(file, writer, width);
    int energy = table_find(&writer->table.columns, "energy_change");
    if (energy >= 0 && writer->numbers[energy].count > 0) {
        double gain = fmax(0, writer->numbers[energy].greatest);
        fprintf(file, "\nLargest gain of energy: %.5g\n", gain);
    }
    write_texts(file, writer);
}

static bool finish_summary(TableWriter *table, Error *error) {
    Writer *writer = (Writer *)table;
    if (writer->path) {
        return output_file_write(writer->path, write_summary, writer, error);
    }
    write_summary(stdout, writer);
    return output_stream_flush(stdout) || error_set(error, "%s", strerror(errno));
}

static void close_writer(TableWriter *table) {
    Writer *writer = (Writer *)table;
    for (int i = 0; i < table->columns.count && writer->numbers; i++) {
        free(writer->numbers[i].classes[0]);
        free(writer->numbers[i].classes[1]);
    }
    free(writer->numbers);
    free(writer->texts);
    free(writer);
}

TableWriter *summary_create(const char *path, const TableColumns *columns, Error *error) {
    Writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        error_set(error, "out of memory");
        return NULL;
    }
    writer->table = (TableWriter){.columns = *columns,
                                  .typed = true,
                                  .room = binary_record_room,
                                  .encode = binary_record_encode,
                                  .append = append_records,
                                  .finish = finish_summary,
                                  .close = close_writer};
    writer->path = path;
    writer->numbers = calloc((size_t)columns->count, sizeof *writer->numbers);
    writer->texts = calloc((size_t)columns->count, sizeof *writer->texts);
    if (!writer->numbers || !writer->texts) {
        close_writer(&writer->table);
        error_set(error, "out of memory");
        return NULL;
    }
    return &writer->table;
}
