/* Output files. A file is written to a temporary file beside it and takes its place when it is
 * complete: a failure or a signal leaves the old file, and no part of the new one. The new file has
 * the permissions and, where the system allows it, the owner of the old one; a symbolic link stays
 * and its target is replaced. A device or a pipe is written to directly.
 *
 * No output replaces an input, or another output of the same run, under any name. */
#ifndef CAROM_CLI_IO_OUTPUT_FILE_H
#define CAROM_CLI_IO_OUTPUT_FILE_H

#include <stdio.h>

#include "base/error.h"

typedef struct OutputFile {
    FILE *stream;
    char *target;    /* the file to replace, links followed, owned; NULL: stream writes directly */
    char *temporary; /* its name until it is complete, owned; NULL likewise */
    size_t waiting;  /* bytes that the system was not asked yet to begin writing to the disk */
} OutputFile;

/* False: *error is the reason without the path, and *file must not be used; likewise below. */
bool output_file_begin(const char *path, OutputFile *file, Error *error);

/* Write the next bytes of a long file. False: not all of them; errno is the reason. The disk begins
 * with what is there while more is made: otherwise all of it waits for output_file_finish(). */
bool output_file_append(OutputFile *file, const char *bytes, size_t length);

/* Close the file and let it take its place. Errors of the stream count. */
bool output_file_finish(OutputFile *file, Error *error);

/* Discard the file instead. */
void output_file_drop(OutputFile *file);

/* Write a whole file: write() gets the stream and data, and leaves errors in the stream. */
typedef void OutputWriter(FILE *file, const void *data);
bool output_file_write(const char *path, OutputWriter *write, const void *data, Error *error);

/* Flush a stream. False: it could not be written, now or before; errno is the reason. */
bool output_stream_flush(FILE *stream);

/* Make a directory and its parents where they do not exist. */
bool output_directory_make(const char *path, Error *error);

#endif
