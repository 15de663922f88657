#include "support/mechanics/worlds.h"

#include <string.h>

#include "support/check.h"

void worlds_begin(TestWorld *world, double mu, double e) {
    *world = (TestWorld){.setup = {.material_count = 2}};
    for (int i = 0; i < 4; i++) {
        world->surfaces[i] = (CaromSurface){.contact = {.mu = mu, .e = e}, .mu_slide = mu};
    }
}

CaromBody *worlds_add_ball(TestWorld *world, double mass, double radius, double x, double y,
                           double z) {
    CaromWorldBody *added = &world->bodies[world->setup.body_count++];
    *added = (CaromWorldBody){.body = carom_body_default(), .shape = carom_shape_ball(radius)};
    added->body.mass = mass;
    for (int i = 0; i < 9; i++) {
        added->body.inertia[i] = i % 4 == 0 ? 0.4 * mass * radius * radius : 0;
    }
    added->body.position[0] = x;
    added->body.position[1] = y;
    added->body.position[2] = z;
    return &added->body;
}

void worlds_add_plane(TestWorld *world, const double point[3], const double normal[3]) {
    CaromWorldPlane *added = &world->planes[world->setup.plane_count++];
    *added = (CaromWorldPlane){.material = 1};
    memcpy(added->plane.point, point, sizeof added->plane.point);
    memcpy(added->plane.normal, normal, sizeof added->plane.normal);
}

void worlds_add_table(TestWorld *world, double mu_slide, double mu_roll, double mu_spin) {
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    worlds_add_plane(world, origin, up);
    world->setup.gravity[2] = -9.81;
    for (int i = 1; i < 4; i++) {
        world->surfaces[i].mu_slide = mu_slide;
        world->surfaces[i].mu_roll = mu_roll;
        world->surfaces[i].mu_spin = mu_spin;
    }
}

static int is_free(const TestWorld *world, const double x[3], double radius) {
    for (int i = 0; i < world->setup.body_count; i++) {
        const double *y = world->bodies[i].body.position;
        double d = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        if (d < radius + world->bodies[i].shape.radius) {
            return 0;
        }
    }
    return 1;
}

void worlds_fill_box(TestWorld *world, int count, double radius, Random *random) {
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            double point[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
            point[axis] = side;
            normal[axis] = -side;
            worlds_add_plane(world, point, normal);
        }
    }
    while (world->setup.body_count < count) {
        double x[3], r = radius * random_between(random, 0.7, 1);
        random_vector(random, 1 - r, x);
        if (is_free(world, x, r)) {
            double mass = r * r * r * 1000;
            CaromBody *ball = worlds_add_ball(world, mass, r, x[0], x[1], x[2]);
            random_vector(random, 1, ball->velocity);
            random_vector(random, 10, ball->angular_velocity);
        }
    }
}

CaromWorld *worlds_create(const TestWorld *world) {
    CaromWorldSetup setup = world->setup;
    CaromWorld *made;
    const char *message;
    setup.bodies = world->bodies;
    setup.planes = world->planes;
    setup.cushions = world->cushions;
    setup.surfaces = world->surfaces;
    CaromStatus status = carom_world_create(&setup, NULL, &made, &message);
    assert_string_equal(message, "");
    assert_int_equal(status, CAROM_OK);
    return made;
}

CaromMotion worlds_ball(const CaromWorld *world, int body) {
    CaromMotion motion;
    assert_int_equal(carom_world_motion(world, body, &motion, NULL), CAROM_OK);
    carom_motion_advance(&motion, carom_world_time(world));
    return motion;
}
