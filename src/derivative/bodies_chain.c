/* From dL/d(W, v) to dL/d(bodies, sites), in reverse.
 *
 * With the rows f_ik of the frame of site i, arms a_ik = r_i x f_ik, s = 1 for the first and -1 for
 * the second body of a site, and Q the inverse inertia in world axes, each body adds
 *
 *   v_ik   = s (f_ik.V + a_ik.omega)
 *   W_ikjl = s_i s_j (f_ik.f_jl/m + a_ik.Q a_jl)
 *   V+     = V + sum s I_ik f_ik/m,    omega+ = omega + Q sum s I_ik a_ik
 *
 * A guided body, which moves along the unit vector u only, has u u^T f in the place of f, and Q =
 * 0. With G the symmetric gradient by W, g that by v, w_V and w_omega the weights, the gradients by
 * f and a follow by differentiating these sums; r x f, the frame and Q = R J^-1 R^T come last. */
#include <carom/chain.h>

#include <math.h>
#include <string.h>

#include "contact/status_end.h"
#include "derivative/packed.h"
#include "math/array.h"
#include "math/vec3.h"
#include "mechanics/frame.h"
#include "mechanics/inertia.h"
#include "mechanics/validate.h"

/* A body's response. */
typedef struct Response {
    double inverse_mass;
    bool guided;
    double guide[3]; /* unit; only if guided. Else: */
    double R[9], L[6];
    double Q[9];
} Response;

/* The part of a vector along the guide, if there is one. */
static void guide_vector(const Response *response, const double x[3], double part[3]) {
    double along = response->guided ? vec3_dot(response->guide, x) : 0;
    for (int i = 0; i < 3; i++) {
        part[i] = response->guided ? along * response->guide[i] : x[i];
    }
}

/* x = J^-1 x in body axes, in place. */
static void inertia_divide(const double L[6], double x[3]) {
    sym3_solve_lower(L, x);
    sym3_solve_upper(L, x);
}

/* False for an immovable body. */
static bool find_response(const CaromBody *body, Response *out) {
    double J[6];
    if (isinf(body->mass)) {
        return false;
    }
    out->inverse_mass = 1 / body->mass;
    out->guided = body_is_guided(body);
    if (out->guided) {
        memcpy(out->guide, body->guide, sizeof out->guide);
        vec3_normalise(out->guide);
        memset(out->Q, 0, sizeof out->Q);
        return true;
    }
    inertia_pack(body, J);
    crm_frame_rotation(body->orientation, out->R);
    sym3_cholesky(J, out->L);
    for (int i = 0; i < 3; i++) {
        double x[3] = {out->R[3 * i], out->R[3 * i + 1], out->R[3 * i + 2]};
        inertia_divide(out->L, x);
        for (int j = 0; j < 3; j++) {
            out->Q[3 * i + j] = vec3_dot(out->R + 3 * j, x);
        }
    }
    return true;
}

/* A site as one of its bodies sees it. */
typedef struct Arm {
    double sign;
    double r[3], f[9], a[9];
} Arm;

/* False if the body has no part in the site. */
static bool find_arm(const CaromBody *body, int index, const CaromSite *site, Arm *arm) {
    if (site->first != index && site->second != index) {
        return false;
    }
    arm->sign = site->first == index ? 1 : -1;
    vec3_sub(site->point, body->position, arm->r);
    crm_frame_build(site, arm->f);
    for (int k = 0; k < 3; k++) {
        vec3_cross(arm->r, arm->f + 3 * k, arm->a + 3 * k);
    }
    return true;
}

CaromStatus carom_bodies_weigh(const CaromBody *bodies, int body_count, const CaromSite *sites,
                               int site_count, const CaromBodyWeight *weights,
                               double *impulse_weight, const char **message) {
    const char *problem = !weights || !impulse_weight
                              ? "weights and impulse_weight must not be NULL"
                              : crm_bodies_problem(bodies, body_count, sites, site_count);
    size_t count = site_count > 0 ? 3 * (size_t)site_count : 0;
    if (problem) {
        array_fill_nan(impulse_weight, count);
        return status_end(problem, message);
    }
    memset(impulse_weight, 0, count * sizeof *impulse_weight);
    for (int b = 0; b < body_count; b++) {
        Response response;
        Arm arm;
        if (!find_response(&bodies[b], &response)) {
            continue;
        }
        double turn[3], along[3];
        mat3_mul(response.Q, weights[b].angular_velocity, turn);
        guide_vector(&response, weights[b].velocity, along);
        for (int i = 0; i < site_count; i++) {
            for (int k = 0; find_arm(&bodies[b], b, &sites[i], &arm) && k < 3; k++) {
                double push = response.inverse_mass * vec3_dot(arm.f + 3 * k, along);
                impulse_weight[3 * i + k] += arm.sign * (push + vec3_dot(arm.a + 3 * k, turn));
            }
        }
    }
    return status_end(NULL, message);
}

