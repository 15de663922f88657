/* A scene to simulate: one body thrown at a plane, read from JSON.
 *
 * The file has the fields of a scene given by bodies, with one body and one contact without a
 * place, and also "shape" in the body, "plane", "gravity" and "simulate". */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_SCENE_H
#define CAROM_CLI_SIMULATE_SIMULATE_SCENE_H

#include <jansson.h>

#include "base/error.h"
#include "scene/scene.h"

/* Most vertices and bounces; a bounce takes 700 bytes of memory. */
#define SIMULATE_VERTICES_MAX 10000
#define SIMULATE_BOUNCES_MAX 100000

/* Owns everything it points to. */
typedef struct SimulateScene {
    Scene scene; /* bodies[0] is thrown, bodies[1] is the plane; one contact */
    CaromShape shape;
    double *vertices; /* of the shape; NULL: a ball */
    CaromPlane plane; /* with unit normal */
    double gravity[3];
    double time;             /* of the end; INFINITY: none */
    long bounces;            /* most bounces */
    double rest;             /* part of the hardest approach below which bounces have died out */
    double mu_roll, mu_spin; /* of a ball on the plane, as in CaromSurface */
} SimulateScene;

/* Read a scene from a file ("-": standard input). False: *scene is all zero, see *error. */
bool simulate_scene_read_file(const char *path, SimulateScene *scene, Error *error);

/* As simulate_scene_read_file(), from a document, which is changed and stays the caller's. */
bool simulate_scene_from_json(json_t *document, SimulateScene *scene, Error *error);

/* As simulate_scene_read_file(), from memory; the bytes may be anything and need no final zero. */
bool simulate_scene_read_memory(const char *bytes, size_t size, SimulateScene *scene, Error *error);

/* Free what the scene owns and set it to zero. */
void simulate_scene_free(SimulateScene *scene);

#endif
