/* Messages of the program. All of them go through these functions: texts from outside (names of
 * files and columns, values of options, strings of a scene) are shown without characters that a
 * terminal would obey. */
#ifndef CAROM_CLI_BASE_MESSAGE_H
#define CAROM_CLI_BASE_MESSAGE_H

#include <stdio.h>

/* Print "carom: ", the message and the end of the line on standard error. */
__attribute__((format(printf, 1, 2))) void message_error(const char *format, ...);

/* Print one line on standard output: where a file is, which scene comes next. */
__attribute__((format(printf, 1, 2))) void message_note(const char *format, ...);

#endif
