/* The balls and convex bodies of a world. */
#include "world/world_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "scene/scene_bodies.h"
#include "world/world_materials.h"

static bool read_name(const Field *field, const char *usual, int index, WorldScene *scene) {
    const char *name = usual;
    if (field->value && !field_string(field, &name)) {
        return false;
    }
    scene->names[index] = strdup(name);
    return scene->names[index] || field_fail(field, "out of memory");
}

static bool read_ball(const Field *field, int index, WorldScene *scene) {
    static const char *const known[] = {"name",     "radius",           "mass",
                                        "inertia",  "position",         "velocity",
                                        "material", "angular_velocity", NULL};
    CaromWorldBody *ball = &scene->bodies[index];
    double radius, moment;
    ball->body = carom_body_default();
    if (!field_is_object(field, "an object", known)) {
        return false;
    }
    Field name = field_member(field, "name"), size = field_member(field, "radius");
    Field mass = field_member(field, "mass"), inertia = field_member(field, "inertia");
    Field position = field_member(field, "position"), velocity = field_member(field, "velocity");
    Field spin = field_member(field, "angular_velocity");
    if (!read_name(&name, words_of("ball %d", index).text, index, scene) ||
        !field_number(&size, FIELD_POSITIVE, &radius) ||
        !field_number(&mass, FIELD_POSITIVE, &ball->body.mass) ||
        !field_vector(&position, 3, ball->body.position) ||
        (velocity.value && !field_vector(&velocity, 3, ball->body.velocity)) ||
        (spin.value && !field_vector(&spin, 3, ball->body.angular_velocity)) ||
        !world_material_read(field, "ball", scene, &ball->material)) {
        return false;
    }
    moment = 0.4 * ball->body.mass * radius * radius;
    if (inertia.value && !field_number(&inertia, FIELD_POSITIVE, &moment)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        ball->body.inertia[i] = i % 4 == 0 ? moment : 0;
    }
    ball->shape = carom_shape_ball(radius);
    return true;
}

/* The corners of a convex body, which the scene keeps. */
static bool read_vertices(const Field *field, int index, WorldScene *scene) {
    size_t count;
    if (!field_is_list(field, "an array of points [x, y, z]", CAROM_WORLD_VERTICES, &count)) {
        return false;
    }
    double *vertices = scene->vertices[index] = calloc(3 * count, sizeof *vertices);
    if (!vertices) {
        return field_fail(field, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        Field vertex = field_element(field, i);
        if (!field_vector(&vertex, 3, &vertices[3 * i])) {
            return false;
        }
    }
    scene->bodies[index].shape = carom_shape_vertices(vertices, (int)count);
    return true;
}

static bool read_convex(const Field *field, int index, WorldScene *scene) {
    static const char *const known[] = {"name",        "mass",     "inertia",  "position",
                                        "orientation", "velocity", "material", "angular_velocity",
                                        "vertices",    NULL};
    CaromWorldBody *body = &scene->bodies[index];
    if (!field_is_object(field, "an object", known)) {
        return false;
    }
    Field name = field_member(field, "name"), mass = field_member(field, "mass");
    Field vertices = field_member(field, "vertices");
    double number;
    return read_name(&name, words_of("body %d", index - scene->ball_count).text, index, scene) &&
           field_number(&mass, FIELD_POSITIVE, &number) &&
           scene_body_read_motion(field, &body->body) && read_vertices(&vertices, index, scene) &&
           world_material_read(field, "body", scene, &body->material);
}

/* Names in their order, to find equal ones. */
typedef struct NamedBody {
    const char *name;
    int index;
} NamedBody;

static int compare_names(const void *a, const void *b) {
    const NamedBody *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : (first->index > second->index) - (first->index < second->index);
}

static bool check_names(const Field *world, const WorldScene *scene) {
    size_t count = (size_t)scene->setup.body_count;
    NamedBody *sorted = calloc(count, sizeof *sorted);
    bool good = true;
    if (!sorted) {
        return field_fail(world, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (NamedBody){scene->names[i], (int)i};
    }
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count && good; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
            int index = sorted[i].index, balls = scene->ball_count;
            Field list = field_member(world, index < balls ? "balls" : "bodies");
            Field body = field_element(&list, (size_t)(index < balls ? index : index - balls));
            Field name = field_member(&body, "name");
            good = field_fail(&name, "two bodies are called \"%s\"", sorted[i].name);
        }
    }
    free(sorted);
    return good;
}

/* The number of elements of a list that may be absent. */
static bool count_list(const Field *list, const char *what, size_t *count) {
    *count = 0;
    return !list->value || field_is_list(list, what, WORLD_BODIES_MAX, count);
}

bool world_bodies_read(const Field *world, WorldScene *scene) {
    Field balls = field_member(world, "balls"), bodies = field_member(world, "bodies");
    size_t round, others;
    if (!balls.value && !bodies.value) {
        return field_fail(&balls, "missing, and so is \"bodies\": there must be something that "
                                  "moves");
    }
    if (!count_list(&balls, "an array of balls", &round) ||
        !count_list(&bodies, "an array of convex bodies", &others)) {
        return false;
    }
    size_t count = round + others;
    scene->bodies = calloc(count, sizeof *scene->bodies);
    scene->names = calloc(count, sizeof *scene->names);
    scene->vertices = calloc(count, sizeof *scene->vertices);
    scene->setup.body_count = scene->bodies && scene->names && scene->vertices ? (int)count : 0;
    if (scene->setup.body_count == 0) {
        return field_fail(world, "out of memory");
    }
    scene->ball_count = (int)round;
    for (size_t i = 0; i < count; i++) {
        Field body = i < round ? field_element(&balls, i) : field_element(&bodies, i - round);
        if (i < round ? !read_ball(&body, (int)i, scene) : !read_convex(&body, (int)i, scene)) {
            return false;
        }
    }
    return check_names(world, scene);
}
