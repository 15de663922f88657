/* The same shot by small time steps, as simple as possible and independent of carom.
 *
 * Each contact has a normal spring (force N, deflection x <= 0) and a tangential one (deflection y,
 * force at most mu N; beyond that it slides). At the end of compression the normal stiffness grows
 * by 1/e^2 and the deflection shrinks by e^2. First order: halving the step halves the error. */
#include <math.h>
#include <stdbool.h>

#include "shot.h"

typedef struct Spring {
    double normal[3];
    double k, kt, mu, e;
    double x, y[3];
    bool acts, restitution;
} Spring;

typedef struct Motion {
    double c[3];            /* axis of the cue */
    double cue, v[3], w[3]; /* speed along it; the ball's velocity and angular velocity */
} Motion;

/* Contact velocities: of the cue against the ball, of the ball against the table. */
static void velocities(const Motion *motion, const Spring springs[2], double r, double u[2][3]) {
    double at_cue[3], at_table[3];
    cross(motion->w, springs[0].normal, at_cue);
    cross(motion->w, springs[1].normal, at_table);
    for (int i = 0; i < 3; i++) {
        u[0][i] = motion->cue * motion->c[i] - motion->v[i] - r * at_cue[i];
        u[1][i] = motion->v[i] - r * at_table[i];
    }
}

/* Advance a spring by a step; returns its force on the first body. */
static void stretch(Spring *spring, const double u[3], double step, double F[3]) {
    double v = dot(u, spring->normal), size = 0;
    F[0] = F[1] = F[2] = 0;
    if (!spring->acts && v < 0) {
        spring->acts = true;
        spring->restitution = false;
    }
    if (!spring->acts) {
        return;
    }
    if (!spring->restitution && v > 0) {
        spring->restitution = true;
        spring->k /= spring->e * spring->e;
        spring->x *= spring->e * spring->e;
    } else if (spring->restitution && v < 0) {
        spring->restitution = false;
    }
    spring->x += v * step;
    if (spring->x >= 0) {
        spring->acts = false;
        spring->x = spring->y[0] = spring->y[1] = spring->y[2] = 0;
        return;
    }
    double N = -spring->k * spring->x;
    for (int i = 0; i < 3; i++) {
        spring->y[i] += step * (u[i] - v * spring->normal[i]);
        size = hypot(size, spring->kt * spring->y[i]);
    }
    double keep = size > spring->mu * N ? spring->mu * N / size : 1;
    for (int i = 0; i < 3; i++) {
        spring->y[i] *= keep;
        F[i] = N * spring->normal[i] - spring->kt * spring->y[i];
    }
}

/* The equations of motion (48) to (50), for a step. */
static void push(const Shot *shot, const Spring springs[2], double F[2][3], double step,
                 Motion *motion) {
    double torque[2][3];
    cross(springs[0].normal, F[0], torque[0]);
    cross(springs[1].normal, F[1], torque[1]);
    motion->cue += step * dot(F[0], motion->c) / shot->cue;
    for (int i = 0; i < 3; i++) {
        motion->v[i] += step * (F[1][i] - F[0][i]) / shot->mass;
        motion->w[i] -= step * 2.5 * (torque[0][i] + torque[1][i]) / (shot->mass * shot->radius);
    }
}

void shoot_in_steps(const Shot *shot, double part, CaromRollingState *ball) {
    const double length = sqrt(dot(shot->n, shot->n));
    Spring springs[2] = {{.k = 1}, {.normal = {0, 0, 1}, .k = shot->k}};
    Motion motion = {.cue = shot->speed};
    double step = part * sqrt(shot->mass), u[2][3], F[2][3];
    shot_axis(shot, motion.c);
    for (int i = 0; i < 3; i++) {
        springs[0].normal[i] = shot->n[i] / length;
    }
    for (int i = 0; i < 2; i++) {
        springs[i].kt = springs[i].k / shot->eta[i];
        springs[i].mu = shot->mu[i];
        springs[i].e = shot->e[i];
    }
    do {
        velocities(&motion, springs, shot->radius, u);
        stretch(&springs[0], u[0], step, F[0]);
        stretch(&springs[1], u[1], step, F[1]);
        push(shot, springs, F, step, &motion);
    } while (springs[0].acts || springs[1].acts);
    *ball = (CaromRollingState){0};
    for (int i = 0; i < 3; i++) {
        ball->velocity[i] = motion.v[i];
        ball->angular_velocity[i] = motion.w[i];
    }
}
