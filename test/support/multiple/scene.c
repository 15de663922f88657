#include "support/multiple/scene.h"

#include <math.h>
#include <string.h>

#include "support/math/vector.h"

void scene_frame(const double n[3], double axes[3][3]) {
    int least = fabs(n[0]) < 0.6 ? 0 : 1;
    double along[3] = {least == 0, least == 1, 0};
    vector_cross(n, along, axes[0]);
    vector_unit(axes[0]);
    vector_cross(n, axes[0], axes[1]);
    memcpy(axes[2], n, sizeof axes[2]);
}

/* One row of J: its parts for each of the bodies. */
typedef struct Row {
    int body[2];
    double linear[2][3], angular[2][3];
} Row;

static Row row_of(const Scene *scene, const Touch *touch, const double axis[3]) {
    Row row = {.body = {touch->first, touch->second}};
    for (int side = 0; side < 2; side++) {
        if (row.body[side] != GROUND) {
            double r[3], sign = side == 0 ? 1 : -1;
            for (int i = 0; i < 3; i++) {
                r[i] = sign * (touch->point[i] - scene->bodies[row.body[side]].position[i]);
                row.linear[side][i] = sign * axis[i];
            }
            vector_cross(r, axis, row.angular[side]);
        }
    }
    return row;
}

static double coupling(const Scene *scene, const Row *a, const Row *b) {
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        int i = k / 2, j = k % 2;
        if (a->body[i] != GROUND && a->body[i] == b->body[j]) {
            const Body *body = &scene->bodies[a->body[i]];
            sum += vector_dot(a->linear[i], b->linear[j]) / body->mass;
            for (int c = 0; c < 3; c++) {
                sum += a->angular[i][c] * b->angular[j][c] / body->inertia[c];
            }
        }
    }
    return sum;
}

static double speed(const Scene *scene, const Row *row) {
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        if (row->body[side] != GROUND) {
            const Body *body = &scene->bodies[row->body[side]];
            sum += vector_dot(row->linear[side], body->velocity) +
                   vector_dot(row->angular[side], body->spin);
        }
    }
    return sum;
}

void scene_assemble(const Scene *scene, MultipleProblem *problem) {
    static const int order[2][3] = {{0, 1, 2}, {1, 2, 2}}; /* planar: t along x */
    Row rows[MULTIPLE_ROWS];
    int per = problem->planar ? 2 : 3;
    problem->count = scene->touch_count;
    int count = multiple_rows(problem);
    for (int i = 0; i < count; i++) {
        double axes[3][3];
        const Touch *touch = &scene->touches[i / per];
        scene_frame(touch->normal, axes);
        rows[i] = row_of(scene, touch, axes[order[problem->planar][i % per]]);
    }
    for (int i = 0; i < count; i++) {
        problem->v[i] = speed(scene, &rows[i]);
        for (int j = 0; j <= i; j++) {
            problem->W[i * count + j] = problem->W[j * count + i] =
                coupling(scene, &rows[i], &rows[j]);
        }
    }
}

Body *scene_add_body(Scene *scene, double mass, double radius) {
    Body *body = &scene->bodies[scene->body_count++];
    *body = (Body){.mass = mass};
    for (int i = 0; i < 3; i++) {
        body->inertia[i] = 0.4 * mass * radius * radius;
    }
    return body;
}

void scene_add_touch(Scene *scene, int i, int j) {
    Touch *touch = &scene->touches[scene->touch_count++];
    touch->first = i;
    touch->second = j;
    for (int c = 0; c < 3; c++) {
        double a = scene->bodies[i].position[c], b = scene->bodies[j].position[c];
        touch->point[c] = (a + b) / 2;
        touch->normal[c] = a - b;
    }
    vector_unit(touch->normal);
}

void scene_add_ground_touch(Scene *scene, int body, double x, double y) {
    scene->touches[scene->touch_count++] =
        (Touch){.first = body, .second = GROUND, .point = {x, y, 0}, .normal = {0, 0, 1}};
}
