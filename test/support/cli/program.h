/* Running the program from a test: a directory of its own, files in it, and the output. */
#ifndef CAROM_TEST_CLI_PROGRAM_H
#define CAROM_TEST_CLI_PROGRAM_H

#include <stddef.h>

/* The outcome of a run of the program. Free it with run_free(). */
typedef struct Run {
    int status; /* exit status; -1: ended by a signal */
    char *out, *err;
    size_t out_size;
    long memory; /* largest resident size in kilobytes */
} Run;

/* Group setup and teardown: make and remove the directory for the files of one test program. */
int work_setup(void **state);
int work_teardown(void **state);

/* Remove a directory and its files; 0 if it is gone. */
int directory_remove(const char *path);

/* Path of a file in the work directory; the text lives for the next 60 paths. */
const char *work_path(const char *name);

/* Write a file into the work directory and answer its path, which lives as that of work_path(). */
const char *work_file(const char *name, const char *text, size_t size);
const char *work_text(const char *name, const char *text);

/* Path of a scene that comes with the project; lives as above. */
const char *scene_path(const char *name);

/* All bytes of a file, with a final zero; free() them. Fails the test if there is no file. */
char *file_read(const char *path, size_t *size);

/* Run the program. input: the standard input (NULL: empty). The arguments end with NULL. */
Run program_run(const char *input, ...);

/* As program_run() without input, with the standard output going to a file. */
Run program_run_to(const char *out_path, ...);

void run_free(Run *run);

/* Fails the test unless the text holds the part; shows both. */
void check_contains(const char *text, const char *part);

/* A run that succeeded and whose standard output holds the part; frees it. */
void check_output(Run run, const char *part);

/* A run with this exit status whose standard error holds the part; frees it. */
void check_error(Run run, int status, const char *part);

/* Run a command on a file and check the exit status, and that standard error is one line that
 * starts with "carom: FILE: " and holds the part. */
void check_refused(const char *command, const char *path, int status, const char *part);

/* A scene that is refused, and a part of the message. */
typedef struct Refusal {
    const char *scene, *message;
} Refusal;

/* carom solve refuses all of them as check_refused() says, with exit status 2. */
void check_refusals(const Refusal *refusals, size_t count);

#endif
