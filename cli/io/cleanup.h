/* Temporary files that are removed when a signal ends the program. */
#ifndef CAROM_CLI_IO_CLEANUP_H
#define CAROM_CLI_IO_CLEANUP_H

/* Make a file by a template as of mkstemp(), which becomes its name. The name must live until one
 * of the calls below. Returns the descriptor, open for writing; -1: see errno. */
int cleanup_make_file(char *name);

/* The file has got another name, or is removed now. */
void cleanup_forget_file(const char *name);
void cleanup_remove_file(const char *name);

#endif
