/* Gift wrapping in space. A plane that touches the hull from outside is turned about an edge until
 * it meets another vertex; there it has a new face, the hull of all vertices in that plane. Each
 * edge of a face leads to the next face, until every edge has two.
 *
 * The first plane touches one vertex, is turned about a line through it until it meets another, and
 * about these two. */
#include "flight/hull.h"

#include <math.h>
#include <stdbool.h>

#include "flight/patch.h"
#include "math/vec3.h"

static const char unclear_faces[] =
    "bodies[].shape: its faces cannot be told apart; vertices nearly coincide or nearly lie in one "
    "plane";

/* Room for the vertices of a face, and for those that differ. */
typedef struct HullMaking {
    Hull *hull;
    double near;
    int *own; /* vertices that differ */
    int own_count;
    int *list; /* those in a plane */
    int vertex_count;
} HullMaking;

size_t crm_hull_numbers(int vertex_count) {
    return 8 * (size_t)vertex_count;
}

size_t crm_hull_ints(int vertex_count) {
    /* starts, corners, edges, and room: Euler's formula bounds faces by 2n, edges by 3n */
    size_t n = (size_t)vertex_count;
    return (2 * n + 2) + 6 * n + (6 * n + 2) + 2 * n;
}

static const double *hull_vertex(const Hull *hull, int index) {
    return &hull->vertices[3 * (size_t)index];
}

/* List the vertices that differ by more than near. */
static void find_own(HullMaking *making) {
    for (int i = 0; i < making->vertex_count; i++) {
        bool differs = true;
        for (int j = 0; j < making->own_count && differs; j++) {
            double d[3];
            vec3_sub(hull_vertex(making->hull, i), hull_vertex(making->hull, making->own[j]), d);
            differs = sqrt(vec3_dot(d, d)) > making->near;
        }
        if (differs) {
            making->own[making->own_count++] = i;
        }
    }
}

/* The corners of the vertices in a plane through a vertex, clockwise seen against n. */
static int corners_in_plane(HullMaking *making, const double n[3], int through) {
    double inwards[3] = {-n[0], -n[1], -n[2]}, offset;
    int count = 0;
    offset = vec3_dot(n, hull_vertex(making->hull, through));
    for (int i = 0; i < making->own_count; i++) {
        double height = vec3_dot(n, hull_vertex(making->hull, making->own[i])) - offset;
        if (height >= -making->near) {
            making->list[count++] = making->own[i];
        }
    }
    return crm_patch_wrap(making->hull->vertices, inwards, making->near, making->list, count);
}

/* Turn a touching plane about an axis through a vertex, towards axis x n, until it meets another
 * one. False: all vertices lie on the axis. */
static bool turn_plane(const HullMaking *making, int through, const double axis[3], double n[3]) {
    double ahead[3], best = INFINITY, cosine = 0, sine = 0;
    vec3_cross(axis, n, ahead);
    for (int i = 0; i < making->own_count; i++) {
        double d[3];
        vec3_sub(hull_vertex(making->hull, making->own[i]), hull_vertex(making->hull, through), d);
        double below = fmax(-vec3_dot(d, n), 0), along = vec3_dot(d, ahead);
        double far = sqrt(below * below + along * along);
        /* within 0 and 2, and grows with the angle */
        double angle = below / (below + fabs(along));
        angle = along < 0 ? 2 - angle : angle;
        if (far > 4 * making->near && angle < best) {
            best = angle;
            cosine = along / far;
            sine = below / far;
        }
    }
    for (int k = 0; k < 3; k++) {
        n[k] = cosine * n[k] + sine * ahead[k];
    }
    return best < INFINITY && vec3_normalise(n);
}

/* The direction across which the corners of the new face lie, by its area; twice that is its
 * length. */
static void face_area(const Hull *hull, const int *corners, int count, double area[3]) {
    area[0] = area[1] = area[2] = 0;
    for (int i = 1; i + 1 < count; i++) {
        double a[3], b[3], part[3];
        vec3_sub(hull_vertex(hull, corners[i]), hull_vertex(hull, corners[0]), a);
        vec3_sub(hull_vertex(hull, corners[i + 1]), hull_vertex(hull, corners[0]), b);
        vec3_cross(a, b, part);
        vec3_axpy(1, part, area);
    }
}

