/* The files that a run reads or has written: no output may replace one of them. They are compared
 * as files, not by name, so links are no way around. */
#ifndef CAROM_CLI_IO_USED_FILES_H
#define CAROM_CLI_IO_USED_FILES_H

#include <sys/stat.h>

#include "base/error.h"

/* Note the inputs of a command ("-": standard input), before anything is written. Returns 0, or the
 * exit status after a message: standard output would change one of them. */
int used_files_note_inputs(char *const *paths, int count);
int used_files_note_input(const char *path);

/* Note a file that has been written. */
void used_files_note_output(const struct stat *about);

/* The file may be written to. False: *error says why not. */
bool used_files_allow(const struct stat *about, Error *error);

#endif
