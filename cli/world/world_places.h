/* Where the bodies of a world are at the start: what the library refuses, by name. */
#ifndef CAROM_CLI_WORLD_WORLD_PLACES_H
#define CAROM_CLI_WORLD_WORLD_PLACES_H

#include "base/field.h"
#include "world/world_scene.h"

/* The library has refused the world with a message. Say which body is where it cannot be, and by
 * how much; otherwise pass the message on. Always false. */
bool world_places_fail(const Field *root, const WorldScene *scene, const char *message);

/* The radius, or the distance of the farthest vertex from the centre of mass. */
double world_shape_size(const CaromShape *shape);

/* No ball may be so small that it would roll through under the noses of the cushions. */
bool world_places_check_nose(const Field *nose, const WorldScene *scene, double height);

#endif
