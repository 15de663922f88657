/* Reports of a world: events in words, JSON, and the table of all paths. */
#ifndef CAROM_CLI_WORLD_WORLD_REPORT_H
#define CAROM_CLI_WORLD_WORLD_REPORT_H

#include <stdio.h>

#include "world/world_record.h"

void world_text(FILE *file, const WorldScene *scene, const WorldRecord *record);

/* One line. False: out of memory. */
bool world_json(FILE *file, const WorldScene *scene, const WorldRecord *record);

/* Samples of all bodies at a rate (0: 1000 in all), and the instants of all changes. */
bool world_csv(const char *path, const WorldScene *scene, const WorldRecord *record, double rate,
               Error *error);

#endif
