/* A table of measured impacts: what carom fit works on.
 *
 * Rows are read once into records of numbers, in memory or in a temporary file (fit_spool.h):
 * those with W and v as the numbers that the file has, those of a template scene as the problem
 * that the scene becomes. The rows of a group follow each other. */
#ifndef CAROM_CLI_FIT_FIT_TABLE_H
#define CAROM_CLI_FIT_FIT_TABLE_H

#include <stdatomic.h>

#include <carom/fit.h>

#include "fit/fit_plain_row.h"
#include "fit/fit_reading.h"
#include "fit/fit_scene_row.h"
#include "fit/fit_spool.h"

/* Most groups. */
enum { FIT_GROUPS_MAX = 1000 };

/* Owns everything. */
typedef struct FitTable {
    FitSpool spool; /* each record begins with the row's number in the file, and its group */
    bool from_scene, has_groups;
    FitPlainLayout plain; /* rows with W and v */
    FitSceneShape scene;  /* rows of a template */
    int group_count;
    char *group_names[FIT_GROUPS_MAX];
    size_t group_rows[FIT_GROUPS_MAX];
    char unused[512];   /* names of columns */
    atomic_bool failed; /* the temporary file could not be read */
} FitTable;

/* Read a file (NULL: standard input). False: see *error, which names line and column.
 * fit_table_free() in any case. */
bool fit_table_read(const char *path, const FitReading *reading, FitTable *table, Error *error);
void fit_table_free(FitTable *table);

/* Memory of one thread for reading rows. A FitWindow follows it. */
typedef union FitTableRoom {
    FitPlainRoom plain;
    FitSceneRoom scene;
} FitTableRoom;

/* Bytes of a FitTableRoom and its window; both start as zeros. */
size_t fit_table_room(const FitTable *table);

/* The line of a row in the file; 0: the temporary file cannot be read. */
size_t fit_table_line(const FitTable *table, size_t row);

/* A CaromFitRead, with a FitView as source and a FitTableRoom as the row's room. first: the first
 * row of the group. model, law: in place of those of the rows; -1: theirs. A row that cannot be
 * read is left out, and the table has failed. */
typedef struct FitView {
    FitTable *table;
    size_t first;
    int model, law;
} FitView;

void fit_table_row(const void *view, size_t index, CaromFitRow *row);

#endif
