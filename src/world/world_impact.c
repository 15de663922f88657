/* The impact of a cluster by carom_solve(), and what the bodies do after it.
 *
 * An impact all of whose contacts close more slowly than `rest` loses nothing, e = 1: its bounces
 * would otherwise accumulate. A level plane is the exception: there a slow ball stays. */
#include "world/world_impact.h"

#include <carom/solve.h>
#include <float.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "world/ball_motion.h"
#include "world/convex_contact.h"

/* A ball leaves a plane without loss unless it is slower than this part of its speed: rounding. */
static const double LEAVES = 1e-10;

/* Velocities at a contact within this of the speeds that they are differences of count as 0. */
static const double VELOCITY_ROUNDING = 64 * DBL_EPSILON;

static bool is_on_level_plane(const CaromWorld *world, const CaromTouching *touching) {
    return touching->partner == CAROM_PARTNER_PLANE && world->planes[touching->second].level &&
           touching->vertex == -1;
}

/* Speed of the fastest point of a body. */
static double fastest_point(const CaromWorld *world, const Cluster *cluster, int member) {
    const CaromBody *body = &cluster->before[member];
    double size = cluster->bodies[member] >= 0 ? world->bodies[cluster->bodies[member]].radius : 0;
    return sqrt(vec3_dot(body->velocity, body->velocity)) +
           size * sqrt(vec3_dot(body->angular_velocity, body->angular_velocity));
}

/* Couplings below the rounding of the contacts' own entries are 0. Balls on top of each other, but
 * for 1e-29 of their size, would otherwise begin to slip at 1e-27 of their speeds, and the solver
 * would follow that. */
static void drop_couplings(Cluster *cluster) {
    size_t count = 3 * (size_t)cluster->contact_count;
    double *W = cluster->W;
    for (size_t i = 0; i < count; i++) {
        double own = DBL_EPSILON * sqrt(W[i * count + i]);
        for (size_t j = 0; j < i; j++) {
            double *below = &W[i * count + j];
            if (*below != 0 && fabs(*below) <= own * sqrt(W[j * count + j])) {
                *below = W[j * count + i] = 0;
            }
        }
    }
}

/* Velocities that are 0 but for rounding are 0: a rolling ball does not slip on its plane. The
 * smallest slip would have a direction, which the solver would follow. */
static void drop_rounding(const CaromWorld *world, Cluster *cluster) {
    drop_couplings(cluster);
    for (int i = 0; i < cluster->contact_count; i++) {
        const CaromSite *site = &cluster->sites[i];
        double speed = fastest_point(world, cluster, site->first) +
                       fastest_point(world, cluster, site->second);
        double *v = &cluster->v[3 * i];
        bool sticks = hypot(v[0], v[1]) <= VELOCITY_ROUNDING * speed;
        v[0] = sticks ? 0 : v[0];
        v[1] = sticks ? 0 : v[1];
        v[2] = fabs(v[2]) <= VELOCITY_ROUNDING * speed ? 0 : v[2];
    }
}

/* See the top of the file. The model of springs has one coefficient of friction. */
static void adjust_contacts(const CaromWorld *world, Cluster *cluster, CaromModel model) {
    double fastest = 0;
    for (int i = 0; i < cluster->contact_count; i++) {
        fastest = fmax(fastest, -cluster->v[3 * i + 2]);
    }
    for (int i = 0; i < cluster->contact_count; i++) {
        CaromContact *contact = &cluster->contacts[i];
        if (fastest < world->rest && !is_on_level_plane(world, &cluster->touching[i]) &&
            cluster->touching[i].vertex == -1) {
            contact->e = 1;
        }
        if (model == CAROM_MODEL_COMPLIANT) {
            contact->mu_static = 0;
        }
    }
}

