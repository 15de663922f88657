/* The shot of a world: a ball hit by a cue.
 *
 * The cue's direction d is a vector, or azimuth a (from x towards y) and elevation b (of its butt
 * above the level): d = (cos b cos a, cos b sin a, -sin b). The point that it hits is a vector from
 * the ball's centre, or the tip's place as one sees it along the cue, in radii: s to the right and
 * u upwards. With r = (sin a, -cos a, 0) to the right and r x d upwards it is
 *
 *   s r + u r x d - sqrt(1 - s^2 - u^2) d. */
#include "world/world_shot.h"

#include <math.h>
#include <string.h>

#include "world/world_materials.h"

static const double DEGREE = 3.14159265358979323846 / 180;

/* A cue as it is aimed: direction and what is to its right, at unit length. */
typedef struct Aim {
    double direction[3], right[3];
} Aim;

static bool aim_by_angles(const Field *shot, const Field *azimuth, Aim *aim) {
    Field elevation = field_member(shot, "elevation_degrees");
    double a, b = 0;
    if (!field_number(azimuth, FIELD_ANY, &a) ||
        (elevation.value && !field_number(&elevation, FIELD_ANY, &b))) {
        return false;
    }
    if (!(b >= 0 && b <= 90)) {
        return field_fail_type(&elevation, "a number from 0 (level) to 90 (from above)");
    }
    a *= DEGREE;
    b *= DEGREE;
    *aim = (Aim){.direction = {cos(b) * cos(a), cos(b) * sin(a), -sin(b)},
                 .right = {sin(a), -cos(a), 0}};
    return true;
}

static bool aim_by_vector(const Field *shot, const Field *direction, Aim *aim) {
    Field elevation = field_member(shot, "elevation_degrees");
    double *d = aim->direction;
    if (elevation.value) {
        return field_fail(&elevation, "goes with \"azimuth_degrees\"; \"direction\" is both");
    }
    if (!field_vector(direction, 3, d)) {
        return false;
    }
    double length = hypot(hypot(d[0], d[1]), d[2]), level = hypot(d[0], d[1]);
    if (!(length > 0 && isfinite(length))) {
        return field_fail(direction, "must not be zero");
    }
    /* a vertical cue is held as one that points to +x */
    aim->right[0] = level > 0 ? d[1] / level : 0;
    aim->right[1] = level > 0 ? -d[0] / level : -1;
    aim->right[2] = 0;
    for (int k = 0; k < 3; k++) {
        d[k] /= length;
    }
    return true;
}

static bool read_aim(const Field *shot, Aim *aim) {
    Field direction = field_member(shot, "direction");
    Field azimuth = field_member(shot, "azimuth_degrees");
    if (!direction.value == !azimuth.value) {
        return field_fail(shot, "must have either \"direction\" or \"azimuth_degrees\"");
    }
    return direction.value ? aim_by_vector(shot, &direction, aim)
                           : aim_by_angles(shot, &azimuth, aim);
}

/* The point of contact from the place of the tip. */
static bool read_tip(const Field *tip, const Aim *aim, double offset[3]) {
    const double *d = aim->direction, *r = aim->right;
    double at[2];
    if (!field_vector(tip, 2, at)) {
        return false;
    }
    double depth = 1 - at[0] * at[0] - at[1] * at[1];
    if (!(depth > 0)) {
        return field_fail(tip, "misses the ball: the distance from its centre is %.6g radii",
                          hypot(at[0], at[1]));
    }
    const double up[3] = {r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2],
                          r[0] * d[1] - r[1] * d[0]};
    for (int k = 0; k < 3; k++) {
        offset[k] = at[0] * r[k] + at[1] * up[k] - sqrt(depth) * d[k];
    }
    return true;
}

static bool read_point(const Field *shot, const Aim *aim, double offset[3]) {
    Field vector = field_member(shot, "offset"), tip = field_member(shot, "tip");
    const double *d = aim->direction;
    if (!vector.value == !tip.value) {
        return field_fail(shot, "must have either \"offset\" or \"tip\"");
    }
    if (tip.value) {
        return read_tip(&tip, aim, offset);
    }
    if (!field_vector(&vector, 3, offset)) {
        return false;
    }
    if (offset[0] == 0 && offset[1] == 0 && offset[2] == 0) {
        return field_fail(&vector, "must not be zero");
    }
    return offset[0] * d[0] + offset[1] * d[1] + offset[2] * d[2] < 0 ||
           field_fail(&vector, "the cue does not move towards the ball there");
}

/* The ball that is hit. */
static bool read_target(const Field *shot, WorldScene *scene) {
    Field ball = field_member(shot, "ball");
    const char *name;
    if (!field_string(&ball, &name)) {
        return false;
    }
    for (int i = 0; i < scene->ball_count && scene->shot < 0; i++) {
        scene->shot = strcmp(scene->names[i], name) == 0 ? i : -1;
    }
    return scene->shot >= 0 || field_fail(&ball, "there is no ball \"%s\"", name);
}

bool world_shot_read(const Field *world, WorldScene *scene) {
    static const char *const known[] = {
        "ball",   "mass", "speed", "direction", "azimuth_degrees", "elevation_degrees",
        "offset", "tip",  "mu",    "e",         "stiffness",       "stiffness_ratio",
        NULL};
    Field shot = field_member(world, "shot");
    double speed;
    Aim aim;
    scene->shot = -1;
    if (!shot.value) {
        return true;
    }
    if (!field_is_object(&shot, "an object", known)) {
        return false;
    }
    Field mass = field_member(&shot, "mass"), fast = field_member(&shot, "speed");
    if (!read_target(&shot, scene) || !field_number(&mass, FIELD_POSITIVE, &scene->cue.mass) ||
        !field_number(&fast, FIELD_POSITIVE, &speed) || !read_aim(&shot, &aim) ||
        !read_point(&shot, &aim, scene->cue.offset) ||
        !world_coefficients_read(&shot, &scene->cue.contact)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        scene->cue.velocity[k] = speed * aim.direction[k];
    }
    return true;
}
