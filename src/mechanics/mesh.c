/* Mass properties of a closed triangle mesh.
 *
 * Each face (a, b, c) spans a tetrahedron with a reference point; with coordinates from that point
 * and D = a.((b - a) x (c - a)) (signed), s = a + b + c, its exact integrals are
 *     volume D/6,     first moment D s/24,     second moment D (a a^T + b b^T + c c^T + s s^T)/120.
 * Coordinates are relative to the middle of the mesh and in units of its size, so neither the
 * distance from the origin nor the unit of length costs digits; a second pass takes the second
 * moments about the centre of mass. The remaining rounding comes from faces that cancel: for a part
 * of the solid, about one ulp times its distance from the centre over its thickness. The check that
 * the mesh is closed is quadratic in the number of faces. */
#include <carom/mesh.h>

#include <float.h>
#include <stdbool.h>

#include "contact/status_end.h"
#include "math/array.h"
#include "math/functions.h"
#include "math/vec3.h"

typedef struct Mesh {
    const double *vertices;
    const int *faces;
    size_t vertex_count, face_count;
} Mesh;

/* Local coordinates: (x - origin)/size. */
typedef struct Local {
    double origin[3];
    double size;
} Local;

/* Integrals over the solid in local coordinates. */
typedef struct Moments {
    double volume;
    double rounding; /* bound of the rounding error of volume */
    double first[3];
    double second[6]; /* packed as in math/vec3.h */
} Moments;

static bool indices_in_range(const Mesh *mesh) {
    for (size_t i = 0; i < 3 * mesh->face_count; i++) {
        if (mesh->faces[i] < 0 || (size_t)mesh->faces[i] >= mesh->vertex_count) {
            return false;
        }
    }
    return true;
}

/* How often the directed edge occurs in faces other than the given one. */
static int count_edge(const Mesh *mesh, size_t except, int from, int to) {
    int count = 0;
    for (size_t i = 0; i < mesh->face_count; i++) {
        const int *face = mesh->faces + 3 * i;
        for (int k = 0; k < 3; k++) {
            count += i != except && face[k] == from && face[(k + 1) % 3] == to;
        }
    }
    return count;
}

static bool is_closed(const Mesh *mesh) {
    for (size_t i = 0; i < mesh->face_count; i++) {
        const int *face = mesh->faces + 3 * i;
        for (int k = 0; k < 3; k++) {
            if (count_edge(mesh, i, face[(k + 1) % 3], face[k]) != 1) {
                return false;
            }
        }
    }
    return true;
}

static bool vertices_are_finite(const Mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (!vec3_is_finite(mesh->vertices + 3 * i)) {
            return false;
        }
    }
    return true;
}

/* Middle of the box around the vertices in use, and the power of two (so that scaling is exact)
 * next to its largest half-width; false if it has no width. */
static bool find_local(const Mesh *mesh, Local *local) {
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < 3 * mesh->face_count; i++) {
            double x = mesh->vertices[3 * (size_t)mesh->faces[i] + (size_t)k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        local->origin[k] = 0.5 * low + 0.5 * high;
        size = fmax(size, 0.5 * high - 0.5 * low);
    }
    int exponent;
    frexp(size, &exponent);
    local->size = ldexp(0.5, exponent);
    return size > 0.0;
}

/* Edge of a face in local units, subtracted before scaling: exact if the vertices are close. */
static void find_edge(const Mesh *mesh, const Local *local, int from, int to, double edge[3]) {
    vec3_sub(mesh->vertices + 3 * (size_t)to, mesh->vertices + 3 * (size_t)from, edge);
    for (int i = 0; i < 3; i++) {
        edge[i] /= local->size;
    }
}

