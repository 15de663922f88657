#include "lasting/touch_list.h"

#include <math.h>

#include "math/vec3.h"
#include "mechanics/frame.h"

void crm_touch_arm(const Surroundings *around, const double R[9], int vertex, double arm[3]) {
    const double *r = &around->given->shape.vertices[3 * vertex];
    for (int i = 0; i < 3; i++) {
        arm[i] = vec3_dot(&R[3 * i], r);
    }
}

double crm_touch_gap(const Surroundings *around, const CaromBody *body, const double arm[3],
                     int plane) {
    double from[3];
    vec3_sub(body->position, around->given->planes[plane].point, from);
    return vec3_dot(from, &around->normals[3 * plane]) + vec3_dot(arm, &around->normals[3 * plane]);
}

double crm_touch_speed(const Surroundings *around, const CaromBody *body, const double arm[3],
                       int plane) {
    double v[3];
    vec3_cross(body->angular_velocity, arm, v);
    vec3_axpy(1, body->velocity, v);
    return vec3_dot(v, &around->normals[3 * plane]);
}

void crm_touch_find(const Surroundings *around, const CaromBody *body, TouchList *list) {
    list->count = 0;
    list->overflow = false;
    for (int plane = 0; plane < around->given->plane_count; plane++) {
        int count = carom_shape_touching(body, &around->given->shape, &around->given->planes[plane],
                                         LASTING_TOUCH * around->size, around->room);
        for (int i = 0; i < count; i++) {
            if (list->count == CAROM_LASTING_CONTACTS) {
                list->overflow = true;
                return;
            }
            list->touches[list->count++] = (Touch){.vertex = around->room[i], .plane = plane};
        }
    }
}

double crm_touch_deepest(const Surroundings *around, const CaromBody *body, const TouchList *list) {
    double R[9], arm[3], deepest = INFINITY;
    crm_frame_rotation(body->orientation, R);
    int next = 0;
    for (int plane = 0; plane < around->given->plane_count; plane++) {
        for (int vertex = 0; vertex < around->given->shape.vertex_count; vertex++) {
            /* the list has planes, and vertices of a plane, in ascending order */
            if (next < list->count && list->touches[next].plane == plane &&
                list->touches[next].vertex == vertex) {
                next++;
                continue;
            }
            crm_touch_arm(around, R, vertex, arm);
            deepest = fmin(deepest, crm_touch_gap(around, body, arm, plane));
        }
    }
    return deepest;
}
