/* Free flight and the touch of a convex body: how they depend on the motion before (carom/chain.h).
 *
 * The centre of mass moves on a parabola. With R' = [omega] R, J = R J_0 R^T and the angular
 * momentum L = J omega constant, a change delta R = [phi] R obeys
 *
 *   phi' = delta omega + omega x phi,
 *   delta omega = J^-1 (delta L - (phi x L - J (phi x omega)))
 *
 * since delta J = [phi] J - J [phi]. This linear equation for phi is solved by Radau's collocation
 * (compliant/radau.h) along the motion, by iteration, in steps that turn the body little. */
#include <carom/chain.h>

#include <string.h>

#include "compliant/radau.h"
#include "contact/status_end.h"
#include "math/array.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

/* Turn of a step, in radians over the ratio of the moments of inertia, and times by which the
 * iteration is repeated: its terms fall like those of exp. More steps than the last are not taken.
 */
static const double FLIGHT_TURN = 0.5;
enum { FLIGHT_ITERATIONS = 24, FLIGHT_STEPS_MOST = 100000 };

enum { ROTATION = 3, VELOCITY = 6, SPIN = 9, COLUMNS_MOST = 6 };

/* The rotation at one moment: what turns phi and delta L into delta omega. */
typedef struct Rotation {
    double omega[3], L[3];
    double J[9], inverse[9]; /* world axes */
} Rotation;

/* J_0 as R J_0 R^T, and its inverse. */
static void set_rotation(const CaromBody *body, Rotation *at) {
    double R[9], own[9], middle[9];
    const double *J = body->inertia;
    crm_frame_rotation(body->orientation, R);
    double det = J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
                 J[2] * (J[3] * J[7] - J[4] * J[6]);
    for (int i = 0; i < 9; i++) {
        int a = (i / 3 + 1) % 3, b = (i / 3 + 2) % 3, c = (i % 3 + 1) % 3, d = (i % 3 + 2) % 3;
        own[i] = (J[3 * a + c] * J[3 * b + d] - J[3 * a + d] * J[3 * b + c]) / det;
    }
    for (int k = 0; k < 2; k++) {
        const double *from = k ? own : J;
        double *to = k ? at->inverse : at->J;
        for (int i = 0; i < 9; i++) {
            const double *row = R + 3 * (i / 3);
            middle[i] = row[0] * from[i % 3] + row[1] * from[3 + i % 3] + row[2] * from[6 + i % 3];
        }
        for (int i = 0; i < 9; i++) {
            to[i] = vec3_dot(middle + 3 * (i / 3), R + 3 * (i % 3));
        }
    }
    memcpy(at->omega, body->angular_velocity, sizeof at->omega);
    mat3_mul(at->J, at->omega, at->L);
}

/* delta omega for a rotation phi and a change of L. */
static void spin_change(const Rotation *at, const double phi[3], const double dL[3],
                        double out[3]) {
    double turned[3], slower[3], rest[3], change[3];
    vec3_cross(phi, at->L, turned);
    vec3_cross(phi, at->omega, slower);
    mat3_mul(at->J, slower, rest);
    for (int i = 0; i < 3; i++) {
        change[i] = dL[i] - turned[i] + rest[i];
    }
    mat3_mul(at->inverse, change, out);
}

/* One step of phi, of all columns. */
static void rotation_step(const Rotation nodes[STAGES], double h, double dL[COLUMNS_MOST][3],
                          double phi[COLUMNS_MOST][3]) {
    for (int c = 0; c < COLUMNS_MOST; c++) {
        double at[STAGES][3], rate[STAGES][3];
        for (int i = 0; i < STAGES; i++) {
            memcpy(at[i], phi[c], sizeof at[i]);
        }
        for (int k = 0; k < FLIGHT_ITERATIONS; k++) {
            for (int i = 0; i < STAGES; i++) {
                double carried[3];
                spin_change(&nodes[i], at[i], dL[c], rate[i]);
                vec3_cross(nodes[i].omega, at[i], carried);
                vec3_axpy(1, carried, rate[i]);
            }
            for (int i = 0; i < STAGES; i++) {
                memcpy(at[i], phi[c], sizeof at[i]);
                for (int j = 0; j < STAGES; j++) {
                    vec3_axpy(h * INTEGRAL[i][j], rate[j], at[i]);
                }
            }
        }
        memcpy(phi[c], at[STAGES - 1], sizeof phi[c]);
    }
}

/* The changes of L by the rotation and the spin at the start. */
static void start_rotation(const Rotation *at, double dL[COLUMNS_MOST][3],
                           double phi[COLUMNS_MOST][3]) {
    for (int c = 0; c < COLUMNS_MOST; c++) {
        double unit[3] = {0, 0, 0}, turned[3], slower[3];
        unit[c % 3] = 1;
        memset(phi[c], 0, sizeof phi[c]);
        if (c < 3) {
            /* omega stays: delta L = delta J omega */
            memcpy(phi[c], unit, sizeof unit);
            vec3_cross(unit, at->L, turned);
            vec3_cross(unit, at->omega, slower);
            mat3_mul(at->J, slower, dL[c]);
            vec3_sub(turned, dL[c], dL[c]);
        } else {
            mat3_mul(at->J, unit, dL[c]);
        }
    }
}

