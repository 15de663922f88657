/* Contacts that touch now, found from body to body.
 *
 * The order of bodies in the world must not matter. So the contacts are sorted by their places, and
 * of two balls the one with the larger coordinates is the first. */
#include "world/touching.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"
#include "world/cell_grid.h"
#include "world/convex_contact.h"
#include "world/convex_meeting.h"
#include "world/convex_path.h"
#include "world/prediction.h"

void crm_touching_state(const CaromWorld *world, const WorldBody *body, CaromBody *state) {
    if (!body->is_ball) {
        crm_convex_path_at(world, body, world->time, state);
        return;
    }
    CaromMotion motion = body->motion;
    *state = carom_body_default();
    state->mass = body->mass;
    memcpy(state->inertia, body->inertia, sizeof state->inertia);
    carom_motion_advance(&motion, world->time);
    memcpy(state->position, motion.position, sizeof state->position);
    memcpy(state->velocity, motion.velocity, sizeof state->velocity);
    memcpy(state->angular_velocity, motion.angular_velocity, sizeof state->angular_velocity);
}

/* Put a body into the cluster. */
static void take_body(CaromWorld *world, int index) {
    Cluster *cluster = &world->cluster;
    if (world->bodies[index].member >= 0) {
        return;
    }
    if (cluster->body_count > cluster->limit) {
        cluster->overflow = true;
        return;
    }
    world->bodies[index].member = cluster->body_count;
    cluster->bodies[cluster->body_count] = index;
    crm_touching_state(world, &world->bodies[index], &cluster->before[cluster->body_count++]);
}

/* Put a contact into the cluster; NULL: there is no room. */
static CaromSite *take_contact(Cluster *cluster, CaromTouching touching,
                               const CaromContact *contact) {
    int at = cluster->contact_count;
    if (at == cluster->limit) {
        cluster->overflow = true;
        return NULL;
    }
    cluster->touching[at] = touching;
    cluster->contacts[at] = *contact;
    cluster->sites[at] = (CaromSite){0};
    cluster->contact_count++;
    return &cluster->sites[at];
}

/* A ball touches something immovable, whose normal is given. */
static void take_fixed(CaromWorld *world, int member, CaromPartner partner, int second,
                       int material, const double normal[3]) {
    Cluster *cluster = &world->cluster;
    int index = cluster->bodies[member];
    const WorldBody *body = &world->bodies[index];
    CaromTouching touching = {partner, index, second, -1};
    CaromSite *site =
        take_contact(cluster, touching, &world_surface(world, body->material, material)->contact);
    if (site) {
        site->first = member;
        site->second = -1;
        memcpy(site->normal, normal, sizeof site->normal);
        memcpy(site->point, cluster->before[member].position, sizeof site->point);
        vec3_axpy(-body->radius, normal, site->point);
    }
}

static void gather_fixed(CaromWorld *world, int member) {
    const WorldBody *body = &world->bodies[world->cluster.bodies[member]];
    CaromMotion motion = body->motion;
    carom_motion_advance(&motion, world->time);
    for (int i = 0; i < world->plane_count; i++) {
        const WorldPlane *plane = &world->planes[i];
        double from[3];
        vec3_sub(motion.position, plane->point, from);
        if (i == motion.plane ||
            vec3_dot(from, plane->normal) - body->radius <= WORLD_TOUCH * body->radius) {
            take_fixed(world, member, CAROM_PARTNER_PLANE, i, plane->material, plane->normal);
        }
    }
    for (int i = 0; i < world->cushion_count; i++) {
        const WorldCushion *cushion = &world->cushions[i];
        double normal[3];
        double gap = crm_prediction_cushion_gap(world, cushion, &motion, body->radius, normal);
        if (gap <= WORLD_TOUCH * body->radius) {
            take_fixed(world, member, CAROM_PARTNER_CUSHION, i, cushion->material, normal);
        }
    }
}

/* True if a comes after b, coordinate by coordinate. */
static bool lies_beyond(const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] > b[k];
        }
    }
    return false;
}

/* Two balls of the cluster that touch. */
static void take_pair(CaromWorld *world, int first, int second) {
    Cluster *cluster = &world->cluster;
    const double *xf = cluster->before[first].position, *xs = cluster->before[second].position;
    if (lies_beyond(xs, xf)) {
        take_pair(world, second, first);
        return;
    }
    const WorldBody *f = &world->bodies[cluster->bodies[first]];
    const WorldBody *s = &world->bodies[cluster->bodies[second]];
    CaromTouching touching = {CAROM_PARTNER_BODY, cluster->bodies[first], cluster->bodies[second],
                              -1};
    CaromSite *site =
        take_contact(cluster, touching, &world_surface(world, f->material, s->material)->contact);
    if (site) {
        site->first = first;
        site->second = second;
        vec3_sub(xf, xs, site->normal);
        memcpy(site->point, xs, sizeof site->point);
        vec3_axpy(s->radius / (f->radius + s->radius), site->normal, site->point);
    }
}