CaromStatus crm_world_impact_solve(CaromWorld *world, CaromWorldImpact *impact,
                                   CaromProblem *problem, CaromResult *result) {
    Cluster *cluster = &world->cluster;
    bool single = cluster->contact_count == 1;
    *problem = (CaromProblem){.contact_count = cluster->contact_count,
                              .inverse_inertia = cluster->W,
                              .velocity = cluster->v,
                              .contacts = cluster->contacts};
    problem->model = single                 ? world->one
                     : world->several_rigid ? CAROM_MODEL_RIGID
                                            : CAROM_MODEL_COMPLIANT;
    problem->law = !single && world->several_rigid ? CAROM_LAW_NEWTON : CAROM_LAW_ENERGETIC;
    *result = (CaromResult){.impulse = cluster->impulse,
                            .velocity = cluster->velocity,
                            .events = cluster->events,
                            .event_capacity = WORLD_IMPACT_EVENTS,
                            .message = ""};
    *impact = (CaromWorldImpact){.contact_count = cluster->contact_count,
                                 .touching = cluster->touching,
                                 .sites = cluster->sites,
                                 .problem = problem,
                                 .result = result,
                                 .body_count = cluster->body_count,
                                 .bodies = cluster->bodies,
                                 .before = cluster->before,
                                 .after = cluster->after};
    memcpy(cluster->after, cluster->before, (size_t)cluster->body_count * sizeof *cluster->after);
    if (cluster->overflow) {
        result->message = "contact_limit: more contacts touch at once";
        return result->status = CAROM_INVALID_INPUT;
    }
    if (cluster->contact_count == 0) {
        return result->status = CAROM_NOT_APPROACHING;
    }
    result->status = carom_bodies_contact_space(cluster->before, cluster->body_count,
                                                cluster->sites, cluster->contact_count, cluster->W,
                                                cluster->v, &result->message);
    if (result->status < 0) {
        return result->status;
    }
    drop_rounding(world, cluster);
    adjust_contacts(world, cluster, problem->model);
    CaromOptions options = {.workspace = cluster->workspace};
    CaromStatus status = carom_solve(problem, &options, result);
    if (status >= 0) {
        carom_bodies_apply(cluster->after, cluster->sites, cluster->contact_count,
                           cluster->impulse);
    }
    return status;
}

/* The level plane on which a ball stays; -1: none. */
static int staying_plane(const CaromWorld *world, const WorldBody *body) {
    const CaromMotion *motion = &body->motion;
    for (int i = 0; i < world->plane_count; i++) {
        const WorldPlane *plane = &world->planes[i];
        double from[3], e = world_surface(world, body->material, plane->material)->contact.e;
        vec3_sub(motion->position, plane->point, from);
        double gap = vec3_dot(from, plane->normal) - body->radius;
        double leaving = vec3_dot(motion->velocity, plane->normal);
        double slow = e < 1 ? world->rest : LEAVES * vec3_max_abs(motion->velocity);
        if (plane->level && gap <= WORLD_TOUCH * body->radius && fabs(leaving) <= slow) {
            return i;
        }
    }
    return -1;
}

void crm_world_impact_continue(const CaromWorld *world, WorldBody *body) {
    int plane = staying_plane(world, body);
    if (plane >= 0) {
        crm_ball_settle(world, body, plane);
    } else {
        crm_ball_fly(world, body);
    }
}

/* A convex body at rest stays there if the impact moves it no more than this part of `rest`. */
static const double UNMOVED = 1e-6;

static bool stays_at_rest(const CaromWorld *world, const WorldBody *body, const CaromBody *after) {
    double speed = sqrt(vec3_dot(after->velocity, after->velocity)) +
                   body->radius * sqrt(vec3_dot(after->angular_velocity, after->angular_velocity));
    return !body->is_ball && body->motion.phase == CAROM_PHASE_REST &&
           speed <= UNMOVED * world->rest;
}

/* Begin a new piece of motion with a state. */
static void begin_piece(const CaromWorld *world, WorldBody *body, CaromBody *state) {
    if (!body->is_ball && body->motion.phase != CAROM_PHASE_FLIGHT) {
        crm_convex_contact_lift(world, body, state);
    }
    crm_convex_contact_take(world, body, state);
    if (body->is_ball) {
        crm_world_impact_continue(world, body);
    } else {
        crm_ball_fly(world, body);
    }
    body->count++;
}

int crm_world_impact_apply(CaromWorld *world, int starts) {
    Cluster *cluster = &world->cluster;
    int count = 0;
    for (int i = 0; i < cluster->body_count; i++) {
        int index = cluster->bodies[i];
        if (index < 0) {
            continue;
        }
        WorldBody *body = &world->bodies[index];
        const CaromBody *before = &cluster->before[i];
        CaromBody *after = &cluster->after[i];
        if (stays_at_rest(world, body, after) ||
            (i >= starts &&
             memcmp(before->velocity, after->velocity, sizeof after->velocity) == 0 &&
             memcmp(before->angular_velocity, after->angular_velocity,
                    sizeof after->angular_velocity) == 0)) {
            continue;
        }
        bool flew = body->motion.phase == CAROM_PHASE_FLIGHT;
        begin_piece(world, body, after);
        cluster->moved[count] = index;
        cluster->landed[count++] = flew && body->motion.phase != CAROM_PHASE_FLIGHT;
    }
    return count;
}
