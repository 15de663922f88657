/* carom solve --vary: how the answer depends on a parameter of a contact that nobody knows exactly.
 */
#ifndef CAROM_CLI_VARY_H
#define CAROM_CLI_VARY_H

#include "scene/scene.h"

/* Most values of a range. */
#define VARY_COUNT_MAX 10000

typedef enum VaryParameter { VARY_MU, VARY_E, VARY_STIFFNESS, VARY_STIFFNESS_RATIO } VaryParameter;

/* A range of values of one parameter. */
typedef struct Vary {
    VaryParameter parameter;
    int contact; /* index; -1: each contact in turn */
    double from, to;
    int count; /* of values, both ends included; 0: nothing is varied */
} Vary;

/* Read NAME=FROM:TO:COUNT or NAME[CONTACT]=FROM:TO:COUNT. Answers 0, or the exit status once it has
 * said what is wrong. */
int vary_read(const char *text, Vary *vary);

/* Name of the parameter as it appears in files. */
const char *vary_name(const Vary *vary);

double vary_value(const Vary *vary, int index);

/* Solve the scene over the range and print a table, or with json a line per value; name is the
 * scene's in messages. The scene is as it was afterwards. Answers with the exit status. */
int vary_solve(const char *name, Scene *scene, const CaromOptions *options, const Vary *vary,
               bool json);

#endif
