/* A picture of a simulation, from the side and from above. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_PLOT_H
#define CAROM_CLI_SIMULATE_SIMULATE_PLOT_H

#include "simulate/simulate_run.h"

/* path must have a format of pictures (picture.h). source: the scene's file, the heading of a scene
 * without a name. False: see *error. */
bool simulate_plot(const char *path, const char *source, const SimulateScene *scene,
                   const SimulateRun *run, Error *error);

#endif
