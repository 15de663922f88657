/* A picture of a mechanism over time: its motion until it stays in touch, and its energy. */
#ifndef CAROM_CLI_MECHANISM_MECHANISM_PLOT_H
#define CAROM_CLI_MECHANISM_MECHANISM_PLOT_H

#include "mechanism/mechanism_run.h"

/* source: the scene's path, for a heading without a name. */
bool mechanism_plot(const char *path, const char *source, const MechanismScene *scene,
                    const MechanismRun *run, Error *error);

#endif
