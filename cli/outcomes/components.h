/* The numbers that make an outcome: velocities of the bodies that take part, or generalised speeds,
 * or contact velocities where the scene has neither. */
#ifndef CAROM_CLI_OUTCOMES_COMPONENTS_H
#define CAROM_CLI_OUTCOMES_COMPONENTS_H

#include "base/words.h"
#include "scene/scene.h"

/* Owns its arrays. */
typedef struct Components {
    const Scene *scene; /* the caller's */
    int count;
    int *places;       /* of a body: 6 * body + 0 to 2 for velocity, 3 to 5 for angular velocity */
    double *before;    /* the impact */
    CaromBody *bodies; /* scratch */
    double *speeds;    /* likewise */
} Components;

/* False: out of memory. components_free() in any case. */
bool components_create(const Scene *scene, Components *components);
void components_free(Components *components);

/* Another scene of the same bodies or mechanism and contacts, with other numbers. */
void components_renew(const Scene *scene, Components *components);

/* The components after an impact with these impulses and contact velocities. */
void components_after(Components *components, const double *impulse, const double *velocity,
                      double *values);

/* The size of each component from the largest values that occur: the largest speed; for an angular
 * velocity at least the largest speed over the longest lever of a contact; for a generalised speed
 * that with which all kinetic energy would be in it. largest: per component. */
void components_scale(const Components *components, const double *largest, double *scale);

/* A name in a table, "ball v_x", and the path in the scene's file, "bodies[0].velocity[0]". */
Words components_name(const Components *components, int component);
Words components_path(const Components *components, int component);

#endif