/* What is given, and the gradients of one body while they are summed. */
typedef struct Chain {
    const CaromBody *bodies;
    const CaromSite *sites;
    int site_count, rows;
    const double *impulse, *gradient; /* dL/dW packed, then dL/dv */
    double S[9];                      /* dL/dQ */
    double by_inverse_mass;
} Chain;

/* Half of dL/dW_pq beside the diagonal: the entry of the symmetric gradient. */
static double symmetric_entry(const Chain *chain, int p, int q) {
    double g = chain->gradient[packed_index(chain->rows, p, q)];
    return p == q ? g : g / 2;
}

/* Add what the pair of sites i, j of a body gives to the gradients by the f and a of site i. */
static void add_pair_chain(Chain *chain, const Response *response, const Arm *at, int i,
                           const Arm *other, int j, double by_f[9], double by_a[9]) {
    double both = at->sign * other->sign;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            double G = both * symmetric_entry(chain, 3 * i + k, 3 * j + l), turned[3], f[3];
            const double *a = other->a + 3 * l;
            guide_vector(response, other->f + 3 * l, f);
            mat3_mul(response->Q, a, turned);
            vec3_axpy(2 * G * response->inverse_mass, f, by_f + 3 * k);
            vec3_axpy(2 * G, turned, by_a + 3 * k);
            chain->by_inverse_mass += G * vec3_dot(at->f + 3 * k, f);
            for (int m = 0; m < 9; m++) {
                chain->S[m] += G * at->a[3 * k + m / 3] * a[m % 3];
            }
        }
    }
}

/* The gradient by the unit normal from those by the rows of the frame; the tangent stays. */
static void frame_gradient(const CaromSite *site, const double f[9], const double by_f[9],
                           double normal[3]) {
    double torque[3] = {0, 0, 0}, tangent[3], length, part[3];
    const double *t1 = f, *t2 = f + 3, *n = f + 6;
    for (int k = 0; k < 3; k++) {
        vec3_cross(f + 3 * k, by_f + 3 * k, part);
        vec3_axpy(1, part, torque);
    }
    memcpy(tangent, site->tangent, sizeof tangent);
    if (!vec3_normalise(tangent)) {
        int axis = 0;
        for (int i = 1; i < 3; i++) {
            axis = fabs(n[i]) < fabs(n[axis]) ? i : axis;
        }
        tangent[axis] = 1;
    }
    length = sqrt(vec3_dot(site->normal, site->normal));
    vec3_cross(torque, n, part);
    vec3_axpy(-vec3_dot(n, tangent) / vec3_dot(t1, tangent) * vec3_dot(n, torque), t2, part);
    vec3_axpy(1 / length, part, normal);
}

