/* A scene to simulate: one body thrown at a plane, read from JSON.
 *
 * The file has the fields of any scene given by bodies (one body, one contact that says what the
 * surfaces are like, but not where), and besides "shape" in the body, "plane", "gravity" and
 * "simulate". Faults are described by the path of the field, as scene.h does. */
#ifndef CAROM_CLI_SIMULATE_SCENE_H
#define CAROM_CLI_SIMULATE_SCENE_H

#include "scene/scene.h"

/* Most vertices and bounces; the bounces are kept in memory (some 700 bytes each). */
#define SIMULATE_VERTICES_MAX 10000
#define SIMULATE_BOUNCES_MAX 100000

/* Owns everything it points to. */
typedef struct SimulateScene {
    Scene scene; /* bodies[0] is thrown, bodies[1] stands for the plane; one contact */
    CaromShape shape;
    double *vertices; /* of the shape; NULL: a ball */
    CaromPlane plane; /* with unit normal */
    double gravity[3];
    double time;  /* when to end; INFINITY: not said */
    long bounces; /* after how many bounces to end */
    double rest;  /* part of the hardest approach below which a bounce has died out */
} SimulateScene;

/* Read a scene from a file ("-": standard input). On failure *scene is all zero, *error is filled,
 * and the answer is false. */
bool simulate_scene_read_file(const char *path, SimulateScene *scene, SceneError *error);

/* As simulate_scene_read_file(), from memory; the bytes need no final zero and may be anything. */
bool simulate_scene_read_memory(const char *bytes, size_t size, SimulateScene *scene,
                                SceneError *error);

/* Give back what the scene owns and make it all zero. */
void simulate_scene_free(SimulateScene *scene);

#endif
