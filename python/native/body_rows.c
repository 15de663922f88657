/* Bodies: to contact space, back to velocities, and gradients in reverse. */
#include <stdlib.h>
#include <string.h>

#include "derivative_rows.h"

typedef struct Job {
    const Shape *shape;
    int body_count, site_count;
    const Bodies *bodies;
    const Sites *sites;
    const Spaces *space;
    /* apply */
    const Rows *impulse;
    int motion;
    double **velocity, **spin;
    /* reverse */
    const Problems *problems;
    const Rows *weights;
    const BodiesGradient *gradient;
} Job;

/* The bodies and sites of a row. */
typedef struct Group {
    CaromBody *bodies;
    CaromSite *sites;
} Group;

/* For all rows of a part. bodies NULL: no memory. */
static Group group_take(const Job *job) {
    Group group = {malloc((size_t)job->body_count * sizeof *group.bodies),
                   malloc((size_t)job->site_count * sizeof *group.sites)};
    if (!group.bodies || !group.sites) {
        free(group.bodies);
        free(group.sites);
        return (Group){0};
    }
    return group;
}

static void group_give(Group *group) {
    free(group->bodies);
    free(group->sites);
}

static void copy3(const Shape *shape, const Rows *rows, int64_t row, double to[3]) {
    const double *from = rows_at(shape, rows, row);
    if (from) {
        memcpy(to, from, 3 * sizeof *to);
    }
}

static void group_read(const Job *job, int64_t row, Group *group) {
    for (int i = 0; i < job->body_count; i++) {
        group->bodies[i] = bodies_at(job->shape, &job->bodies[i], row);
    }
    for (int i = 0; i < job->site_count; i++) {
        const Sites *from = &job->sites[i];
        CaromSite *site = &group->sites[i];
        *site = (CaromSite){.first = from->first, .second = from->second};
        copy3(job->shape, &from->point, row, site->point);
        copy3(job->shape, &from->normal, row, site->normal);
        copy3(job->shape, &from->tangent, row, site->tangent);
    }
}

static const char no_memory[] = "out of memory";

static void space_part(const void *context, int64_t from, int64_t to) {
    const Job *job = context;
    const Spaces *out = job->space;
    size_t n = (size_t)job->site_count, m = 3 * n;
    Group group = group_take(job);
    for (int64_t row = from; row < to; row++) {
        double *W = out->W + (size_t)row * m * m, *v = out->v + (size_t)row * m;
        const char *message = no_memory;
        CaromStatus status = CAROM_NOT_CONVERGED;
        if (group.bodies) {
            group_read(job, row, &group);
            status = carom_bodies_contact_space(group.bodies, job->body_count, group.sites,
                                                job->site_count, W, v, &message);
            for (size_t i = 0; out->frame && i < n; i++) {
                carom_site_frame(&group.sites[i], out->frame + 9 * ((size_t)row * n + i), NULL);
            }
        } else {
            rows_nan(W, m * m);
            rows_nan(v, m);
        }
        rows_end(row, status, message, out->status, out->message);
    }
    group_give(&group);
}

void rows_bodies_space(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                       const Sites *sites, const Spaces *out) {
    Job job = {.shape = shape,
               .body_count = body_count,
               .site_count = site_count,
               .bodies = bodies,
               .sites = sites,
               .space = out};
    rows_run(shape, 2 * (int64_t)site_count * site_count, space_part, &job);
}

static void write3(const double from[3], int64_t row, double *to) {
    if (to) {
        memcpy(to + 3 * row, from, 3 * sizeof *to);
    }
}

static void apply_part(const void *context, int64_t from, int64_t to) {
    const Job *job = context;
    Group group = group_take(job);
    for (int64_t row = from; row < to; row++) {
        static const double none[3] = {0};
        if (group.bodies) {
            group_read(job, row, &group);
            for (int i = 0; i < job->body_count && !job->motion; i++) {
                memcpy(group.bodies[i].velocity, none, sizeof none);
                memcpy(group.bodies[i].angular_velocity, none, sizeof none);
            }
            carom_bodies_apply(group.bodies, group.sites, job->site_count,
                               rows_at(job->shape, job->impulse, row));
        }
        for (int i = 0; i < job->body_count; i++) {
            if (group.bodies) {
                write3(group.bodies[i].velocity, row, job->velocity[i]);
                write3(group.bodies[i].angular_velocity, row, job->spin[i]);
            } else {
                rows_nan(job->velocity[i] ? job->velocity[i] + 3 * row : NULL, 3);
                rows_nan(job->spin[i] ? job->spin[i] + 3 * row : NULL, 3);
            }
        }
    }
    group_give(&group);
}