/* A ball and a convex body that touch, at a place relative to the centre of the latter. The ball is
 * the first. */
static void take_ball_on_convex(CaromWorld *world, int ball, int convex, const double arm[3],
                                const double normal[3]) {
    Cluster *cluster = &world->cluster;
    int first = cluster->bodies[ball], second = cluster->bodies[convex];
    const CaromSurface *surface =
        world_surface(world, world->bodies[first].material, world->bodies[second].material);
    CaromTouching touching = {CAROM_PARTNER_BODY, first, second, -1};
    CaromSite *site = take_contact(cluster, touching, &surface->contact);
    if (site) {
        site->first = ball;
        site->second = convex;
        memcpy(site->normal, normal, sizeof site->normal);
        memcpy(site->point, cluster->before[convex].position, sizeof site->point);
        vec3_axpy(1, arm, site->point);
    }
}

/* A member and another body, one of them a ball: take the other, and the contact, if they touch. */
static void gather_mixed_pair(CaromWorld *world, int member, int index) {
    const WorldBody *body = &world->bodies[world->cluster.bodies[member]];
    const WorldBody *other = &world->bodies[index];
    const WorldBody *ball = body->is_ball ? body : other, *convex = body->is_ball ? other : body;
    double d[3], arm[3], normal[3], touch = WORLD_TOUCH * fmin(body->radius, other->radius);
    CaromMotion ball_motion = ball->motion, convex_motion = convex->motion;
    CaromBody state;
    carom_motion_advance(&ball_motion, world->time);
    carom_motion_advance(&convex_motion, world->time);
    vec3_sub(ball_motion.position, convex_motion.position, d);
    if (sqrt(vec3_dot(d, d)) - ball->radius - convex->radius > touch) {
        return;
    }
    crm_convex_path_at(world, convex, world->time, &state);
    if (crm_convex_meeting_gap(convex, &state, ball_motion.position, ball->radius, arm, normal) <=
        touch) {
        take_body(world, index);
        if (other->member >= 0) {
            take_ball_on_convex(world, ball->member, convex->member, arm, normal);
        }
    }
}

/* A member and another ball. */
static void gather_ball_pair(CaromWorld *world, int member, int index) {
    const Cluster *cluster = &world->cluster;
    const WorldBody *body = &world->bodies[cluster->bodies[member]];
    const WorldBody *other = &world->bodies[index];
    double d[3];
    CaromMotion motion = other->motion;
    carom_motion_advance(&motion, world->time);
    vec3_sub(cluster->before[member].position, motion.position, d);
    double touch = WORLD_TOUCH * fmin(body->radius, other->radius);
    if (sqrt(vec3_dot(d, d)) - body->radius - other->radius <= touch) {
        take_body(world, index);
        if (other->member >= 0) {
            take_pair(world, member, other->member);
        }
    }
}

static void gather_pairs(CaromWorld *world, int member) {
    Cluster *cluster = &world->cluster;
    const WorldBody *body = &world->bodies[cluster->bodies[member]];
    CellWalk walk = {0};
    for (int i = crm_cell_grid_next(world, body, &walk); i >= 0 && !cluster->overflow;
         i = crm_cell_grid_next(world, body, &walk)) {
        const WorldBody *other = &world->bodies[i];
        /* earlier members have found their contacts with this one */
        if (other == body || (other->member >= 0 && other->member < member)) {
            continue;
        }
        if (body->is_ball && other->is_ball) {
            gather_ball_pair(world, member, i);
        } else if (body->is_ball || other->is_ball) {
            gather_mixed_pair(world, member, i);
        }
    }
}

/* Gaps up to this part of its size are touch: in lasting contact and at rest its vertices are at
 * the planes within the error of that. */
static double vertex_touch(const WorldBody *body) {
    return body->motion.phase == CAROM_PHASE_FLIGHT ? WORLD_TOUCH : CONVEX_CONTACT_TOUCH;
}

/* The vertices of a convex body that touch planes. */
static void gather_vertices(CaromWorld *world, int member) {
    Cluster *cluster = &world->cluster;
    int index = cluster->bodies[member];
    const WorldBody *body = &world->bodies[index];
    const CaromBody *state = &cluster->before[member];
    double R[9];
    crm_frame_rotation(state->orientation, R);
    for (int i = 0; i < world->plane_count; i++) {
        const WorldPlane *plane = &world->planes[i];
        int count = carom_shape_touching(state, &body->shape, &world->flat[i],
                                         vertex_touch(body) * body->radius, cluster->vertices);
        for (int j = 0; j < count; j++) {
            CaromTouching touching = {CAROM_PARTNER_PLANE, index, i, cluster->vertices[j]};
            CaromSite *site = take_contact(
                cluster, touching, &world_surface(world, body->material, plane->material)->contact);
            if (!site) {
                return;
            }
            mat3_mul(R, &body->shape.vertices[3 * (size_t)cluster->vertices[j]], site->point);
            vec3_axpy(1, state->position, site->point);
            memcpy(site->normal, plane->normal, sizeof site->normal);
            site->first = member;
            site->second = -1;
        }
    }
}

