/* A range of values of one parameter of a contact. */
#ifndef CAROM_CLI_VARY_VARY_RANGE_H
#define CAROM_CLI_VARY_VARY_RANGE_H

#include "scene/scene.h"

/* Most values of a range. */
#define VARY_COUNT_MAX 10000

typedef enum VaryParameter { VARY_MU, VARY_E, VARY_STIFFNESS, VARY_STIFFNESS_RATIO } VaryParameter;

typedef struct Vary {
    VaryParameter parameter;
    int contact; /* index; -1: each contact in turn */
    double from, to;
    int count; /* of values, both ends included; 0: no range */
} Vary;

/* Read NAME=FROM:TO:COUNT or NAME[CONTACT]=FROM:TO:COUNT from the command line into a Vary. Returns
 * 0, or the exit status after usage_fail(). */
int vary_read(const char *command, const char *text, void *vary);

/* Name of the parameter in files. */
const char *vary_name(const Vary *vary);

/* The parameter of a contact. */
double *vary_field(const Vary *vary, CaromContact *contact);

/* A value of the range: geometrically spaced for stiffnesses, evenly for the others. */
double vary_value(const Vary *vary, int index);

#endif
