/* A run that can be broken off. */
#include "batch/batch_parts.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/document.h"
#include "io/output_file.h"
#include "table/table_join.h"
#include "table/table_reader.h"

/* The file with the command of the run. */
#define COMMAND_FILE "command.txt"

/* The path of a file in the folder; free() it. NULL: out of memory. */
static char *path_of(const BatchParts *parts, const char *name) {
    size_t size = strlen(parts->folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s", parts->folder, name);
    }
    return path;
}

static char *part_path(const BatchParts *parts, unsigned long long index) {
    char name[64];
    snprintf(name, sizeof name, "%09llu%s", index, parts->suffix);
    return path_of(parts, name);
}

/* The end of the output's name. */
static void choose_suffix(bool rows_kept, BatchParts *parts) {
    const char *slash = strrchr(parts->out_path, '/');
    const char *dot = strrchr(slash ? slash : parts->out_path, '.');
    snprintf(parts->suffix, sizeof parts->suffix, "%.16s", !rows_kept ? ".npy" : dot ? dot : "");
}

static void write_text(FILE *file, const void *text) {
    fputs(text, file);
}

/* The folder is of the same command. */
static bool check_command(const BatchParts *parts, const char *path, const char *command,
                          Error *error) {
    size_t size;
    Error why;
    char *text = document_read_bytes(path, &size, &why);
    bool same = text && size == strlen(command) && memcmp(text, command, size) == 0;
    free(text);
    return same || error_set(error,
                             "%s is of another command (see " COMMAND_FILE " in it): remove it, "
                             "or choose another output",
                             parts->folder);
}

bool batch_parts_open(const char *out_path, bool rows_kept, const char *command, bool resume,
                      BatchParts *parts, Error *error) {
    size_t size = strlen(out_path) + 8;
    *parts = (BatchParts){.folder = malloc(size), .out_path = out_path};
    if (!parts->folder) {
        return error_set(error, "out of memory");
    }
    snprintf(parts->folder, size, "%s.parts", out_path);
    choose_suffix(rows_kept, parts);
    char *path = path_of(parts, COMMAND_FILE);
    struct stat about;
    bool good = path || error_set(error, "out of memory");
    if (good && mkdir(parts->folder, 0777) != 0) {
        good = errno == EEXIST || error_set(error, "%s: %s", parts->folder, strerror(errno));
        if (good && !resume) {
            good = error_set(error,
                             "%s is there, of a run that was broken off: --resume goes on with it",
                             parts->folder);
        }
    }
    if (good) {
        good = stat(path, &about) == 0 ? check_command(parts, path, command, error)
                                       : output_file_write(path, write_text, command, error);
    }
    free(path);
    return good;
}

void batch_parts_close(BatchParts *parts) {
    free(parts->folder);
    parts->folder = NULL;
}

bool batch_parts_has(const BatchParts *parts, unsigned long long index) {
    char *path = part_path(parts, index);
    struct stat about;
    bool there = path && stat(path, &about) == 0;
    free(path);
    return there;
}

bool batch_parts_columns(TableColumns *columns, Error *error) {
    return table_add(columns, BATCH_PARTS_STATUS, strlen(BATCH_PARTS_STATUS), TABLE_INTEGER) ||
           error_set(error, "the output would have more than %d columns", TABLE_COLUMNS_MAX);
}

TableWriter *batch_parts_create(const BatchParts *parts, unsigned long long index,
                                const TableColumns *columns, Error *error) {
    char *path = part_path(parts, index);
    TableWriter *writer =
        path ? table_create(path, columns, error) : (error_set(error, "out of memory"), NULL);
    free(path);
    return writer;
}

/* The status of a row of a part. */
static bool see_row(void *context, double status, Error *error) {
    BatchJoined *joined = context;
    if (isnan(status)) {
        return error_set(error, "is damaged");
    }
    if (status < 0 && joined->failed++ == 0) {
        joined->first_failed = joined->rows;
        joined->first_status = (CaromStatus)status;
    }
    joined->rows++;
    return true;
}

static bool join_part(const BatchParts *parts, unsigned long long index, TableWriter *writer,
                      BatchJoined *joined, Error *error) {
    char *path = part_path(parts, index);
    Error why;
    TableReader *reader = path ? table_open(path, &why) : NULL;
    bool good =
        reader || error_set(error, "part %llu: %s", index, path ? why.text : "out of memory");
    if (good) {
        good = table_join_copy(reader, writer, INT64_MAX, see_row, joined, &why) >= 0 ||
               error_set(error, "part %llu: %s", index, why.text);
    }
    table_close(reader);
    free(path);
    return good;
}

/* Is it a name of ours: a part, or what a killed run left of one? */
static bool is_ours(const char *name) {
    return strncmp(name, ".carom-", 7) == 0 || strspn(name, "0123456789") >= 9;
}

/* Remove our files and the folder, the command last: parts without it could be taken for those of
 * another. What is not ours keeps the folder there. */
static void remove_folder(const BatchParts *parts) {
    DIR *folder = opendir(parts->folder);
    char *command = path_of(parts, COMMAND_FILE);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char *path = is_ours(entry->d_name) ? path_of(parts, entry->d_name) : NULL;
        if (path) {
            unlink(path);
        }
        free(path);
    }
    if (folder) {
        closedir(folder);
    }
    if (command) {
        unlink(command);
    }
    free(command);
    rmdir(parts->folder);
}

bool batch_parts_join(const BatchParts *parts, unsigned long long count, unsigned long long rows,
                      TableWriter *output, BatchJoined *joined, Error *error) {
    bool good = true;
    *joined = (BatchJoined){0};
    for (unsigned long long i = 0; i < count && good; i++) {
        /* a shard may have no rows of a part */
        good = !batch_parts_has(parts, i) || join_part(parts, i, output, joined, error);
    }
    if (good && joined->rows != rows) {
        good =
            error_set(error, "%s has %llu rows instead of %llu", parts->folder, joined->rows, rows);
    }
    good = good && output->finish(output, error);
    if (good) {
        remove_folder(parts);
    }
    return good;
}
