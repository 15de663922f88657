/* Contact space of rigid bodies.
 *
 * An impulse I (contact frame, rows f_k) at the point r from a centre of mass changes the body by
 *     dV = F^T I/m,     domega = R J^-1 R^T (r x F^T I),
 * J the inertia in body axes and R the rotation from body to world axes. With J = L L^T and
 *     u_k = L^-1 R^T (r x f_k)
 * a body that takes part in contacts i and j adds
 *     W_ij[k,l] += s_i s_j (f_ik.f_jl/m + u_ik.u_jl),     s = 1 as first body, -1 as second:
 * a sum of squares on the diagonal, so nothing cancels there, and W is semidefinite to rounding.
 * A body of infinite mass adds nothing. A guided body with the unit vector a along its guide moves
 * by dV = a (a.F^T I)/m, that is, f_k becomes a (a.f_k) and u_k is 0. A body may have any number of
 * contacts. */
#include <carom/body.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contact/status_end.h"
#include "math/array.h"
#include "math/vec3.h"
#include "mechanics/frame.h"
#include "mechanics/inertia.h"
#include "mechanics/validate.h"

/* Rounding of a normal velocity, relative to the size of what it is the sum of. */
static const double REST = 8 * DBL_EPSILON;

/* Response of a body to impulses. */
typedef struct Mobility {
    double inverse_mass;
    bool guided;
    double guide[3]; /* unit; only if guided, else: */
    double R[9];     /* body to world axes */
    double L[6];     /* Cholesky factor of the inertia in body axes */
} Mobility;

CaromBody carom_body_default(void) {
    return (CaromBody){
        .mass = 1.0,
        .inertia = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
        .orientation = {1.0, 0.0, 0.0, 0.0},
    };
}

CaromBody carom_body_fixed(void) {
    CaromBody body = carom_body_default();
    body.mass = INFINITY;
    return body;
}

double carom_body_energy(const CaromBody *body) {
    if (!body || isinf(body->mass)) {
        return body ? 0.0 : NAN;
    }
    double linear = body->mass * vec3_dot(body->velocity, body->velocity);
    if (body_is_guided(body)) {
        return 0.5 * linear;
    }
    double R[9], J[6], omega[3];
    crm_frame_rotation(body->orientation, R);
    mat3_mul_transposed(R, body->angular_velocity, omega);
    inertia_pack(body, J);
    return 0.5 * (linear + sym3_quadratic(J, omega));
}

/* False for an immovable body. */
static bool find_mobility(const CaromBody *body, Mobility *mobility) {
    if (isinf(body->mass)) {
        return false;
    }
    mobility->inverse_mass = 1.0 / body->mass;
    mobility->guided = body_is_guided(body);
    if (mobility->guided) {
        memcpy(mobility->guide, body->guide, sizeof mobility->guide);
        vec3_normalise(mobility->guide);
        return true;
    }
    double J[6];
    inertia_pack(body, J);
    crm_frame_rotation(body->orientation, mobility->R);
    return sym3_cholesky(J, mobility->L);
}

/* Lever arm of a site about one of its bodies. */
typedef struct Lever {
    double f[9]; /* contact frame; of a guided body its part along the guide */
    double u[9]; /* rows u_k */
} Lever;

/* The part of a vector along the guide. */
static void guide_project(const double guide[3], double x[3]) {
    double along = vec3_dot(guide, x);
    for (int i = 0; i < 3; i++) {
        x[i] = along * guide[i];
    }
}

static void find_lever(const Mobility *mobility, const CaromBody *body, const CaromSite *site,
                       Lever *lever) {
    double r[3], moment[3];
    crm_frame_build(site, lever->f);
    vec3_sub(site->point, body->position, r);
    for (int k = 0; k < 3 && mobility->guided; k++) {
        guide_project(mobility->guide, lever->f + 3 * k);
        lever->u[3 * k] = lever->u[3 * k + 1] = lever->u[3 * k + 2] = 0.0;
    }
    for (int k = 0; k < 3 && !mobility->guided; k++) {
        vec3_cross(r, lever->f + 3 * k, moment);
        mat3_mul_transposed(mobility->R, moment, lever->u + 3 * k);
        sym3_solve_lower(mobility->L, lever->u + 3 * k);
    }
}

/* Upper triangle of the block of a site with itself; f_k.f_l of a free body is exactly 0 or 1. */
static void add_diagonal_block(const Mobility *mobility, const Lever *a, double *block,
                               size_t width) {
    for (size_t k = 0; k < 3; k++) {
        for (size_t l = k; l < 3; l++) {
            double linear = mobility->guided ? vec3_dot(a->f + 3 * k, a->f + 3 * l) : k == l;
            block[k * width + l] += mobility->inverse_mass * linear;
            block[k * width + l] += vec3_dot(a->u + 3 * k, a->u + 3 * l);
        }
    }
}

static void add_block(const Mobility *mobility, double sign, const Lever *a, const Lever *b,
                      double *block, size_t width) {
    for (size_t k = 0; k < 3; k++) {
        for (size_t l = 0; l < 3; l++) {
            double linear = mobility->inverse_mass * vec3_dot(a->f + 3 * k, b->f + 3 * l);
            double angular = vec3_dot(a->u + 3 * k, b->u + 3 * l);
            block[k * width + l] += sign * (linear + angular);
        }
    }
}