/* The rotation after a time by that before. */
static CaromStatus follow_rotation(const CaromBody *body, const double gravity[3], double dt,
                                   double *jacobian, const char **message) {
    double dL[COLUMNS_MOST][3], phi[COLUMNS_MOST][3], spin[3];
    double turn = sqrt(vec3_dot(body->angular_velocity, body->angular_velocity)) * fabs(dt);
    double moments = 0, inverses = 0;
    Rotation now, nodes[STAGES];
    set_rotation(body, &now);
    for (int i = 0; i < 9; i++) {
        moments += now.J[i] * now.J[i];
        inverses += now.inverse[i] * now.inverse[i];
    }
    /* phi changes with omega times the ratio of the moments */
    double steps = 1 + floor(turn * sqrt(moments * inverses) / FLIGHT_TURN);
    start_rotation(&now, dL, phi);
    if (!(steps <= FLIGHT_STEPS_MOST)) {
        if (message) {
            *message = "dt: the body turns too often";
        }
        return CAROM_NOT_CONVERGED;
    }
    for (int k = 0; k < (int)steps; k++) {
        for (int i = 0; i < STAGES; i++) {
            CaromBody there = *body;
            CaromStatus status =
                carom_flight_advance(&there, gravity, dt * (k + NODE[i]) / steps, message);
            if (status < 0) {
                return status;
            }
            set_rotation(&there, &nodes[i]);
        }
        rotation_step(nodes, dt / steps, dL, phi);
    }
    for (int c = 0; c < COLUMNS_MOST; c++) {
        int column = c < 3 ? ROTATION + c : SPIN + c - 3;
        spin_change(&nodes[STAGES - 1], phi[c], dL[c], spin);
        for (int i = 0; i < 3; i++) {
            jacobian[(ROTATION + i) * CAROM_MOTION + column] = phi[c][i];
            jacobian[(SPIN + i) * CAROM_MOTION + column] = spin[i];
        }
    }
    return CAROM_OK;
}

CaromStatus carom_flight_jacobian(const CaromBody *body, const double gravity[3], double dt,
                                  double jacobian[CAROM_MOTION * CAROM_MOTION],
                                  const char **message) {
    if (!jacobian) {
        return status_end("jacobian must not be NULL", message);
    }
    array_fill_nan(jacobian, CAROM_MOTION * CAROM_MOTION);
    CaromBody after = body ? *body : (CaromBody){0};
    CaromStatus status = carom_flight_advance(body ? &after : NULL, gravity, dt, message);
    if (status < 0) {
        return status;
    }
    double all[CAROM_MOTION * CAROM_MOTION] = {0};
    for (int i = 0; i < 3; i++) {
        all[i * CAROM_MOTION + i] = all[(VELOCITY + i) * CAROM_MOTION + VELOCITY + i] = 1;
        all[i * CAROM_MOTION + VELOCITY + i] = dt;
    }
    status = follow_rotation(body, gravity, dt, all, message);
    if (status >= 0) {
        memcpy(jacobian, all, sizeof all);
    }
    return status;
}

/* The rates of the motion in flight. */
static void motion_rates(const CaromBody *body, const double gravity[3],
                         double rates[CAROM_MOTION]) {
    Rotation at;
    double torque[3];
    set_rotation(body, &at);
    /* J omega' = -omega x L */
    vec3_cross(at.L, at.omega, torque);
    memcpy(rates, body->velocity, sizeof body->velocity);
    memcpy(rates + ROTATION, body->angular_velocity, sizeof body->angular_velocity);
    memcpy(rates + VELOCITY, gravity, 3 * sizeof *rates);
    mat3_mul(at.inverse, torque, rates + SPIN);
}

/* The gradient of the time: the gap n.(x + rho) closes at `speed`. */
static void time_gradient(const CaromTouch *touch, const CaromPlane *plane, const double *flight,
                          double by_time[CAROM_MOTION]) {
    double n[3] = {plane->normal[0], plane->normal[1], plane->normal[2]}, rho[3], turning[3];
    vec3_normalise(n);
    vec3_sub(touch->point, touch->body.position, rho);
    vec3_cross(rho, n, turning); /* n.(phi x rho) = phi.(rho x n) */
    for (int j = 0; j < CAROM_MOTION; j++) {
        double gap = 0;
        for (int i = 0; i < 3; i++) {
            gap += n[i] * flight[i * CAROM_MOTION + j];
            if (touch->vertex >= 0) {
                gap += turning[i] * flight[(ROTATION + i) * CAROM_MOTION + j];
            }
        }
        by_time[j] = gap / touch->speed;
    }
}

CaromStatus carom_touch_gradient(const CaromBody *body, const double gravity[3],
                                 const CaromShape *shape, const CaromPlane *plane, double horizon,
                                 CaromTouch *touch, double by_time[CAROM_MOTION],
                                 double by_motion[CAROM_MOTION * CAROM_MOTION],
                                 const char **message) {
    if (!touch || !by_time) {
        return status_end("touch and by_time must not be NULL", message);
    }
    double flight[CAROM_MOTION * CAROM_MOTION], rates[CAROM_MOTION];
    array_fill_nan(by_time, CAROM_MOTION);
    array_fill_nan(by_motion, CAROM_MOTION * CAROM_MOTION);
    CaromStatus status = carom_flight_touch(body, gravity, shape, plane, horizon, touch, message);
    if (status < 0 || !touch->found || !(touch->speed > 0)) {
        return status;
    }
    status = carom_flight_jacobian(body, gravity, touch->time, flight, message);
    if (status < 0) {
        return status;
    }
    time_gradient(touch, plane, flight, by_time);
    motion_rates(&touch->body, gravity, rates);
    for (int i = 0; by_motion && i < CAROM_MOTION * CAROM_MOTION; i++) {
        by_motion[i] = flight[i] + rates[i / CAROM_MOTION] * by_time[i % CAROM_MOTION];
    }
    return status;
}
