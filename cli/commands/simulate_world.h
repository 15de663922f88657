/* carom simulate, for a world. */
#ifndef CAROM_CLI_COMMANDS_SIMULATE_WORLD_H
#define CAROM_CLI_COMMANDS_SIMULATE_WORLD_H

#include <jansson.h>

#include "commands/follow_options.h"

/* Returns the exit status. The document is borrowed; bounces is 0 if not given. */
int simulate_world(const char *path, json_t *document, long bounces, const FollowOptions *settings);

#endif
