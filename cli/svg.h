/* Text in an SVG file for those who do not see the picture. */
#ifndef CAROM_CLI_SVG_H
#define CAROM_CLI_SVG_H

#include <stdbool.h>

/* Replace the title and description that the SVG file at path carries (both must be there, as in
 * gnuplot's) and mark it as an image named by them. False: they are not, or the file cannot be
 * read or written. */
bool svg_describe(const char *path, const char *title, const char *description);

#endif
