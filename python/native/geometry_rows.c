/* Geometry of slip, solids, materials, meshes, and the names of enumerators. */
#include <math.h>
#include <string.h>

#include "rows.h"
#include "scene/scene.h"
#include "solve/solution.h"

/* Every function below does its rows in the caller's thread: each takes well below a microsecond,
 * but for the invariant directions. */

typedef struct InvariantJob {
    const Shape *shape;
    const Rows *W, *mu;
    double *direction, *rate;
    unsigned char *stable;
    int32_t *count, *status;
    uintptr_t *message;
} InvariantJob;

static void invariant_part(const void *context, int64_t from, int64_t to) {
    const InvariantJob *job = context;
    for (int64_t row = from; row < to; row++) {
        CaromInvariant found[4];
        const char *message;
        int count = 0;
        CaromStatus status = carom_invariant_directions(rows_at(job->shape, job->W, row),
                                                        rows_number(job->shape, job->mu, row, NAN),
                                                        found, &count, &message);
        rows_nan(job->direction + 8 * row, 8);
        rows_nan(job->rate + 4 * row, 4);
        memset(job->stable + 4 * row, 0, 4);
        for (int i = 0; i < count && status >= 0; i++) {
            memcpy(job->direction + 8 * row + 2 * i, found[i].direction, 2 * sizeof(double));
            job->rate[4 * row + i] = found[i].rate;
            job->stable[4 * row + i] = found[i].stable != 0;
        }
        job->count[row] = status >= 0 ? count : 0;
        rows_end(row, status, message, job->status, job->message);
    }
}

void rows_invariants(const Shape *shape, const Rows *W, const Rows *mu, double *direction,
                     double *rate, unsigned char *stable, int32_t *count, int32_t *status,
                     uintptr_t *message) {
    InvariantJob job = {shape, W, mu, direction, rate, stable, count, status, message};
    rows_run(shape, 10, invariant_part, &job);
}

void rows_stick_ratio(const Shape *shape, const Rows *W, double *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        out[row] = carom_stick_ratio(rows_at(shape, W, row));
    }
}

void rows_solvability_margin(const Shape *shape, const Rows *W, const Rows *mu, double *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        out[row] =
            carom_solvability_margin(rows_at(shape, W, row), rows_number(shape, mu, row, NAN));
    }
}

void rows_compression_bound(const Shape *shape, const Rows *W, const Rows *v, const Rows *mu,
                            double *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        out[row] = carom_compression_bound(rows_at(shape, W, row), rows_at(shape, v, row),
                                           rows_number(shape, mu, row, NAN));
    }
}

void rows_hodograph(const Shape *shape, const Rows *W, const Rows *mu, const Rows *gamma,
                    const Rows *theta, double *speed, int32_t *status, uintptr_t *message) {
    for (int64_t row = 0; row < shape->count; row++) {
        const char *why;
        CaromStatus end = carom_hodograph_speed(
            rows_at(shape, W, row), rows_number(shape, mu, row, NAN), rows_at(shape, gamma, row),
            rows_number(shape, theta, row, NAN), &speed[row], &why);
        rows_end(row, end, why, status, message);
    }
}

void rows_solid_inertia(const Shape *shape, int solid, const Rows *mass, const Rows *size,
                        double *inertia, int32_t *status, uintptr_t *message) {
    for (int64_t row = 0; row < shape->count; row++) {
        const char *why;
        CaromStatus end = carom_solid_inertia((CaromSolid)solid, rows_number(shape, mass, row, NAN),
                                              rows_at(shape, size, row), &inertia[9 * row], &why);
        rows_end(row, end, why, status, message);
    }
}

void rows_combine(const Shape *shape, int rule, const Rows *a, const Rows *b, double *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        out[row] = carom_combine((CaromCombine)rule, rows_number(shape, a, row, NAN),
                                 rows_number(shape, b, row, NAN));
    }
}

void rows_stiffness_ratio(const Shape *shape, const Rows *nu, double *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        out[row] = carom_stiffness_ratio(rows_number(shape, nu, row, NAN));
    }
}

int mesh_properties(const double *vertices, size_t vertex_count, const int *faces,
                    size_t face_count, double density, double *properties, const char **message) {
    CaromMassProperties found;
    CaromStatus status =
        carom_mesh_properties(vertices, vertex_count, faces, face_count, density, &found, message);
    properties[0] = found.volume;
    properties[1] = found.mass;
    memcpy(properties + 2, found.centre, sizeof found.centre);
    memcpy(properties + 5, found.inertia, sizeof found.inertia);
    return status;
}

/* The name in a list that ends with NULL. */
static const char *name_in(const char *const *names, int number) {
    for (int i = 0; i < number && names[i]; i++) {
        if (!names[i + 1]) {
            return NULL;
        }
    }
    return names[number];
}

const char *name_of(const char *kind, int number) {
    if (strcmp(kind, "model") == 0) {
        return name_in(scene_model_names, number);
    }
    if (strcmp(kind, "law") == 0) {
        return name_in(scene_law_names, number);
    }
    if (strcmp(kind, "method") == 0) {
        return number <= CAROM_METHOD_SEQUENCE ? method_name((CaromMethod)number) : NULL;
    }
    if (strcmp(kind, "status") == 0) {
        return carom_status_string((CaromStatus)number);
    }
    if (strcmp(kind, "event") == 0) {
        return number <= CAROM_EVENT_SLIP ? carom_event_string((CaromEventKind)number) : NULL;
    }
    if (strcmp(kind, "kink") == 0) {
        return number <= CAROM_KINK_TOUCH ? carom_kink_string((CaromKinkKind)number) : NULL;
    }
    return strcmp(kind, "solid") == 0 ? carom_solid_string((CaromSolid)number) : NULL;
}

const char *version(void) {
    return carom_version();
}
