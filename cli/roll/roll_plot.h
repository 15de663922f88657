/* A picture of the path of a ball on a table. */
#ifndef CAROM_CLI_ROLL_ROLL_PLOT_H
#define CAROM_CLI_ROLL_ROLL_PLOT_H

#include "base/error.h"
#include "roll/roll_run.h"

/* Draw the path from above into a file (.svg, .png, .pdf). source: the scene's file. False: see
 * *error. */
bool roll_plot(const char *path, const char *source, const RollRun *run, Error *error);

#endif