/* Add the face in the list. */
static bool add_hull_face(const HullMaking *making, int count) {
    Hull *hull = making->hull;
    int start = hull->starts[hull->face_count];
    if (count < 3 || hull->face_count >= 2 * making->vertex_count ||
        start + count > 6 * making->vertex_count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        hull->corners[start + i] = making->list[count - 1 - i];
    }
    double *plane = &hull->planes[4 * (size_t)hull->face_count];
    face_area(hull, &hull->corners[start], count, plane);
    if (!vec3_normalise(plane)) {
        return false;
    }
    plane[3] = -INFINITY;
    for (int i = 0; i < count; i++) {
        plane[3] = fmax(plane[3], vec3_dot(plane, hull_vertex(hull, hull->corners[start + i])));
    }
    hull->starts[++hull->face_count] = start + count;
    return true;
}

/* How many faces have the edge from a to b. */
static int count_hull_edge(const Hull *hull, int a, int b) {
    int count = 0;
    for (int f = 0; f < hull->face_count; f++) {
        int end = hull->starts[f + 1];
        for (int i = hull->starts[f]; i < end; i++) {
            int next = i + 1 < end ? i + 1 : hull->starts[f];
            count += hull->corners[i] == a && hull->corners[next] == b;
        }
    }
    return count;
}

/* The face beyond the edge from a to b of a face. */
static bool cross_edge(HullMaking *making, int face, int a, int b) {
    Hull *hull = making->hull;
    double axis[3], n[3];
    vec3_sub(hull_vertex(hull, b), hull_vertex(hull, a), axis);
    vec3_normalise(axis);
    for (int k = 0; k < 3; k++) {
        n[k] = hull->planes[4 * (size_t)face + (size_t)k];
    }
    return turn_plane(making, a, axis, n) &&
           add_hull_face(making, corners_in_plane(making, n, a)) &&
           count_hull_edge(hull, b, a) == 1;
}

/* All faces from the first; also lists the edges. */
static bool wrap_faces(HullMaking *making) {
    Hull *hull = making->hull;
    for (int f = 0; f < hull->face_count; f++) {
        int end = hull->starts[f + 1];
        for (int i = hull->starts[f]; i < end; i++) {
            int a = hull->corners[i], b = hull->corners[i + 1 < end ? i + 1 : hull->starts[f]];
            int twins = count_hull_edge(hull, b, a);
            if (twins > 1 || count_hull_edge(hull, a, b) != 1 ||
                (twins == 0 && !cross_edge(making, f, a, b))) {
                return false;
            }
            if (a < b) {
                hull->edges[2 * hull->edge_count] = a;
                hull->edges[2 * hull->edge_count++ + 1] = b;
            }
        }
    }
    return true;
}

/* The vertex farthest along x. */
static int first_vertex(const HullMaking *making) {
    int best = making->own[0];
    for (int i = 1; i < making->own_count; i++) {
        if (hull_vertex(making->hull, making->own[i])[0] > hull_vertex(making->hull, best)[0]) {
            best = making->own[i];
        }
    }
    return best;
}

/* The first face, or the only edge of a hull that has none. */
static bool find_first_face(HullMaking *making) {
    Hull *hull = making->hull;
    int vertex = first_vertex(making), count = 0;
    double n[3] = {1, 0, 0}, axis[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++) {
        count = corners_in_plane(making, n, vertex);
        if (count > 2) {
            return add_hull_face(making, count);
        }
        if (count == 2) {
            vertex = making->list[0];
            vec3_sub(hull_vertex(hull, making->list[1]), hull_vertex(hull, vertex), axis);
            vec3_normalise(axis);
        }
        if (!turn_plane(making, vertex, axis, n)) {
            hull->edges[0] = making->list[0];
            hull->edges[1] = making->list[count - 1];
            hull->edge_count = 1;
            return true;
        }
    }
    return false;
}

const char *crm_hull_build(const CaromShape *shape, double *numbers, int *ints, Hull *hull) {
    size_t n = (size_t)shape->vertex_count;
    *hull = (Hull){.vertices = shape->vertices, .planes = numbers, .starts = ints};
    hull->corners = hull->starts + 2 * n + 2;
    hull->edges = hull->corners + 6 * n;
    hull->room = hull->edges + 6 * n + 2;
    hull->starts[0] = 0;
    for (int i = 0; i < shape->vertex_count; i++) {
        hull->size = fmax(hull->size, sqrt(vec3_dot(hull_vertex(hull, i), hull_vertex(hull, i))));
    }
    HullMaking making = {.hull = hull,
                         .near = HULL_NEAR * hull->size,
                         .own = hull->room,
                         .list = hull->room + n,
                         .vertex_count = shape->vertex_count};
    find_own(&making);
    if (!find_first_face(&making) || (hull->face_count > 0 && !wrap_faces(&making))) {
        return unclear_faces;
    }
    return NULL;
}
