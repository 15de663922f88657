/* A scene of a world: balls, convex bodies, planes, a billiard table, a shot by cue, read from
 * JSON. */
#ifndef CAROM_CLI_WORLD_WORLD_SCENE_H
#define CAROM_CLI_WORLD_WORLD_SCENE_H

#include <jansson.h>

#include "base/error.h"
#include "scene/scene.h"

/* Most balls and most convex bodies, planes, and events. */
#define WORLD_BODIES_MAX 100000
#define WORLD_PLANES_MAX 100
#define WORLD_EVENTS_MAX 10000000

/* Owns everything it points to. */
typedef struct WorldScene {
    Scene scene; /* name, description, units and model only */
    CaromWorldSetup setup;
    CaromWorldBody *bodies; /* balls first */
    int ball_count;
    double **vertices; /* of convex bodies */
    char **names;      /* of the bodies; unique */
    CaromWorldPlane *planes;
    CaromCushion cushions[4];
    CaromPocket pockets[6];
    CaromSurface *surfaces;
    bool *surface_given;
    char **materials;
    int room;             /* for materials */
    bool has_table;       /* of this size, about the origin */
    double table_size[2]; /* x, y */
    int shot;             /* the ball that the cue hits; -1: no shot */
    CaromCue cue;
    double time; /* of the end; 0: none */
    long events; /* most events */
} WorldScene;

/* Read a scene from a document, which is borrowed. False: *scene is all zero, see *error. */
bool world_scene_read(json_t *document, WorldScene *scene, Error *error);

/* Free what the scene owns and set it to zero. */
void world_scene_free(WorldScene *scene);

#endif
