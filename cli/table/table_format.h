/* The format of a table, by the end of its file's name. */
#ifndef CAROM_CLI_TABLE_TABLE_FORMAT_H
#define CAROM_CLI_TABLE_TABLE_FORMAT_H

typedef enum TableFormat { TABLE_CSV, TABLE_NPY, TABLE_NPZ, TABLE_HDF5 } TableFormat;

/* path NULL: a standard stream, CSV. */
TableFormat table_format(const char *path);

#endif