static void add_face(const Mesh *mesh, const Local *local, const int face[3], Moments *sum) {
    double corner[3][3], edge[2][3], normal[3], s[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        vec3_sub(mesh->vertices + 3 * (size_t)face[k], local->origin, corner[k]);
        for (int i = 0; i < 3; i++) {
            corner[k][i] /= local->size;
        }
        vec3_axpy(1.0, corner[k], s);
    }
    find_edge(mesh, local, face[0], face[1], edge[0]);
    find_edge(mesh, local, face[0], face[2], edge[1]);
    vec3_cross(edge[0], edge[1], normal);
    double D = vec3_dot(corner[0], normal);
    double reach = sqrt(vec3_dot(corner[0], corner[0])) * sqrt(vec3_dot(edge[0], edge[0])) *
                   sqrt(vec3_dot(edge[1], edge[1]));
    sum->volume += D / 6.0;
    /* about five roundings in each product of D, doubled for the sum */
    sum->rounding += 10.0 * DBL_EPSILON * reach / 6.0;
    vec3_axpy(D / 24.0, s, sum->first);
    for (int i = 0, entry = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, entry++) {
            double product = s[i] * s[j];
            for (int k = 0; k < 3; k++) {
                product += corner[k][i] * corner[k][j];
            }
            sum->second[entry] += D / 120.0 * product;
        }
    }
}

static Moments mesh_moments(const Mesh *mesh, const Local *local) {
    Moments sum = {0};
    for (size_t i = 0; i < mesh->face_count; i++) {
        add_face(mesh, local, mesh->faces + 3 * i, &sum);
    }
    return sum;
}

/* Inertia per unit of mass. The moments are about a rounded centre of mass; far from the origin
 * that rounding is not small, so the rest of the first moment is subtracted. */
static void find_inertia(const Moments *moments, double inertia[9]) {
    double spread[6];
    for (int i = 0, entry = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, entry++) {
            double shift = moments->first[i] / moments->volume * moments->first[j];
            spread[entry] = (moments->second[entry] - shift) / moments->volume;
        }
    }
    inertia[0] = spread[3] + spread[5];
    inertia[4] = spread[0] + spread[5];
    inertia[8] = spread[0] + spread[3];
    inertia[1] = inertia[3] = -spread[1];
    inertia[2] = inertia[6] = -spread[2];
    inertia[5] = inertia[7] = -spread[4];
}

/* NULL, or the problem. */
static const char *find_properties(const Mesh *mesh, double density,
                                   CaromMassProperties *properties) {
    Local local;
    if (!find_local(mesh, &local)) {
        return "vertices: the mesh has no extent";
    }
    Moments moments = mesh_moments(mesh, &local);
    if (!(moments.volume > moments.rounding)) {
        return "faces: the volume is not positive; are they turned inside out?";
    }
    vec3_axpy(local.size / moments.volume, moments.first, local.origin);
    moments = mesh_moments(mesh, &local);
    properties->volume = moments.volume * local.size * local.size * local.size;
    properties->mass = density * properties->volume;
    for (int i = 0; i < 3; i++) {
        double rest = moments.first[i] / moments.volume * local.size;
        properties->centre[i] = local.origin[i] + rest;
    }
    find_inertia(&moments, properties->inertia);
    bool usable = isfinite(properties->mass) && properties->volume > 0.0;
    for (int i = 0; i < 9; i++) {
        properties->inertia[i] *= properties->mass * local.size * local.size;
        usable = usable && isfinite(properties->inertia[i]);
    }
    return usable ? NULL : "vertices, density: the scales are too far apart";
}

CaromStatus carom_mesh_properties(const double *vertices, size_t vertex_count, const int *faces,
                                  size_t face_count, double density,
                                  CaromMassProperties *properties, const char **message) {
    Mesh mesh = {vertices, faces, vertex_count, face_count};
    if (!properties) {
        return status_end("properties must not be NULL", message);
    }
    const char *problem = !vertices || !faces ? "vertices and faces must not be NULL"
                          : !(isfinite(density) && density > 0.0)
                              ? "density must be a finite number > 0"
                          : !vertices_are_finite(&mesh) ? "vertices has an entry that is not finite"
                          : !indices_in_range(&mesh)    ? "faces has an index out of range"
                          : !is_closed(&mesh)           ? "faces: the mesh is not closed"
                                              : find_properties(&mesh, density, properties);
    if (problem) {
        properties->volume = properties->mass = NAN;
        array_fill_nan(properties->centre, 3);
        array_fill_nan(properties->inertia, 9);
    }
    return status_end(problem, message);
}
