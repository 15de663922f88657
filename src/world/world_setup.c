/* Making a world: its input is checked, laid out in one block of memory, and every body finds its
 * first event. */
#include <stdlib.h>
#include <string.h>

#include "contact/check.h"
#include "contact/status_end.h"
#include "flight/flight.h"
#include "flight/shape.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "world/ball_motion.h"
#include "world/cell_grid.h"
#include "world/convex_meeting.h"
#include "world/convex_path.h"
#include "world/event_heap.h"
#include "world/prediction.h"
#include "world/world_impact.h"
#include "world/world_layout.h"

/* Directions within this of being along or across gravity are. */
static const double LEVEL = 1e-12;

static const char *surface_problem(const CaromSurface *surface) {
    const char *message;
    if (crm_check_contact(&surface->contact, &message) < 0) {
        return message;
    }
    if (!(surface->mu_slide >= 0 && isfinite(surface->mu_slide))) {
        return "surfaces[].mu_slide is not >= 0";
    }
    if (!(surface->mu_roll >= 0 && isfinite(surface->mu_roll))) {
        return "surfaces[].mu_roll is not >= 0";
    }
    return surface->mu_spin >= 0 && isfinite(surface->mu_spin) ? NULL
                                                               : "surfaces[].mu_spin is not >= 0";
}

static const char *take_surfaces(CaromWorld *world, const CaromWorldSetup *setup) {
    size_t count = (size_t)setup->material_count;
    const char *problem = NULL;
    memcpy(world->surfaces, setup->surfaces, count * count * sizeof *world->surfaces);
    for (size_t i = 0; i < count && !problem; i++) {
        for (size_t j = i; j < count && !problem; j++) {
            problem = surface_problem(&world->surfaces[i * count + j]);
        }
    }
    return problem;
}

/* A ball's inertia over mass radius^2; NaN if it depends on the direction. */
static double inertia_factor(const double J[9], double mass, double radius) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (fabs(J[3 * i + j] - (i == j ? J[0] : 0)) > LEVEL * J[0]) {
                return NAN;
            }
        }
    }
    return J[0] / mass / radius / radius;
}

static double farthest(const CaromShape *shape) {
    double square = 0;
    for (int i = 0; i < shape->vertex_count; i++) {
        const double *r = shape->vertices + 3 * (size_t)i;
        square = fmax(square, vec3_dot(r, r));
    }
    return sqrt(square);
}

static const char *take_body_of(CaromWorld *world, const CaromWorldBody *given, WorldBody *body) {
    const char *problem = crm_flight_problem(&given->body, world->gravity);
    problem = problem ? problem : crm_shape_problem(&given->shape);
    if (problem) {
        return problem;
    }
    if (given->material < 0 || given->material >= world->material_count) {
        return "bodies[].material is out of range";
    }
    *body = (WorldBody){.mass = given->body.mass,
                        .material = given->material,
                        .shape = given->shape,
                        .is_ball = given->shape.radius > 0,
                        .member = -1};
    memcpy(body->inertia, given->body.inertia, sizeof body->inertia);
    body->radius = body->is_ball ? given->shape.radius : farthest(&given->shape);
    body->kappa = body->is_ball ? inertia_factor(body->inertia, body->mass, body->radius) : 0;
    body->motion.plane = -1;
    body->motion.end = INFINITY;
    memcpy(body->motion.position, given->body.position, sizeof body->motion.position);
    memcpy(body->motion.velocity, given->body.velocity, sizeof body->motion.velocity);
    memcpy(body->motion.angular_velocity, given->body.angular_velocity,
           sizeof body->motion.angular_velocity);
    memcpy(body->motion.orientation, given->body.orientation, sizeof body->motion.orientation);
    if (!body->is_ball) {
        return body->radius > 0 ? NULL : "bodies[].shape: all vertices are the centre of mass";
    }
    return isnan(body->kappa) ? "bodies[].inertia: that of a ball must be a multiple of 1" : NULL;
}

