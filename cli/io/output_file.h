/* Output files. A file is written to a temporary file beside it and takes its place when it is
 * complete, so a failure leaves the old file. A path that is not a regular file (a link, a device,
 * a pipe) is written to directly. */
#ifndef CAROM_CLI_IO_OUTPUT_FILE_H
#define CAROM_CLI_IO_OUTPUT_FILE_H

#include <stdio.h>

#include "base/error.h"

typedef struct OutputFile {
    FILE *stream;
    char *temporary; /* its name until it is complete, owned; NULL: none */
} OutputFile;

/* False: *error is the reason without the path, and *file must not be used; likewise below. */
bool output_file_begin(const char *path, OutputFile *file, Error *error);

/* Close the file and let it take its place at path. Errors of the stream count. */
bool output_file_finish(OutputFile *file, const char *path, Error *error);

/* Discard the file instead. */
void output_file_drop(OutputFile *file);

/* Write a whole file: write() gets the stream and data, and leaves errors in the stream. */
typedef void OutputWriter(FILE *file, const void *data);
bool output_file_write(const char *path, OutputWriter *write, const void *data, Error *error);

/* Make a directory and its parents where they do not exist. */
bool output_directory_make(const char *path, Error *error);

#endif
