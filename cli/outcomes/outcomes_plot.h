/* The outcomes of a scene as a picture. */
#ifndef CAROM_CLI_OUTCOMES_OUTCOMES_PLOT_H
#define CAROM_CLI_OUTCOMES_OUTCOMES_PLOT_H

#include "outcomes/outcomes.h"

/* Compute the outcomes and draw them in the two most uncertain components, orders and stiffnesses
 * with different marks. source_name: the scene's file ("-": standard input); path: where to write,
 * .svg, .png or .pdf. Returns the exit status; if it is not 0, see *error. */
int outcomes_draw(const Scene *scene, const char *source_name, const char *path, Error *error);

#endif
