#include "shot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "balls.h"

enum { COORDINATES = 7, ROWS = 6 };

/* The text does not say to which side of the x-axis the cue points. Only with -y does omega_z have
 * the printed sign. */
const Shot shot_of_paper = {
    .mass = 0.1701,
    .radius = 0.0305,
    .cue = 0.5018,
    .speed = 3.089095,
    .n = {0.480151, -0.102889, 0.871131},
    .heading = 0.465762,
    .k = 0.8,
    .eta = {7, 10},
    .mu = {0.7, 0.152479},
    .e = {0.656532, 0.51625},
};

static void normalise(double a[3]) {
    double length = sqrt(dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
}

/* ---- mechanics ---- */

void shot_axis(const Shot *shot, double c[3]) {
    const double tilt = 2 * 3.141592653589793 / 5;
    c[0] = -cos(tilt) * cos(shot->heading);
    c[1] = -cos(tilt) * sin(shot->heading);
    c[2] = -sin(tilt);
}

/* One row: the contact velocity along t is cue times the cue's speed, and sign times that of the
 * ball's point at r from its centre. */
static void fill_row(double row[COORDINATES], const double t[3], double cue, double sign,
                     const double r[3]) {
    double turning[3];
    cross(r, t, turning);
    row[0] = cue;
    for (int i = 0; i < 3; i++) {
        row[1 + i] = sign * t[i];
        row[4 + i] = sign * turning[i];
    }
}

static void jacobian(const Shot *shot, double J[ROWS][COORDINATES]) {
    const double z[3] = {0, 0, 1}, below[3] = {0, 0, -shot->radius};
    double c[3], frame[3][3], at[3];
    shot_axis(shot, c);
    for (int i = 0; i < 3; i++) {
        frame[2][i] = shot->n[i];
    }
    normalise(frame[2]);
    cross(z, frame[2], frame[0]);
    normalise(frame[0]);
    cross(frame[2], frame[0], frame[1]);
    for (int i = 0; i < 3; i++) {
        at[i] = shot->radius * frame[2][i];
    }
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        fill_row(J[i], frame[i], dot(c, frame[i]), -1, at);
        fill_row(J[3 + i], axis, 0, 1, below);
    }
}

static void set_contacts(const Shot *shot, CaromContact contacts[2]) {
    contacts[0] = contacts[1] = carom_contact_default();
    contacts[1].stiffness = shot->k;
    for (int i = 0; i < 2; i++) {
        contacts[i].mu = shot->mu[i];
        contacts[i].e = shot->e[i];
        contacts[i].stiffness_ratio = shot->eta[i];
    }
}

/* Replace the speeds before by those after; false if the impact was not solved. */
static bool strike(const Shot *shot, const double *M, double *u, Course *course) {
    double J[ROWS][COORDINATES], R[ROWS * COORDINATES], workspace[COORDINATES * COORDINATES];
    double W[ROWS * ROWS], v[ROWS];
    CaromContact contacts[2];
    set_contacts(shot, contacts);
    const CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                                  .contact_count = 2,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contacts};
    jacobian(shot, J);
    carom_system_responses(COORDINATES, M, ROWS, J[0], workspace, R, NULL);
    carom_system_contact_space(COORDINATES, ROWS, J[0], R, u, W, v, NULL);
    course_begin(course);
    if (carom_solve(&problem, NULL, &course->result) < 0) {
        printf("not solved: %s\n", course->result.message);
        return false;
    }
    carom_system_apply(COORDINATES, ROWS, R, course->I, u);
    return true;
}

bool shoot(const Shot *shot, ShotOutcome *outcome) {
    double M[COORDINATES][COORDINATES] = {{shot->cue}}, u[COORDINATES] = {shot->speed};
    Course *course = malloc(sizeof *course);
    *outcome = (ShotOutcome){0};
    if (!course) {
        return false;
    }
    for (int i = 1; i < COORDINATES; i++) {
        M[i][i] = shot->mass * (i < 4 ? 1 : 0.4 * shot->radius * shot->radius);
    }
    double before = carom_system_energy(COORDINATES, M[0], u);
    bool good = strike(shot, M[0], u, course);
    outcome->lost = 1 - carom_system_energy(COORDINATES, M[0], u) / before;
    for (int i = 0; i < 3; i++) {
        outcome->ball.velocity[i] = u[1 + i];
        outcome->ball.angular_velocity[i] = u[4 + i];
    }
    course_states(course, outcome->states, sizeof outcome->states);
    free(course);
    return good && outcome->lost > 0;
}

/* ---- the motion afterwards ---- */

double shot_radius(const CaromRollingState *ball) {
    const double z[3] = {0, 0, 1};
    double s[3], zv[3];
    for (int i = 0; i < 3; i++) {
        s[i] = shot_of_paper.n[i];
    }
    normalise(s);
    s[2] += 1;
    cross(z, ball->velocity, zv);
    return -2.5 * dot(s, zv) / dot(s, ball->angular_velocity);
}

bool shot_path(const CaromRollingState *ball, double radius, CaromRollingPath *path) {
    const CaromTable table = {
        .radius = radius, .mu_slide = shot_of_paper.mu[1], .mu_roll = 0.0209727, .gravity = 9.81};
    return carom_rolling_path(&table, ball, path, NULL) == CAROM_OK;
}

double shot_bend(const CaromRollingState *ball, double radius) {
    const double *v = ball->velocity, *w = ball->angular_velocity;
    double u[2] = {v[0] - radius * w[1], v[1] + radius * w[0]};
    return v[1] * u[0] -
           v[0] * u[1]; /* velocity x acceleration; the acceleration is opposite to the slip */
}
