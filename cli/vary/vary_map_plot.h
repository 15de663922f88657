/* A map of two numbers of a scene as a picture. */
#ifndef CAROM_CLI_VARY_VARY_MAP_PLOT_H
#define CAROM_CLI_VARY_VARY_MAP_PLOT_H

#include "vary/vary_range.h"

/* Solve the scene at all points of both ranges and draw a component of the outcome by its path ("":
 * the loss of kinetic energy in per cent) as colours into a file. source_name: the scene's file.
 * Returns the exit status; if it is not 0, see *error. A failure leaves the old file. */
int vary_map_draw(json_t *document, const Vary *vary, const char *shown, const char *source_name,
                  const char *path, Error *error);

#endif
