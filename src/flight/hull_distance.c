/* Distance of a point from a convex hull, by feature: the face whose normal through the point meets
 * it; or else the nearest edge, with the vertices at its ends. */
#include "flight/hull_distance.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "math/vec3.h"

/* Is a point of the plane of a face inside its edges? */
static bool face_has(const Hull *hull, int face, const double foot[3]) {
    const double *n = &hull->planes[4 * (size_t)face];
    int begin = hull->starts[face], end = hull->starts[face + 1];
    for (int i = begin; i < end; i++) {
        const double *a = &hull->vertices[3 * (size_t)hull->corners[i]];
        const double *b = &hull->vertices[3 * (size_t)hull->corners[i + 1 < end ? i + 1 : begin]];
        double along[3], to[3], turn[3];
        vec3_sub(b, a, along);
        vec3_sub(foot, a, to);
        vec3_cross(along, to, turn);
        if (vec3_dot(turn, n) < 0) {
            return false;
        }
    }
    return true;
}

/* The nearest point of an edge; returns the distance. */
static double edge_distance(const Hull *hull, int edge, const double y[3], double nearest[3]) {
    const double *a = &hull->vertices[3 * (size_t)hull->edges[2 * edge]];
    const double *b = &hull->vertices[3 * (size_t)hull->edges[2 * edge + 1]];
    double along[3], to[3], away[3];
    vec3_sub(b, a, along);
    vec3_sub(y, a, to);
    double length = vec3_dot(along, along);
    double part = length > 0 ? fmin(fmax(vec3_dot(to, along) / length, 0), 1) : 0;
    for (int k = 0; k < 3; k++) {
        nearest[k] = part < 1 ? a[k] + part * along[k] : b[k];
    }
    vec3_sub(y, nearest, away);
    return sqrt(vec3_dot(away, away));
}

/* The face that is nearest to being between the point and the hull: the point is highest above it.
 * True if the nearest point is inside it. */
static bool find_face(const Hull *hull, const double y[3], int *highest, double *height) {
    *height = -INFINITY;
    for (int f = 0; f < hull->face_count; f++) {
        const double *n = &hull->planes[4 * (size_t)f];
        double above = vec3_dot(n, y) - n[3], foot[3] = {y[0], y[1], y[2]};
        vec3_axpy(-above, n, foot);
        if (above >= 0 && face_has(hull, f, foot)) {
            *highest = f;
            *height = above;
            return true;
        }
        if (above > *height) {
            *highest = f;
            *height = above;
        }
    }
    return false;
}

double crm_hull_distance(const Hull *hull, const double y[3], double nearest[3], double normal[3]) {
    int face = -1;
    double height, least = INFINITY;
    if (find_face(hull, y, &face, &height) || (face >= 0 && height < 0)) {
        for (int k = 0; k < 3; k++) {
            normal[k] = hull->planes[4 * (size_t)face + (size_t)k];
            nearest[k] = y[k] - height * normal[k];
        }
        return height;
    }
    for (int e = 0; e < hull->edge_count; e++) {
        double point[3], distance = edge_distance(hull, e, y, point);
        if (distance < least) {
            least = distance;
            for (int k = 0; k < 3; k++) {
                nearest[k] = point[k];
            }
        }
    }
    vec3_sub(y, nearest, normal);
    vec3_normalise(normal);
    return least;
}
