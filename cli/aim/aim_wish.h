/* What is wanted of an impact: the field "wanted" of "aim". */
#ifndef CAROM_CLI_AIM_AIM_WISH_H
#define CAROM_CLI_AIM_AIM_WISH_H

#include <carom/aim.h>

#include "base/field.h"
#include "roll/roll_run.h"
#include "scene/scene_path.h"
#include "solve/solution.h"

typedef enum AimKind {
    AIM_VELOCITY,  /* a velocity after the impact, by path */
    AIM_DIRECTION, /* of a body's velocity after it */
    AIM_LANDING,   /* where a body comes down to a height after free flight */
    AIM_REST,      /* where the ball of "roll" comes to rest */
    AIM_PASSES     /* a point that the path of the ball of "roll" passes */
} AimKind;

typedef struct AimWish {
    AimKind kind;
    ScenePath path; /* AIM_VELOCITY */
    int body;       /* AIM_DIRECTION, AIM_LANDING */
    double value[3];
    double height, gravity; /* AIM_LANDING */
    double tolerance;
} AimWish;

/* Read one wish of a scene. False: the error is set. */
bool aim_wish_read(const Field *field, const Scene *scene, AimWish *wish);

/* Numbers of the wish: how many misses it has. */
int aim_wish_size(const AimWish *wish);

/* What a solved scene gives, and what is wanted: aim_wish_size() numbers each. False: the outcome
 * has none. */
bool aim_wish_numbers(const AimWish *wish, const Scene *scene, const Solution *solution,
                      double *given, double *wanted);

/* The point (x, y) of a ball's path that is nearest to the wanted one. Returns its time. */
double aim_wish_nearest(const AimWish *wish, const RollRun *run, double *point);

/* In words: "bodies[0].velocity[2]", "landing". */
const char *aim_wish_name(const AimWish *wish);

#endif
