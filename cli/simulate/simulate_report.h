/* Showing what came out of a simulation. */
#ifndef CAROM_CLI_SIMULATE_REPORT_H
#define CAROM_CLI_SIMULATE_REPORT_H

#include <stdio.h>

#include "simulate/simulate_run.h"

/* For people. Errors of the stream are left in the stream. */
void simulate_text(FILE *file, const SimulateScene *scene, const CaromOptions *options,
                   const SimulateRun *run);

/* One line of JSON with all impacts. Numbers have 17 significant digits. False: no memory. */
bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run);

/* The trajectory as a table: rate samples per unit of time (0: a thousand in all), and the instants
 * before and after each bounce. False: *error says why. */
bool simulate_csv(const char *path, const SimulateScene *scene, const SimulateRun *run, double rate,
                  SceneError *error);

/* A picture of the trajectory, from the side and from above; the path has a format of pictures
 * (picture.h). source is the scene's file, for a scene without a name. False: *error says why. */
bool simulate_plot(const char *path, const char *source, const SimulateScene *scene,
                   const SimulateRun *run, SceneError *error);

#endif
