#include "lasting/lasting_step.h"

#include <carom/strike.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

/* Three of translation, three of rotation. */
enum { BODY_SPEEDS = 6 };

/* Sweeps of the correction of gaps. */
enum { CLOSING_SWEEPS = 4 };

size_t crm_lasting_step_size(void) {
    return 2 * 3 * (size_t)CAROM_LASTING_CONTACTS * BODY_SPEEDS +
           carom_strike_workspace(BODY_SPEEDS, CAROM_LASTING_CONTACTS);
}

/* Inverse inertia in world axes times a vector: R J^-1 R^T a. */
static void turn_response(const double Q[9], const double inverse[9], const double a[3],
                          double out[3]) {
    double body[3], response[3];
    for (int i = 0; i < 3; i++) {
        body[i] = Q[i] * a[0] + Q[3 + i] * a[1] + Q[6 + i] * a[2];
    }
    for (int i = 0; i < 3; i++) {
        response[i] = vec3_dot(&inverse[3 * i], body);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = vec3_dot(&Q[3 * i], response);
    }
}

/* Inverse of a symmetric positive definite 3x3 matrix, by cofactors: it was checked before. */
static void invert_inertia(const double A[9], double inverse[9]) {
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[3 * i + j] = A[3 * a + c] * A[3 * b + d] - A[3 * a + d] * A[3 * b + c];
        }
        determinant += A[i] * inverse[3 * i];
    }
    for (int i = 0; i < 9; i++) {
        inverse[i] /= determinant;
    }
}

/* Rows of J and of R = M^-1 J^T for all contacts, at the body's configuration. */
static void fill_contact_rows(const Surroundings *around, const TouchList *list,
                              const CaromBody *body, StepRoom *room) {
    double Q[9], inverse[9], arm[3], frame[9];
    crm_frame_rotation(body->orientation, Q);
    invert_inertia(body->inertia, inverse);
    for (int i = 0; i < list->count; i++) {
        const Touch *touch = &list->touches[i];
        CaromSite site = {.first = 0, .second = 1};
        for (int k = 0; k < 3; k++) {
            site.normal[k] = around->normals[3 * touch->plane + k];
        }
        carom_site_frame(&site, frame, NULL);
        crm_touch_arm(around, Q, touch->vertex, arm);
        for (int k = 0; k < 3; k++) {
            double *J = &room->J[(3 * i + k) * BODY_SPEEDS],
                   *R = &room->R[(3 * i + k) * BODY_SPEEDS];
            for (int c = 0; c < 3; c++) {
                J[c] = frame[3 * k + c];
                R[c] = J[c] / body->mass;
            }
            vec3_cross(arm, &frame[3 * k], J + 3);
            turn_response(Q, inverse, J + 3, R + 3);
        }
        room->contacts[i] = (CaromContact){.mu = around->given->mu[touch->plane], .e = 0};
    }
}

/* Turn the orientation by a small vector in world axes. */
static void turn_by(const double angle[3], double q[4]) {
    double half[3] = {angle[0] / 2, angle[1] / 2, angle[2] / 2}, cross[3];
    double size = sqrt(vec3_dot(half, half)), factor = size > 0 ? sin(size) / size : 1;
    double w = cos(size), *v = q + 1;
    for (int i = 0; i < 3; i++) {
        half[i] *= factor;
    }
    /* (w, half) o (q0, v) */
    vec3_cross(half, v, cross);
    double first = w * q[0] - vec3_dot(half, v);
    for (int i = 0; i < 3; i++) {
        v[i] = w * v[i] + q[0] * half[i] + cross[i];
    }
    q[0] = first;
}

/* Each by itself as an impulse would move it, all together by the mean, so that their order does
 * not matter. */
void crm_lasting_close(const Surroundings *around, const TouchList *list, const StepRoom *room,
                       CaromBody *body) {
    for (int sweep = 0; sweep < CLOSING_SWEEPS; sweep++) {
        double Q[9], arm[3], shift[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
        crm_frame_rotation(body->orientation, Q);
        for (int i = 0; i < list->count; i++) {
            const Touch *touch = &list->touches[i];
            const double *J = &room->J[(3 * i + 2) * BODY_SPEEDS],
                         *R = &room->R[(3 * i + 2) * BODY_SPEEDS];
            crm_touch_arm(around, Q, touch->vertex, arm);
            double gap = crm_touch_gap(around, body, arm, touch->plane);
            if (gap < 0 || room->impulse[3 * i + 2] > 0) {
                double w = vec3_dot(J, R) + vec3_dot(J + 3, R + 3);
                vec3_axpy(-gap / (w * list->count), R, shift);
                vec3_axpy(-gap / (w * list->count), R + 3, turn);
            }
        }
        vec3_axpy(1, shift, body->position);
        turn_by(turn, body->orientation);
    }
}

CaromStatus crm_lasting_step(const Surroundings *around, const TouchList *list,
                             const CaromBody *from, double h, StepRoom *room, CaromBody *to,
                             const char **message) {
    CaromBody free = *from;
    CaromStatus status = carom_flight_advance(&free, around->given->gravity, h, message);
    *to = free;
    for (int pass = 0; pass < 2 && status >= 0 && list->count > 0; pass++) {
        double u[BODY_SPEEDS];
        for (int i = 0; i < 3; i++) {
            u[i] = free.velocity[i];
            u[3 + i] = free.angular_velocity[i];
        }
        fill_contact_rows(around, list, to, room);
        CaromStrike strike = {.speed_count = BODY_SPEEDS,
                              .contact_count = list->count,
                              .R = room->R,
                              .J = room->J,
                              .contacts = room->contacts};
        CaromResult result = {.impulse = room->impulse};
        status = carom_strike_solve(&strike, u, room->workspace, &result);
        room->solves++;
        if (status == CAROM_NOT_APPROACHING) {
            for (int i = 0; i < 3 * list->count; i++) {
                room->impulse[i] = 0;
            }
            status = CAROM_OK;
        } else if (status < 0) {
            *message = result.message;
            return status;
        }
        *to = free;
        double turn[3];
        for (int i = 0; i < 3; i++) {
            to->velocity[i] = u[i];
            to->angular_velocity[i] = u[3 + i];
            to->position[i] += h / 2 * (u[i] - free.velocity[i]);
            turn[i] = h / 2 * (u[3 + i] - free.angular_velocity[i]);
        }
        turn_by(turn, to->orientation);
    }
    return status;
}
