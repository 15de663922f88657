/* Text in an SVG file for those who do not see the picture. */
#ifndef CAROM_CLI_SVG_H
#define CAROM_CLI_SVG_H

#include <stddef.h>

/* The SVG with another title and description in place of those that it carries (both must be there,
 * as in gnuplot's), and marked as an image named by them. free() it; NULL: they are not there, or
 * there is no memory. */
char *svg_describe(const char *svg, const char *title, const char *description, size_t *size);

#endif