/* Give a convex body its part of the memory, and find its faces if there is something to meet. */
static const char *take_convex(CaromWorld *world, const CaromWorldSetup *setup, WorldBody *body,
                               ConvexRoom *room) {
    int count = body->shape.vertex_count;
    if (world->body_count > 1 && count > CAROM_WORLD_VERTICES) {
        return "bodies[].shape: more than 1000 vertices";
    }
    body->convex = room->convex++;
    *body->convex = (WorldConvex){.friction = room->friction, .touch_time = INFINITY};
    room->friction += setup->plane_count;
    if (world->body_count == 1) {
        return NULL;
    }
    double *numbers = room->numbers;
    int *ints = room->ints;
    room->numbers += crm_hull_numbers(count);
    room->ints += crm_hull_ints(count);
    return crm_hull_build(&body->shape, numbers, ints, &body->convex->hull);
}

static const char *take_bodies(CaromWorld *world, const CaromWorldSetup *setup) {
    const char *problem = NULL;
    ConvexRoom room = world->convex_room;
    for (int i = 0; i < world->body_count && !problem; i++) {
        WorldBody *body = &world->bodies[i];
        problem = take_body_of(world, &setup->bodies[i], body);
        if (!problem && !body->is_ball) {
            problem = take_convex(world, setup, body, &room);
        }
    }
    return problem;
}

static const char *take_planes(CaromWorld *world, const CaromWorldSetup *setup) {
    for (int i = 0; i < world->plane_count; i++) {
        const CaromWorldPlane *given = &setup->planes[i];
        WorldPlane *plane = &world->planes[i];
        const char *problem = crm_plane_problem(&given->plane, plane->normal);
        if (problem) {
            return problem;
        }
        if (given->material < 0 || given->material >= world->material_count) {
            return "planes[].material is out of range";
        }
        memcpy(plane->point, given->plane.point, sizeof plane->point);
        plane->material = given->material;
        plane->pull = -vec3_dot(world->gravity, plane->normal);
        double across[3];
        memcpy(across, world->gravity, sizeof across);
        vec3_axpy(plane->pull, plane->normal, across);
        plane->level = plane->pull > 0 && vec3_max_abs(across) <= LEVEL * plane->pull;
    }
    return NULL;
}

static const char *take_cushions(CaromWorld *world, const CaromWorldSetup *setup) {
    for (int i = 0; i < world->cushion_count; i++) {
        const CaromCushion *given = &setup->cushions[i];
        WorldCushion *cushion = &world->cushions[i];
        memcpy(cushion->point, given->point, sizeof cushion->point);
        memcpy(cushion->normal, given->normal, sizeof cushion->normal);
        cushion->material = given->material;
        if (!vec3_is_finite(cushion->point)) {
            return "cushions[].point is not finite";
        }
        if (!vec3_is_finite(cushion->normal) || !vec3_normalise(cushion->normal)) {
            return "cushions[].normal is zero or not finite";
        }
        if (vec3_max_abs(world->up) == 0) {
            return "cushions: without gravity they have no top";
        }
        if (fabs(vec3_dot(cushion->normal, world->up)) > 1e-9) {
            return "cushions[].normal is not horizontal";
        }
        if (given->material < 0 || given->material >= world->material_count) {
            return "cushions[].material is out of range";
        }
    }
    return NULL;
}

static const char *take_pockets(CaromWorld *world, const CaromWorldSetup *setup) {
    for (int i = 0; i < world->pocket_count; i++) {
        world->pockets[i] = setup->pockets[i];
        if (!vec3_is_finite(world->pockets[i].point)) {
            return "pockets[].point is not finite";
        }
        if (!(world->pockets[i].radius > 0 && isfinite(world->pockets[i].radius))) {
            return "pockets[].radius is not > 0";
        }
        if (vec3_max_abs(world->up) == 0) {
            return "pockets: without gravity nothing falls into them";
        }
    }
    return NULL;
}

