/* Bodies and the places where they touch, to W and v of several contacts. */
#ifndef CAROM_TEST_MULTIPLE_SCENE_H
#define CAROM_TEST_MULTIPLE_SCENE_H

#include "support/multiple/problems.h"

enum { SCENE_BODIES = 16, GROUND = -1 };

typedef struct Body {
    double mass, inertia[3]; /* about the axes of space */
    double position[3], velocity[3], spin[3];
} Body;

typedef struct Touch {
    int first, second; /* GROUND: does not move */
    double point[3], normal[3];
} Touch;

typedef struct Scene {
    Body bodies[SCENE_BODIES];
    Touch touches[MULTIPLE_CONTACTS];
    int body_count, touch_count;
} Scene;

/* A ball; its position and motion are 0. */
Body *scene_add_body(Scene *scene, double mass, double radius);

/* Ball i touches ball j of the same radius. */
void scene_add_touch(Scene *scene, int i, int j);

void scene_add_ground_touch(Scene *scene, int body, double x, double y);

/* t1, t2, n of a contact: any two tangents that make it right-handed. */
void scene_frame(const double n[3], double axes[3][3]);

/* W, v and the number of contacts, by rows of J; the problem says whether it is planar. */
void scene_assemble(const Scene *scene, MultipleProblem *problem);

#endif
