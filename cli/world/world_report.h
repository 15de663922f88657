/* Reports of a world: events in words, and JSON. */
#ifndef CAROM_CLI_WORLD_WORLD_REPORT_H
#define CAROM_CLI_WORLD_WORLD_REPORT_H

#include <stdio.h>

#include "world/world_record.h"

void world_text(FILE *file, const WorldScene *scene, const WorldRecord *record);

/* One line. False: out of memory. */
bool world_json(FILE *file, const WorldScene *scene, const WorldRecord *record);

#endif
