/* The vertices of a body that touch planes. */
#ifndef CAROM_LASTING_TOUCH_LIST_H
#define CAROM_LASTING_TOUCH_LIST_H

#include <stdbool.h>

#include <carom/lasting.h>

/* A gap of at most this part of the body's size is touch. */
#define LASTING_TOUCH 1e-7

typedef struct Touch {
    int vertex, plane;
} Touch;

typedef struct TouchList {
    Touch touches[CAROM_LASTING_CONTACTS];
    int count;
    bool overflow;
} TouchList;

/* A body, its planes with unit normals, and room for as many vertices. */
typedef struct Surroundings {
    const CaromLasting *given;
    double size;     /* distance of the farthest vertex from the centre of mass */
    double *normals; /* 3 per plane */
    int *room;       /* as many as vertices */
} Surroundings;

/* A vertex relative to the centre of mass, world axes. R: rotation matrix of the body. */
void crm_touch_arm(const Surroundings *around, const double R[9], int vertex, double arm[3]);

/* Distance of a vertex from a plane. */
double crm_touch_gap(const Surroundings *around, const CaromBody *body, const double arm[3],
                     int plane);

/* Velocity of a vertex along the normal of a plane. */
double crm_touch_speed(const Surroundings *around, const CaromBody *body, const double arm[3],
                       int plane);

/* All corners that touch: of a face with many vertices in touch those of their hull. */
void crm_touch_find(const Surroundings *around, const CaromBody *body, TouchList *list);

/* The deepest vertex that is not in the list: its gap, or INFINITY. */
double crm_touch_deepest(const Surroundings *around, const CaromBody *body, const TouchList *list);

#endif