static const char *take_gravity(CaromWorld *world, const CaromWorldSetup *setup) {
    if (!vec3_is_finite(setup->gravity)) {
        return "gravity is not finite";
    }
    for (int k = 0; k < 3; k++) {
        world->gravity[k] = setup->gravity[k];
        world->up[k] = -setup->gravity[k];
    }
    vec3_normalise(world->up);
    return NULL;
}

static const char *take_rest(CaromWorld *world, const CaromWorldSetup *setup) {
    double largest = 0, fastest = 0, g = sqrt(vec3_dot(world->gravity, world->gravity));
    for (int i = 0; i < world->body_count; i++) {
        const WorldBody *body = &world->bodies[i];
        largest = fmax(largest, body->radius);
        fastest = fmax(fastest, vec3_max_abs(body->motion.velocity));
    }
    world->rest = setup->rest != 0 ? setup->rest
                  : g > 0          ? 1e-3 * sqrt(g * largest)
                                   : 1e-6 * fastest;
    return world->rest >= 0 && isfinite(world->rest) ? NULL : "rest is not > 0";
}

/* A ball at its start, and what is immovable. */
static const char *place_problem(const CaromWorld *world, const WorldBody *body) {
    double least = -WORLD_TOUCH * body->radius;
    for (int i = 0; i < world->plane_count && body->is_ball; i++) {
        double from[3];
        vec3_sub(body->motion.position, world->planes[i].point, from);
        if (vec3_dot(from, world->planes[i].normal) - body->radius < least) {
            return "bodies[].position: a body is inside a plane";
        }
    }
    for (int i = 0; i < world->cushion_count; i++) {
        double from[3];
        vec3_sub(body->motion.position, world->cushions[i].point, from);
        if (vec3_dot(from, world->cushions[i].normal) < 0) {
            return "bodies[].position: a body is behind a cushion";
        }
        if (!(crm_prediction_cushion_gap(world, &world->cushions[i], &body->motion, body->radius,
                                         NULL) >= least)) {
            return "bodies[].position: a body is inside a cushion";
        }
    }
    for (int i = 0; i < world->pocket_count; i++) {
        double from[3];
        vec3_sub(body->motion.position, world->pockets[i].point, from);
        vec3_axpy(-vec3_dot(from, world->up), world->up, from);
        if (!(sqrt(vec3_dot(from, from)) > world->pockets[i].radius)) {
            return "bodies[].position: a body is in a pocket";
        }
    }
    return NULL;
}

/* What convex bodies need to stay in contact. */
static void take_lasting(CaromWorld *world) {
    for (int i = 0; i < world->plane_count; i++) {
        const WorldPlane *plane = &world->planes[i];
        memcpy(world->flat[i].point, plane->point, sizeof plane->point);
        memcpy(world->flat[i].normal, plane->normal, sizeof plane->normal);
        for (int j = 0; j < world->body_count; j++) {
            const WorldBody *body = &world->bodies[j];
            if (body->convex) {
                body->convex->friction[i] =
                    world_surface(world, body->material, plane->material)->mu_slide;
            }
        }
    }
}

/* The shape of a convex body must not be inside a plane. */
static const char *convex_problem(const CaromWorld *world, const WorldBody *body) {
    CaromBody state;
    crm_convex_path_at(world, body, 0, &state);
    for (int i = 0; i < world->plane_count; i++) {
        if (carom_shape_gap(&state, &body->shape, &world->flat[i], NULL) <
            -WORLD_TOUCH * body->radius) {
            return "bodies[].position: a body is inside a plane";
        }
    }
    return world->cushion_count + world->pocket_count > 0
               ? "bodies[].shape: cushions and pockets are for balls"
               : NULL;
}

/* Gap of two bodies at the start. */
static double start_gap(const CaromWorld *world, const WorldBody *a, const WorldBody *b) {
    double d[3], arm[3], normal[3];
    vec3_sub(a->motion.position, b->motion.position, d);
    double apart = sqrt(vec3_dot(d, d)) - a->radius - b->radius;
    if (apart > 0 || a->is_ball == b->is_ball) {
        return apart;
    }
    const WorldBody *ball = a->is_ball ? a : b, *convex = a->is_ball ? b : a;
    CaromBody state;
    crm_convex_path_at(world, convex, 0, &state);
    return crm_convex_meeting_gap(convex, &state, ball->motion.position, ball->radius, arm, normal);
}

