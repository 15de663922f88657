#include "scene/scene_roll.h"

#include <math.h>

#include "scene/scene_bodies.h"

/* Largest difference of the ball's inertia from that of a uniform ball, relative. */
#define UNIFORM 1e-3

/* The motion on the table is that of a uniform ball. */
static bool check_ball(const Field *radius, const CaromBody *body, double r) {
    double expected = 0.4 * body->mass * r * r;
    for (int i = 0; i < 9; i++) {
        double inertia = i % 4 == 0 ? expected : 0;
        if (!(fabs(body->inertia[i] - inertia) <= UNIFORM * expected)) {
            return field_fail(radius,
                              "the body's inertia is not that of a uniform ball of this radius, "
                              "2/5 m r^2 = %.6g",
                              expected);
        }
    }
    return true;
}

bool scene_roll_read(const Field *root, Scene *scene) {
    static const char *const known[] = {"body", "radius", "mu_slide", "mu_roll", "gravity", NULL};
    Field field = field_member(root, "roll");
    scene->roll.body = -1;
    if (!field.value) {
        return true;
    }
    if (scene->source != SCENE_BODIES) {
        return field_fail(&field, "only in a scene with \"bodies\"");
    }
    if (!field_is_object(&field, "an object", known)) {
        return false;
    }
    Field body = field_member(&field, "body"), radius = field_member(&field, "radius");
    Field slide = field_member(&field, "mu_slide"), roll = field_member(&field, "mu_roll");
    Field gravity = field_member(&field, "gravity");
    CaromTable *table = &scene->roll.table;
    if (!scene_body_reference(&body, scene, &scene->roll.body) ||
        !field_number(&radius, FIELD_POSITIVE, &table->radius) ||
        !field_number(&slide, FIELD_NOT_NEGATIVE, &table->mu_slide) ||
        !field_number(&roll, FIELD_NOT_NEGATIVE, &table->mu_roll) ||
        !field_number(&gravity, FIELD_POSITIVE, &table->gravity)) {
        return false;
    }
    const CaromBody *ball = &scene->bodies[scene->roll.body];
    if (!scene_body_turns(ball)) {
        return field_fail(&body, "must be a free body");
    }
    return check_ball(&radius, ball, table->radius);
}
