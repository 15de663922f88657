/* The shape of a flying body, and its distance from a plane. */
#include "flight/shape.h"

#include <math.h>
#include <string.h>

#include "flight/flight.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

CaromShape carom_shape_ball(double radius) {
    return (CaromShape){.radius = radius};
}

CaromShape carom_shape_vertices(const double *vertices, int vertex_count) {
    return (CaromShape){.vertices = vertices, .vertex_count = vertex_count};
}

const char *crm_shape_problem(const CaromShape *shape) {
    if (!shape) {
        return "shape must not be NULL";
    }
    if (shape->radius != 0) {
        return shape->radius > 0 && isfinite(shape->radius) ? NULL : "shape: radius is not > 0";
    }
    if (!shape->vertices || shape->vertex_count < 1) {
        return "shape: there is neither a radius nor a vertex";
    }
    for (int i = 0; i < shape->vertex_count; i++) {
        if (!vec3_is_finite(shape->vertices + 3 * (size_t)i)) {
            return "shape: a vertex is not finite";
        }
    }
    return NULL;
}

const char *crm_plane_problem(const CaromPlane *plane, double n[3]) {
    if (!plane) {
        return "plane must not be NULL";
    }
    memcpy(n, plane->normal, 3 * sizeof *n);
    if (!vec3_is_finite(plane->point)) {
        return "plane: point is not finite";
    }
    if (!vec3_is_finite(n)) {
        return "plane: normal is not finite";
    }
    return vec3_normalise(n) ? NULL : "plane: normal is zero";
}

double carom_shape_gap(const CaromBody *body, const CaromShape *shape, const CaromPlane *plane,
                       int *vertex) {
    static const double none[3] = {0, 0, 0};
    double n[3], from[3], nu[3], R[9], least = INFINITY;
    int nearest = -1;
    if (crm_flight_problem(body, none) || crm_shape_problem(shape) || crm_plane_problem(plane, n)) {
        least = NAN;
    } else {
        vec3_sub(body->position, plane->point, from);
        crm_frame_rotation(body->orientation, R);
        mat3_mul_transposed(R, n, nu);
        for (int i = 0; shape->radius == 0 && i < shape->vertex_count; i++) {
            double height = vec3_dot(nu, shape->vertices + 3 * (size_t)i);
            if (height < least) {
                least = height;
                nearest = i;
            }
        }
        least = vec3_dot(n, from) + (shape->radius > 0 ? -shape->radius : least);
    }
    if (vertex) {
        *vertex = nearest;
    }
    return least;
}
