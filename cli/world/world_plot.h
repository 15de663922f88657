/* A picture of a world: the paths of all balls, from above, and from the side if there is no table.
 */
#ifndef CAROM_CLI_WORLD_WORLD_PLOT_H
#define CAROM_CLI_WORLD_WORLD_PLOT_H

#include "world/world_record.h"

/* source: the path of the scene, named if the scene has no name. */
bool world_plot(const char *path, const char *source, const WorldScene *scene,
                const WorldRecord *record, Error *error);

#endif
