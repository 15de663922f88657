/* Materials of a world, and the coefficients of their pairs. */
#ifndef CAROM_CLI_WORLD_WORLD_MATERIALS_H
#define CAROM_CLI_WORLD_WORLD_MATERIALS_H

#include "base/field.h"
#include "world/world_scene.h"

/* Read "contacts" of the field "world": all materials and coefficients. */
bool world_contacts_read(const Field *world, WorldScene *scene);

/* The index of a material; -1: there is no such. */
int world_material_find(const WorldScene *scene, const char *name);

/* The field "material" of a thing, or the usual name of its kind. */
bool world_material_read(const Field *thing, const char *usual, const WorldScene *scene,
                         int *material);

/* mu, e and stiffnesses, of a pair or of a cue's tip. */
bool world_coefficients_read(const Field *field, CaromContact *contact);

/* When all things have been read: every pair that may meet has coefficients; they are put in the
 * library's order. */
bool world_surfaces_finish(const Field *root, WorldScene *scene);

#endif