/* Add the blocks of row i that one body of site i contributes; upper triangle only. */
static void add_body(const CaromBody *body, int index, const CaromSite *sites, size_t i,
                     size_t site_count, double *W) {
    Mobility mobility;
    if (!find_mobility(body, &mobility)) {
        return;
    }
    Lever a, b;
    size_t width = 3 * site_count;
    double *row = W + 3 * i * width;
    find_lever(&mobility, body, &sites[i], &a);
    add_diagonal_block(&mobility, &a, row + 3 * i, width);
    for (size_t j = i + 1; j < site_count; j++) {
        if (sites[j].first != index && sites[j].second != index) {
            continue;
        }
        double sign = (sites[i].first == index) == (sites[j].first == index) ? 1.0 : -1.0;
        find_lever(&mobility, body, &sites[j], &b);
        add_block(&mobility, sign, &a, &b, row + 3 * j, width);
    }
}

static void fill_bodies_W(const CaromBody *bodies, const CaromSite *sites, size_t site_count,
                          double *W) {
    size_t width = 3 * site_count;
    for (size_t i = 0; i < width * width; i++) {
        W[i] = 0.0;
    }
    for (size_t i = 0; i < site_count; i++) {
        int first = sites[i].first, second = sites[i].second;
        add_body(&bodies[first], first, sites, i, site_count, W);
        add_body(&bodies[second], second, sites, i, site_count, W);
    }
    for (size_t row = 1; row < width; row++) {
        for (size_t column = 0; column < row; column++) {
            W[row * width + column] = W[column * width + row];
        }
    }
}

/* Velocity of the body's point at the site; the size of what it is the sum of. */
static double point_velocity(const CaromBody *body, const CaromSite *site, double velocity[3]) {
    double r[3];
    vec3_sub(site->point, body->position, r);
    vec3_cross(body->angular_velocity, r, velocity);
    vec3_axpy(1.0, body->velocity, velocity);
    return vec3_max_abs(body->velocity) +
           vec3_max_abs(body->angular_velocity) *
               (vec3_max_abs(site->point) + vec3_max_abs(body->position));
}

static void fill_bodies_v(const CaromBody *bodies, const CaromSite *sites, size_t site_count,
                          double *v) {
    for (size_t i = 0; i < site_count; i++) {
        double first[3], second[3], frame[9];
        double size = point_velocity(&bodies[sites[i].first], &sites[i], first) +
                      point_velocity(&bodies[sites[i].second], &sites[i], second);
        vec3_sub(first, second, first);
        crm_frame_build(&sites[i], frame);
        mat3_mul(frame, first, v + 3 * i);
        /* points that move together neither approach nor separate by rounding */
        v[3 * i + 2] = fabs(v[3 * i + 2]) <= REST * size ? 0 : v[3 * i + 2];
    }
}

CaromStatus carom_bodies_contact_space(const CaromBody *bodies, int body_count,
                                       const CaromSite *sites, int site_count, double *W, double *v,
                                       const char **message) {
    size_t count = site_count > 0 ? (size_t)site_count : 0, width = 3 * count;
    const char *problem = crm_bodies_problem(bodies, body_count, sites, site_count);
    if (!problem && W) {
        fill_bodies_W(bodies, sites, count, W);
    }
    if (!problem && v) {
        fill_bodies_v(bodies, sites, count, v);
    }
    /* finite input may overflow */
    if (!problem && !(array_is_finite(W, width * width) && array_is_finite(v, width))) {
        problem = "bodies[] and sites[] exceed the range of double precision";
    }
    if (problem) {
        array_fill_nan(W, width * width);
        array_fill_nan(v, width);
    }
    return status_end(problem, message);
}

/* Apply sign times the impulse (world axes) to a body at the site. */
static void body_push(CaromBody *body, const CaromSite *site, double sign,
                      const double impulse[3]) {
    Mobility mobility;
    if (!find_mobility(body, &mobility)) {
        return;
    }
    if (mobility.guided) {
        vec3_axpy(sign * mobility.inverse_mass * vec3_dot(mobility.guide, impulse), mobility.guide,
                  body->velocity);
        return;
    }
    double r[3], moment[3], turn[3], change[3];
    vec3_axpy(sign * mobility.inverse_mass, impulse, body->velocity);
    vec3_sub(site->point, body->position, r);
    vec3_cross(r, impulse, moment);
    mat3_mul_transposed(mobility.R, moment, turn);
    sym3_solve_lower(mobility.L, turn);
    sym3_solve_upper(mobility.L, turn);
    mat3_mul(mobility.R, turn, change);
    vec3_axpy(sign, change, body->angular_velocity);
}

void carom_bodies_apply(CaromBody *bodies, const CaromSite *sites, int site_count,
                        const double *impulse) {
    bool given = bodies && sites && impulse;
    for (int i = 0; given && i < site_count; i++) {
        double frame[9], world[3];
        crm_frame_build(&sites[i], frame);
        mat3_mul_transposed(frame, impulse + 3 * (size_t)i, world);
        body_push(&bodies[sites[i].first], &sites[i], 1.0, world);
        body_push(&bodies[sites[i].second], &sites[i], -1.0, world);
    }
}
