/* The summary of a table instead of its rows: means, quantiles, how often each text occurs. In
 * constant memory; quantiles are right to 0.2 %. */
#ifndef CAROM_CLI_BATCH_SUMMARY_H
#define CAROM_CLI_BATCH_SUMMARY_H

#include "table/table_writer.h"

/* A table that keeps only its summary and writes it as text when it is finished; path NULL:
 * standard output. NULL: see error. */
TableWriter *summary_create(const char *path, const TableColumns *columns, Error *error);

#endif
