/* carom solve --vary: solve a scene over a range of a contact's parameter. */
#ifndef CAROM_CLI_VARY_VARY_H
#define CAROM_CLI_VARY_VARY_H

#include "vary/vary_range.h"

/* Print a table, or with json a line per value. name: the scene's in messages. The scene is
 * unchanged afterwards. Returns the exit status. */
int vary_solve(const char *name, Scene *scene, const CaromOptions *options, const Vary *vary,
               bool json);

#endif
