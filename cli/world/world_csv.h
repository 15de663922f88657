/* The trajectories of a world as a table. */
#ifndef CAROM_CLI_WORLD_WORLD_CSV_H
#define CAROM_CLI_WORLD_WORLD_CSV_H

#include "world/world_record.h"

/* Samples of all bodies at a rate (0: 1000 in all), and the instants of all changes. */
bool world_csv(const char *path, const WorldScene *scene, const WorldRecord *record, double rate,
               Error *error);

#endif
