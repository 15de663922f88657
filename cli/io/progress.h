/* A progress line on standard error, if that is a terminal. */
#ifndef CAROM_CLI_IO_PROGRESS_H
#define CAROM_CLI_IO_PROGRESS_H

/* Replace the line. */
__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);

/* Erase the line, before anything else is written. */
void progress_end(void);

#endif
