/* A file that takes its place only when it is complete: until then it is a temporary one beside it,
 * so that a failure leaves what was there before. What is no plain file (a link, a device, a pipe)
 * stays, and is written to from the start. */
#ifndef CAROM_CLI_OUTPUT_FILE_H
#define CAROM_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct OutputFile {
    FILE *stream;    /* to be written to */
    char *temporary; /* its name until it is complete; NULL: it has none; owned */
} OutputFile;

/* False: why (size > 0) is the reason, without the path, and *file is of no use; so below. */
bool output_file_begin(const char *path, OutputFile *file, char *why, size_t size);

/* Close the file and let it take its place at path; the errors of its stream count. */
bool output_file_finish(OutputFile *file, const char *path, char *why, size_t size);

/* Give the file up instead. */
void output_file_drop(OutputFile *file);

#endif
