/* Ranges of one or two numbers of a scene. */
#ifndef CAROM_CLI_VARY_VARY_RANGE_H
#define CAROM_CLI_VARY_VARY_RANGE_H

#include "scene/scene_path.h"

/* Most values of a range, and of a map of two. */
#define VARY_COUNT_MAX 10000
#define VARY_MAP_MAX 1000000

typedef struct VaryRange {
    ScenePath path;
    double from, to;
    int count; /* of values, both ends included */
} VaryRange;

/* One range makes a table, two a map. */
typedef struct Vary {
    int count; /* of ranges */
    VaryRange ranges[2];
} Vary;

/* Read PATH=FROM:TO:COUNT from the command line and add it to a Vary. Returns 0, or the exit status
 * after usage_fail(). */
int vary_read(const char *command, const char *text, void *vary);

/* The path as it is written in headings: short where it can be. */
const char *vary_name(const VaryRange *range);

/* A value of the range: geometrically spaced for stiffnesses, evenly for the others. */
double vary_value(const VaryRange *range, int index);

#endif