void crm_touching_gather(CaromWorld *world, const int *bodies, int count) {
    Cluster *cluster = &world->cluster;
    cluster->contact_count = cluster->body_count = 0;
    cluster->overflow = false;
    for (int i = 0; i < count; i++) {
        take_body(world, bodies[i]);
    }
    for (int i = 0; i < cluster->body_count && !cluster->overflow; i++) {
        if (world->bodies[cluster->bodies[i]].is_ball) {
            gather_fixed(world, i);
        } else {
            gather_vertices(world, i);
        }
        gather_pairs(world, i);
    }
}

void crm_touching_add_cue(CaromWorld *world, const CaromBody *cue, const CaromContact *contact,
                          CaromSite *site) {
    Cluster *cluster = &world->cluster;
    CaromTouching touching = {CAROM_PARTNER_CUE, cluster->bodies[site->first], -1, -1};
    CaromSite *taken = take_contact(cluster, touching, contact);
    if (taken) {
        site->second = cluster->body_count;
        *taken = *site;
        cluster->bodies[cluster->body_count] = -2;
        cluster->before[cluster->body_count++] = *cue;
    }
}

/* Can nothing push the ball of this contact, with the plane it stays on, along the plane's normal?
 */
static bool cannot_act(const CaromWorld *world, const Cluster *cluster, int at) {
    const CaromTouching *touching = &cluster->touching[at];
    const CaromSite *site = &cluster->sites[at];
    if (touching->partner != CAROM_PARTNER_PLANE ||
        world->bodies[touching->body].motion.plane != touching->second) {
        return false;
    }
    for (int i = 0; i < cluster->contact_count; i++) {
        const CaromSite *other = &cluster->sites[i];
        bool shares = other->first == site->first || other->second == site->first;
        double along = vec3_dot(other->normal, site->normal);
        if (i != at && shares &&
            (cluster->contacts[i].mu > 0 ||
             along * along > 1e-24 * vec3_dot(other->normal, other->normal))) {
            return false;
        }
    }
    return true;
}

static void move_contact(Cluster *cluster, int from, int to) {
    cluster->touching[to] = cluster->touching[from];
    cluster->contacts[to] = cluster->contacts[from];
    cluster->sites[to] = cluster->sites[from];
}

static void leave_out_idle(const CaromWorld *world, Cluster *cluster) {
    int kept = 0;
    /* mark first: the test looks at all contacts */
    for (int i = 0; i < cluster->contact_count; i++) {
        cluster->touching[i].vertex =
            cannot_act(world, cluster, i) ? -2 : cluster->touching[i].vertex;
    }
    for (int i = 0; i < cluster->contact_count; i++) {
        if (cluster->touching[i].vertex != -2) {
            move_contact(cluster, i, kept++);
        }
    }
    cluster->contact_count = kept;
}

/* By insertion; clusters are small, and nearly sorted if they are rows. */
static void sort_contacts(Cluster *cluster) {
    for (int i = 1; i < cluster->contact_count; i++) {
        CaromTouching touching = cluster->touching[i];
        CaromContact contact = cluster->contacts[i];
        CaromSite site = cluster->sites[i];
        int at = i;
        for (; at > 0 && lies_beyond(cluster->sites[at - 1].point, site.point); at--) {
            move_contact(cluster, at - 1, at);
        }
        cluster->touching[at] = touching;
        cluster->contacts[at] = contact;
        cluster->sites[at] = site;
    }
}

void crm_touching_finish(CaromWorld *world) {
    Cluster *cluster = &world->cluster;
    int fixed = cluster->body_count;
    cluster->bodies[fixed] = -1;
    cluster->before[fixed] = carom_body_fixed();
    cluster->body_count++;
    leave_out_idle(world, cluster);
    for (int i = 0; i < cluster->contact_count; i++) {
        cluster->sites[i].second = cluster->sites[i].second < 0 ? fixed : cluster->sites[i].second;
    }
    sort_contacts(cluster);
}

void crm_touching_release(CaromWorld *world) {
    for (int i = 0; i < world->cluster.body_count; i++) {
        if (world->cluster.bodies[i] >= 0) {
            world->bodies[world->cluster.bodies[i]].member = -1;
        }
    }
}
