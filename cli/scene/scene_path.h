/* Paths: the numbers of a scene by name.
 *
 * A path names a number as the JSON document has it: contacts[0].mu, bodies[1].velocity[2],
 * inverse_inertia[0][1], system.mass_matrix[2][2]. Four additions:
 * - mu, mu_static, e, stiffness and stiffness_ratio alone, or with an index (stiffness[1]), are
 *   those of a contact, of contact 0 by default;
 * - an entry off the diagonal of a symmetric matrix stands for both;
 * - contacts[0].normal.turn_x (turn_y, turn_z) is an angle in radians, 0 as the scene is given, by
 *   which the normal, and with it the tangent, is turned about that axis of the world;
 * - contacts[0].turn_x (turn_y, turn_z) turns the point, too, around the centre of the first body:
 * a tilted bat meets a ball elsewhere, with a normal that still goes through its centre. Numbers
 * that the document leaves to their default count as given. */
#ifndef CAROM_CLI_SCENE_SCENE_PATH_H
#define CAROM_CLI_SCENE_SCENE_PATH_H

#include <jansson.h>

#include "base/error.h"

/* Most characters of a path, with the final zero. */
#define SCENE_PATH_SIZE 96

typedef struct ScenePath {
    char text[SCENE_PATH_SIZE]; /* in full: "contacts[0].mu" for "mu" */
    char short_name[32];        /* "mu" if it was written as mu or mu[0]; else empty */
    bool any_contact;           /* a short name without an index */
} ScenePath;

/* Read a path of `length` characters. Whether the scene has it is not known yet. False: see *error.
 */
bool scene_path_read(const char *text, size_t length, ScenePath *path, Error *error);

/* As it is written in headings: short where it can be. */
const char *scene_path_name(const ScenePath *path);

/* The value at a part (0 to 1) of a range of it: evenly spaced, for stiffnesses geometrically. */
double scene_path_between(const ScenePath *path, double from, double to, double part);

/* Is it a quantity whose range is best spaced geometrically: a stiffness or the ratio of two? */
bool scene_path_is_stiffness(const ScenePath *path);

/* The number that a document has there. False: it has none, see *error. */
bool scene_path_get(json_t *document, const ScenePath *path, double *number, Error *error);

/* Replace the number. mu_static stays equal to mu if it was. Whether the value is allowed is not
 * checked; scene_from_json() does. False: the document has no such number, see *error. */
bool scene_path_set(json_t *document, const ScenePath *path, double number, Error *error);

#endif
