/* carom simulate, for a mechanism. */
#ifndef CAROM_CLI_COMMANDS_SIMULATE_MECHANISM_H
#define CAROM_CLI_COMMANDS_SIMULATE_MECHANISM_H

#include <jansson.h>

#include "commands/follow_options.h"

/* Returns the exit status. The document is borrowed; bounces is 0 if not given. */
int simulate_mechanism(const char *path, json_t *document, long bounces,
                       const FollowOptions *settings);

#endif
