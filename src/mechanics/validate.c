#include "mechanics/validate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "math/vec3.h"
#include "mechanics/frame.h"
#include "mechanics/inertia.h"

/* Largest deviation of a quaternion's length from 1. Single precision drifts by 1e-6 or so; more
 * than this is an error in the input. Quaternions are normalised where they are used. */
#define QUATERNION_SLACK 1e-3

static const char *inertia_problem(const CaromBody *body) {
    const double *J = body->inertia;
    for (int i = 0; i < 9; i++) {
        if (!isfinite(J[i])) {
            return "bodies[].inertia is not finite";
        }
    }
    double diagonal[3];
    for (int i = 0; i < 3; i++) {
        if (!(J[4 * i] > 0.0)) {
            return "bodies[].inertia is not positive definite";
        }
        diagonal[i] = sqrt(J[4 * i]);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            double scale = diagonal[i] * diagonal[j];
            if (!(fabs(J[3 * i + j] - J[3 * j + i]) <= INERTIA_ASYMMETRY * scale)) {
                return "bodies[].inertia is not symmetric";
            }
        }
    }
    double packed[6], factor[6];
    inertia_pack(body, packed);
    return sym3_cholesky(packed, factor) ? NULL : "bodies[].inertia is not positive definite";
}

static const char *orientation_problem(const double q[4]) {
    if (!isfinite(q[0]) || !vec3_is_finite(q + 1)) {
        return "bodies[].orientation is not finite";
    }
    double length = sqrt(q[0] * q[0] + vec3_dot(q + 1, q + 1));
    return fabs(length - 1.0) <= QUATERNION_SLACK ? NULL
                                                  : "bodies[].orientation is not of unit length";
}

/* Largest speed across the guide, relative to the speed. */
#define GUIDE_SLACK 1e-9

static const char *guide_problem(const CaromBody *body) {
    double a[3], across[3];
    memcpy(a, body->guide, sizeof a);
    vec3_normalise(a);
    if (isinf(body->mass)) {
        return "bodies[].guide: a body of infinite mass cannot be guided";
    }
    if (vec3_max_abs(body->angular_velocity) != 0.0) {
        return "bodies[].angular_velocity of a guided body is not 0";
    }
    vec3_cross(a, body->velocity, across);
    return vec3_max_abs(across) <= GUIDE_SLACK * vec3_max_abs(body->velocity)
               ? NULL
               : "bodies[].velocity of a guided body is not along its guide";
}

const char *crm_body_problem(const CaromBody *body) {
    if (!(body->mass > 0.0)) {
        return "bodies[].mass is not > 0";
    }
    if (!vec3_is_finite(body->position)) {
        return "bodies[].position is not finite";
    }
    if (!vec3_is_finite(body->velocity)) {
        return "bodies[].velocity is not finite";
    }
    if (!vec3_is_finite(body->angular_velocity)) {
        return "bodies[].angular_velocity is not finite";
    }
    if (!vec3_is_finite(body->guide)) {
        return "bodies[].guide is not finite";
    }
    const char *problem = orientation_problem(body->orientation);
    if (!problem && body_is_guided(body)) {
        return guide_problem(body);
    }
    /* the inertia of an immovable body is not used */
    return problem || isinf(body->mass) ? problem : inertia_problem(body);
}

static const char *site_problem(const CaromSite *site, int body_count) {
    if (site->first < 0 || site->first >= body_count) {
        return "sites[].first is out of range";
    }
    if (site->second < 0 || site->second >= body_count) {
        return "sites[].second is out of range";
    }
    if (site->first == site->second) {
        return "sites[].first and sites[].second are the same body";
    }
    if (!vec3_is_finite(site->point)) {
        return "sites[].point is not finite";
    }
    double frame[9];
    return crm_frame_build(site, frame);
}

const char *crm_bodies_problem(const CaromBody *bodies, int body_count, const CaromSite *sites,
                               int site_count) {
    if (!bodies || body_count < 1) {
        return "bodies is empty";
    }
    if (!sites || site_count < 1) {
        return "sites is empty";
    }
    const char *problem = NULL;
    for (int i = 0; i < body_count && !problem; i++) {
        problem = crm_body_problem(&bodies[i]);
    }
    for (int i = 0; i < site_count && !problem; i++) {
        problem = site_problem(&sites[i], body_count);
    }
    return problem;
}
