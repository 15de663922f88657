/* One line on standard error that says how far long work is. Nothing where that is not a terminal.
 */
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

/* In place of the line before. */
__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);

/* Take the line away, before anything else is written. */
void progress_end(void);

#endif