/* What a site gives, and the gradients by its arms. */
static void add_site_chain(Chain *chain, int b, int i, const Arm *arm, const Response *response,
                           const CaromBodyWeight *weight, CaromBodyGradient *body,
                           CaromSiteGradient *site) {
    const double *I = chain->impulse + 3 * i;
    const double *g = chain->gradient + packed_count(chain->rows) + 3 * i;
    const CaromBody *at = &chain->bodies[b];
    double by_f[9] = {0}, by_a[9] = {0}, turn[3] = {0}, along[3] = {0}, part[3], by_r[3] = {0};
    bool turns = !response || !response->guided;
    if (response) {
        mat3_mul(response->Q, weight->angular_velocity, turn);
        guide_vector(response, weight->velocity, along);
        for (int j = 0; j < chain->site_count; j++) {
            Arm other;
            if (find_arm(at, b, &chain->sites[j], &other)) {
                add_pair_chain(chain, response, arm, i, &other, j, by_f, by_a);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        double s = arm->sign;
        const double *f = arm->f + 3 * k, *a = arm->a + 3 * k;
        vec3_axpy(s * g[k], at->velocity, by_f + 3 * k);
        vec3_axpy(s * g[k], at->angular_velocity, by_a + 3 * k);
        vec3_axpy(s * g[k], f, body->velocity);
        vec3_axpy(turns ? s * g[k] : 0, a, body->angular_velocity);
        if (response) {
            vec3_axpy(s * I[k] * response->inverse_mass, along, by_f + 3 * k);
            vec3_axpy(s * I[k], turn, by_a + 3 * k);
            chain->by_inverse_mass += s * I[k] * vec3_dot(along, f);
            for (int m = 0; m < 9; m++) {
                chain->S[m] += s * I[k] * weight->angular_velocity[m / 3] * a[m % 3];
            }
        }
        vec3_cross(f, by_a + 3 * k, part);
        vec3_axpy(1, part, by_r);
        vec3_cross(by_a + 3 * k, arm->r, part);
        vec3_axpy(1, part, by_f + 3 * k);
    }
    vec3_axpy(-1, by_r, body->position);
    if (site) {
        vec3_axpy(1, by_r, site->point);
        frame_gradient(&chain->sites[i], arm->f, by_f, site->normal);
    }
}

/* By mass, inertia and rotation, from those by 1/m and Q. */
static void close_body(const Chain *chain, const Response *response, CaromBodyGradient *body) {
    double S[9], M[9] = {0}, P[9];
    body->mass = -response->inverse_mass * response->inverse_mass * chain->by_inverse_mass;
    if (response->guided) {
        return;
    }
    for (int m = 0; m < 9; m++) {
        S[m] = (chain->S[m] + chain->S[3 * (m % 3) + m / 3]) / 2;
    }
    for (int m = 0; m < 9; m++) {
        for (int k = 0; k < 3; k++) {
            M[m] += response->Q[3 * (m / 3) + k] * S[3 * k + m % 3];
        }
    }
    body->rotation[0] = 2 * (M[5] - M[7]);
    body->rotation[1] = 2 * (M[6] - M[2]);
    body->rotation[2] = 2 * (M[1] - M[3]);
    /* -J^-1 R^T S R J^-1: columns J^-1 R^T e_i of world axes */
    double C[9];
    for (int i = 0; i < 3; i++) {
        double x[3] = {response->R[3 * i], response->R[3 * i + 1], response->R[3 * i + 2]};
        inertia_divide(response->L, x);
        memcpy(C + 3 * i, x, sizeof x);
    }
    for (int m = 0; m < 9; m++) {
        P[m] = 0;
        for (int k = 0; k < 9; k++) {
            P[m] -= C[3 * (k / 3) + m / 3] * S[k] * C[3 * (k % 3) + m % 3];
        }
    }
    const double packed[6] = {P[0], 2 * P[1], 2 * P[2], P[4], 2 * P[5], P[8]};
    memcpy(body->inertia, packed, sizeof packed);
}

CaromStatus carom_bodies_gradient(const CaromBody *bodies, int body_count, const CaromSite *sites,
                                  int site_count, const double *impulse,
                                  const CaromBodyWeight *weights, const double *gradient,
                                  CaromBodyGradient *by_bodies, CaromSiteGradient *by_sites,
                                  const char **message) {
    const char *problem = !impulse || !weights || !gradient
                              ? "impulse, weights and gradient must not be NULL"
                              : crm_bodies_problem(bodies, body_count, sites, site_count);
    Chain chain = {.bodies = bodies,
                   .sites = sites,
                   .site_count = site_count,
                   .rows = 3 * site_count,
                   .impulse = impulse,
                   .gradient = gradient};
    for (int i = 0; by_sites && i < site_count; i++) {
        by_sites[i] = (CaromSiteGradient){0};
        array_fill_nan(problem ? by_sites[i].point : NULL, 3);
        array_fill_nan(problem ? by_sites[i].normal : NULL, 3);
    }
    for (int b = 0; b < body_count; b++) {
        CaromBodyGradient sum = {0};
        Response response;
        Arm arm;
        if (problem) {
            array_fill_nan(&sum.mass, sizeof sum / sizeof(double));
        } else {
            bool moves = find_response(&bodies[b], &response);
            chain.by_inverse_mass = 0;
            memset(chain.S, 0, sizeof chain.S);
            for (int i = 0; i < site_count; i++) {
                if (find_arm(&bodies[b], b, &sites[i], &arm)) {
                    add_site_chain(&chain, b, i, &arm, moves ? &response : NULL, &weights[b], &sum,
                                   by_sites ? &by_sites[i] : NULL);
                }
            }
            vec3_axpy(1, weights[b].velocity, sum.velocity);
            bool turns = !moves || !response.guided;
            vec3_axpy(turns ? 1 : 0, weights[b].angular_velocity, sum.angular_velocity);
            if (moves) {
                close_body(&chain, &response, &sum);
            }
        }
        if (by_bodies) {
            by_bodies[b] = sum;
        }
    }
    return status_end(problem, message);
}
