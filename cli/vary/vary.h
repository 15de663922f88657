/* carom solve --vary: solve a scene over a range of one of its numbers, or of two. */
#ifndef CAROM_CLI_VARY_VARY_H
#define CAROM_CLI_VARY_VARY_H

#include "solve/solution.h"
#include "vary/vary_map.h"

/* One range: print a table, of a contact's short name with several contacts one for each in turn;
 * two ranges: print a map as CSV. With json a line per value instead. name: the scene's in
 * messages; document: the scene as it was given. Returns the exit status. */
int vary_solve(const char *name, json_t *document, const CaromOptions *options, const Vary *vary,
               bool json);

/* Read the scene with values at the paths of `count` ranges. False: see *error; nothing to free. */
bool vary_scene(json_t *document, const VaryRange *ranges, int count, const double *values,
                Scene *scene, Error *error);

/* The ends of every range make scenes. False: see *error. */
bool vary_check(json_t *document, const Vary *vary, Error *error);

/* Solve all points of a map that was made for the document. name: the scene's in messages. Returns
 * the exit status; -1: out of memory. */
int vary_fill_map(const char *name, json_t *document, VaryMap *map);

#endif