void rows_bodies_apply(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                       const Sites *sites, const Rows *impulse, int motion, double **velocity,
                       double **spin) {
    Job job = {.shape = shape,
               .body_count = body_count,
               .site_count = site_count,
               .bodies = bodies,
               .sites = sites,
               .impulse = impulse,
               .motion = motion,
               .velocity = velocity,
               .spin = spin};
    rows_run(shape, 1, apply_part, &job);
}

_Static_assert(sizeof(CaromBodyGradient) == BODY_GRADIENT * sizeof(double), "all doubles");
_Static_assert(sizeof(CaromSiteGradient) == 6 * sizeof(double), "all doubles");
_Static_assert(sizeof(CaromBodyWeight) == 6 * sizeof(double), "all doubles");

/* dL/dI, dL/d(W, v, coefficients), dL/d(bodies, sites) of one row. */
static CaromStatus reverse_row(const Job *job, int64_t row, const Group *group,
                               const DerivativeRoom *room, double *by_problem,
                               const char **message) {
    const CaromBodyWeight *weights = rows_at(job->shape, job->weights, row);
    size_t bodies = (size_t)job->body_count, sites = (size_t)job->site_count;
    CaromBodyGradient *by_bodies = (void *)(job->gradient->by_bodies + (size_t)row * bodies * 19);
    CaromSiteGradient *by_sites = (void *)(job->gradient->by_sites + (size_t)row * sites * 6);
    double *impulse_weight = room->gradient;
    CaromStatus status = carom_bodies_weigh(group->bodies, job->body_count, group->sites,
                                            job->site_count, weights, impulse_weight, message);
    if (status < 0) {
        return status;
    }
    CaromProblem problem = problems_at(job->shape, job->problems, row, room->contacts);
    CaromResult result = {.impulse = room->impulse};
    CaromDerivative derivative = {0};
    status = carom_differentiate_reverse(&problem, impulse_weight, NULL, room->workspace, &result,
                                         &derivative, by_problem);
    *message = result.status >= 0 ? derivative.message : result.message;
    if (result.status < 0) {
        return status;
    }
    CaromStatus chained =
        carom_bodies_gradient(group->bodies, job->body_count, group->sites, job->site_count,
                              room->impulse, weights, by_problem, by_bodies, by_sites, NULL);
    return status < 0 ? status : chained;
}

static void reverse_part(const void *context, int64_t from, int64_t to) {
    const Job *job = context;
    size_t inputs = (size_t)carom_inputs(job->site_count, 0).count;
    size_t bodies = 19 * (size_t)job->body_count, sites = 6 * (size_t)job->site_count;
    Group group = group_take(job);
    DerivativeRoom room = derivative_room_take(job->problems, 0);
    for (int64_t row = from; row < to; row++) {
        double *by_problem = job->gradient->by_problem + (size_t)row * inputs;
        const char *message = no_memory;
        CaromStatus status = CAROM_NOT_CONVERGED;
        rows_nan(job->gradient->by_bodies + (size_t)row * bodies, bodies);
        rows_nan(job->gradient->by_sites + (size_t)row * sites, sites);
        rows_nan(by_problem, inputs);
        if (group.bodies && room.numbers) {
            group_read(job, row, &group);
            status = reverse_row(job, row, &group, &room, by_problem, &message);
        }
        rows_end(row, status, message, job->gradient->status, job->gradient->message);
    }
    derivative_room_give(&room);
    group_give(&group);
}

void rows_bodies_reverse(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                         const Sites *sites, const Problems *problems, const Rows *weights,
                         const BodiesGradient *out) {
    Job job = {.shape = shape,
               .body_count = body_count,
               .site_count = site_count,
               .bodies = bodies,
               .sites = sites,
               .problems = problems,
               .weights = weights,
               .gradient = out};
    rows_run(shape, 5 * problems_cost(problems), reverse_part, &job);
}

typedef struct EnergyJob {
    const Shape *shape;
    const Bodies *body;
    double *energy;
} EnergyJob;

static void energy_part(const void *context, int64_t from, int64_t to) {
    const EnergyJob *job = context;
    for (int64_t row = from; row < to; row++) {
        CaromBody body = bodies_at(job->shape, job->body, row);
        job->energy[row] = carom_body_energy(&body);
    }
}

void rows_body_energy(const Shape *shape, const Bodies *body, double *energy) {
    EnergyJob job = {shape, body, energy};
    rows_run(shape, 1, energy_part, &job);
}