static const char *overlap_problem(const CaromWorld *world) {
    for (int i = 0; i < world->body_count; i++) {
        const WorldBody *body = &world->bodies[i];
        CellWalk walk = {0};
        for (int j = crm_cell_grid_next(world, body, &walk); j >= 0;
             j = crm_cell_grid_next(world, body, &walk)) {
            const WorldBody *other = &world->bodies[j];
            double least = -WORLD_TOUCH * fmin(body->radius, other->radius);
            if (i != j && start_gap(world, body, other) < least) {
                return body->is_ball || other->is_ball
                           ? "bodies[].position: two bodies overlap"
                           : "bodies[].position: the spheres about two convex bodies overlap; "
                             "convex bodies cannot meet";
            }
        }
    }
    return NULL;
}

/* Everything from the setup; NULL, or what is wrong. */
static const char *take_setup(CaromWorld *world, const CaromWorldSetup *setup) {
    const char *problem = take_gravity(world, setup);
    problem = problem ? problem : take_surfaces(world, setup);
    problem = problem ? problem : take_bodies(world, setup);
    problem = problem ? problem : take_planes(world, setup);
    problem = problem ? problem : take_cushions(world, setup);
    problem = problem ? problem : take_pockets(world, setup);
    problem = problem ? problem : take_rest(world, setup);
    if (!problem) {
        take_lasting(world);
    }
    if (!problem && setup->one != CAROM_MODEL_RIGID && setup->one != CAROM_MODEL_COMPLIANT) {
        problem = "one is not a model";
    }
    for (int i = 0; i < world->body_count && !problem; i++) {
        problem = world->bodies[i].is_ball ? place_problem(world, &world->bodies[i])
                                           : convex_problem(world, &world->bodies[i]);
    }
    return problem;
}

static const char *start_world(CaromWorld *world) {
    CaromStatus status;
    const char *message = NULL;
    crm_cell_grid_fit(world);
    message = overlap_problem(world);
    if (message) {
        return message;
    }
    for (int i = 0; i < world->body_count; i++) {
        if (world->bodies[i].is_ball) {
            crm_world_impact_continue(world, &world->bodies[i]);
        } else {
            crm_ball_fly(world, &world->bodies[i]);
        }
        world->bodies[i].next.time = INFINITY;
    }
    crm_event_heap_build(world);
    return crm_prediction_update_all(world, &status, &message) ? NULL : message;
}

CaromStatus carom_world_create(const CaromWorldSetup *setup, void *memory, CaromWorld **world,
                               const char **message) {
    if (!world) {
        return status_end("world must not be NULL", message);
    }
    *world = NULL;
    if (!crm_world_layout_is_possible(setup)) {
        return status_end("setup: a count is out of range, or a pointer is missing", message);
    }
    void *block_memory = memory ? memory : malloc(carom_world_size(setup));
    if (!block_memory) {
        return status_end("out of memory", message);
    }
    CaromWorld *made = block_memory;
    memset(made, 0, sizeof *made);
    crm_world_layout_cut(setup, block_memory, made);
    made->allocated = !memory;
    made->body_count = setup->body_count;
    made->plane_count = setup->plane_count;
    made->cushion_count = setup->cushion_count;
    made->pocket_count = setup->pocket_count;
    made->material_count = setup->material_count;
    made->one = setup->one;
    made->several_rigid = setup->several_rigid;
    const char *problem = take_setup(made, setup);
    problem = problem ? problem : start_world(made);
    if (problem) {
        carom_world_destroy(made);
    } else {
        *world = made;
    }
    return status_end(problem, message);
}

void carom_world_destroy(CaromWorld *world) {
    if (world && world->allocated) {
        free(world);
    }
}
