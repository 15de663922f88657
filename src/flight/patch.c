/* The corners of the face, edge or vertex with which a shape touches a plane.
 *
 * In body axes the plane's normal is nu and the height of the vertex r is nu.r + c. The corners of
 * the convex hull of the touching vertices are found by gift wrapping: from each corner to the
 * vertex that has all others on its left, seen against nu. */
#include "flight/patch.h"

#include <math.h>
#include <stddef.h>

#include "flight/flight.h"
#include "flight/shape.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

typedef struct Patch {
    const double *vertices; /* of the shape */
    double nu[3];
    double near; /* points that are no farther apart are one */
    int *list;   /* touching vertices, the corners found so far first */
    int count, corners;
} Patch;

static const double *patch_point(const Patch *patch, int at) {
    return &patch->vertices[3 * (size_t)patch->list[at]];
}

static double patch_distance(const double a[3], const double b[3]) {
    double d[3];
    vec3_sub(a, b, d);
    return sqrt(vec3_dot(d, d));
}

/* List the vertices no higher than near above the plane; returns how many there are. */
static int patch_collect(const CaromShape *shape, const double nu[3], double height, double near,
                         int *list) {
    int count = 0;
    for (int i = 0; i < shape->vertex_count; i++) {
        if (height + vec3_dot(nu, shape->vertices + 3 * (size_t)i) <= near) {
            list[count++] = i;
        }
    }
    return count;
}

/* Make a listed vertex the next corner. */
static void patch_take(Patch *patch, int at) {
    int vertex = patch->list[at];
    patch->list[at] = patch->list[patch->corners];
    patch->list[patch->corners++] = vertex;
}

/* Is r a better next corner than q, from p: to the right of the line p q, or farther along it? */
static int is_outside(const Patch *patch, const double p[3], const double q[3], const double r[3]) {
    double along[3], to[3], cross[3], length = patch_distance(p, q);
    vec3_sub(q, p, along);
    vec3_sub(r, p, to);
    vec3_cross(along, to, cross);
    double left = vec3_dot(cross, patch->nu);
    return left < -patch->near * length ||
           (left <= patch->near * length && patch_distance(p, r) > length + patch->near &&
            vec3_dot(along, to) > 0);
}

/* The list index of the corner after the last one; 0: all are found. */
static int patch_next(const Patch *patch) {
    const double *p = patch_point(patch, patch->corners - 1);
    int best = 0;
    for (int i = patch->corners; i < patch->count; i++) {
        const double *r = patch_point(patch, i);
        int unset = best == 0 && patch->corners == 1;
        if (patch_distance(p, r) > patch->near &&
            (unset || is_outside(patch, p, patch_point(patch, best), r))) {
            best = i;
        }
    }
    return best;
}

/* The first corner: the vertex farthest from the first one. */
static void patch_begin(Patch *patch) {
    int best = 0;
    for (int i = 1; i < patch->count; i++) {
        double far = patch_distance(patch_point(patch, 0), patch_point(patch, best));
        best = patch_distance(patch_point(patch, 0), patch_point(patch, i)) > far ? i : best;
    }
    patch_take(patch, best);
}

int crm_patch_wrap(const double *vertices, const double nu[3], double near, int *list, int count) {
    Patch patch = {.vertices = vertices,
                   .nu = {nu[0], nu[1], nu[2]},
                   .near = near,
                   .list = list,
                   .count = count};
    if (count == 0) {
        return 0;
    }
    patch_begin(&patch);
    for (int next = patch_next(&patch); next > 0; next = patch_next(&patch)) {
        patch_take(&patch, next);
    }
    return patch.corners;
}

static void sort_indices(int *list, int count) {
    for (int i = 1; i < count; i++) {
        int moved = list[i], at = i;
        for (; at > 0 && list[at - 1] > moved; at--) {
            list[at] = list[at - 1];
        }
        list[at] = moved;
    }
}

int carom_shape_touching(const CaromBody *body, const CaromShape *shape, const CaromPlane *plane,
                         double distance, int *vertices) {
    static const double none[3] = {0, 0, 0};
    double n[3], from[3], nu[3], R[9];
    if (crm_flight_problem(body, none) || crm_shape_problem(shape) || crm_plane_problem(plane, n) ||
        !(distance >= 0 && distance < INFINITY)) {
        return -1;
    }
    if (shape->radius > 0) {
        return 0;
    }
    if (!vertices) {
        return -1;
    }
    vec3_sub(body->position, plane->point, from);
    crm_frame_rotation(body->orientation, R);
    mat3_mul_transposed(R, n, nu);
    int count = patch_collect(shape, nu, vec3_dot(n, from), distance, vertices);
    int corners = crm_patch_wrap(shape->vertices, nu, distance, vertices, count);
    sort_indices(vertices, corners);
    return corners;
}
