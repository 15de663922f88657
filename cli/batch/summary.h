/* The summary of a table instead of its rows: means, quantiles, how often each text occurs, as text
 * and as a picture. In constant memory; quantiles are right to 0.2 %. */
#ifndef CAROM_CLI_BATCH_SUMMARY_H
#define CAROM_CLI_BATCH_SUMMARY_H

#include "batch/summary_count.h"
#include "table/table_writer.h"

/* A grid over two numbers, whose outcomes make maps. */
typedef struct SummaryAxis {
    const char *name;
    double from, to;
    bool geometric;
    long count; /* of values */
} SummaryAxis;

/* What is wanted besides the text. */
typedef struct SummaryPlan {
    const char *plot;    /* where a picture goes; NULL: none is wanted */
    const char *heading; /* of it */
    SummaryAxis axes[2]; /* count 0: no grid over two numbers */
    int skipped;         /* columns at the beginning that are not in the picture */
} SummaryPlan;

/* Most points of a map; a larger grid is shown as distributions. */
enum { SUMMARY_MAP_POINTS = 1000000 };

typedef struct Summary {
    const TableColumns *columns;
    const SummaryPlan *plan;
    unsigned long long rows;
    SummaryNumbers *numbers; /* of each column */
    SummaryTexts *texts;
    double **maps; /* of each column, the values in the order of rows, or the places of texts in
                      their list; NULL: none */
} Summary;

/* A table that keeps only its summary and writes it as text when it is finished; path NULL:
 * standard output. The plan must live as long. NULL: see error. */
TableWriter *summary_create(const char *path, const TableColumns *columns, const SummaryPlan *plan,
                            Error *error);

#endif
