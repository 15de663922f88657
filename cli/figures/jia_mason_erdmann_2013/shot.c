/* A cue strikes a ball on a table.
 *
 * examples/simultaneous/shot.c has the same mechanics: an example shows what a user writes and
 * links to the library alone, and the program needs no example to be there. */
#include "figures/jia_mason_erdmann_2013/shot.h"

#include <math.h>
#include <string.h>

enum { COORDINATES = 7, ROWS = 6, EVENTS = 64 };

const JmeShot jme_shot = {.mass = 0.1701, .radius = 0.0305, .eta = {7, 10}};

const double jme_shot_normal[3] = {0.480151, -0.102889, 0.871131};

/* Printed: mass and speed of the cue; friction and restitution, cue and table; k2/k1; rolling. */
static const double cue_mass = 0.5018, cue_speed = 3.089095, mu[2] = {0.7, 0.152479},
                    e[2] = {0.656532, 0.51625}, stiffness = 0.8, mu_roll = 0.0209727;

/* The cue's way over the table: its angle from -x. The text does not say to which side; only
 * towards -y does omega_z have the printed sign. */
static const double heading = 0.465762, pi = 3.14159265358979323846;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double a[3]) {
    double length = sqrt(dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
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

static void fill_jacobian(const JmeShot *shot, double J[ROWS][COORDINATES]) {
    const double z[3] = {0, 0, 1}, below[3] = {0, 0, -shot->radius}, tilt = 2 * pi / 5;
    const double axis[3] = {-cos(tilt) * cos(heading), -cos(tilt) * sin(heading), -sin(tilt)};
    double frame[3][3], at[3];
    memcpy(frame[2], jme_shot_normal, sizeof frame[2]);
    normalise(frame[2]);
    cross(z, frame[2], frame[0]);
    normalise(frame[0]);
    cross(frame[2], frame[0], frame[1]);
    for (int i = 0; i < 3; i++) {
        at[i] = shot->radius * frame[2][i];
    }
    for (int i = 0; i < 3; i++) {
        const double world[3] = {i == 0, i == 1, i == 2};
        fill_row(J[i], frame[i], dot(axis, frame[i]), -1, at);
        fill_row(J[3 + i], world, 0, 1, below);
    }
}

/* The states in order, from which contacts act after each event; what happens at one moment is one
 * change. */
static void name_states(const CaromResult *result, char states[JME_SHOT_STATES]) {
    const CaromSnapshots *rows = result->snapshots;
    int last = 0, used = 0;
    states[0] = '\0';
    for (int i = 0; i < result->event_count && i < EVENTS && used + 4 < JME_SHOT_STATES; i++) {
        const unsigned char *active = &rows->active[2 * i];
        const double *I = &rows->impulse[ROWS * i];
        int state = active[0] ? (active[1] ? 1 : 3) : (active[1] ? 2 : 4);
        bool more = i + 1 < result->event_count && i + 1 < EVENTS &&
                    memcmp(I, I + ROWS, ROWS * sizeof *I) == 0;
        if (!more && state != last) {
            used += snprintf(states + used, JME_SHOT_STATES - (size_t)used, "%sS%d",
                             used ? " " : "", state);
            last = state;
        }
    }
}

/* From speeds before to speeds after. */
static bool strike(FigureSheet *sheet, const JmeShot *shot, double u[COORDINATES],
                   char states[JME_SHOT_STATES]) {
    double M[COORDINATES][COORDINATES] = {{cue_mass}}, J[ROWS][COORDINATES], W[ROWS * ROWS],
           v[ROWS], I[ROWS], R[ROWS * COORDINATES], workspace[COORDINATES * COORDINATES];
    double rows[ROWS * EVENTS];
    unsigned char active[2 * EVENTS];
    CaromEvent events[EVENTS];
    const CaromSnapshots snapshots = {.impulse = rows, .active = active};
    CaromContact contacts[2] = {carom_contact_default(), carom_contact_default()};
    for (int i = 0; i < 2; i++) {
        contacts[i].mu = mu[i];
        contacts[i].e = e[i];
        contacts[i].stiffness_ratio = shot->eta[i];
    }
    contacts[1].stiffness = stiffness;
    for (int i = 1; i < COORDINATES; i++) {
        M[i][i] = shot->mass * (i < 4 ? 1 : 0.4 * shot->radius * shot->radius);
    }
    const CaromProblem problem = {.model = CAROM_COMPLIANT,
                                  .contact_count = 2,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contacts};
    CaromResult result = {
        .impulse = I, .events = events, .event_capacity = EVENTS, .snapshots = &snapshots};
    fill_jacobian(shot, J);
    carom_system_responses(COORDINATES, M[0], ROWS, J[0], workspace, R, NULL);
    carom_system_contact_space(COORDINATES, ROWS, J[0], R, u, W, v, NULL);
    if (carom_solve(&problem, NULL, &result) < 0) {
        return figure_fail(sheet, "the shot: %s", result.message);
    }
    carom_system_apply(COORDINATES, ROWS, R, I, u);
    name_states(&result, states);
    return true;
}

bool jme_shoot(FigureSheet *sheet, const JmeShot *shot, CaromRollingState *ball,
               char states[JME_SHOT_STATES]) {
    double u[COORDINATES] = {cue_speed};
    if (!strike(sheet, shot, u, states)) {
        return false;
    }
    *ball = (CaromRollingState){{0}, {u[1], u[2], u[3]}, {u[4], u[5], u[6]}};
    return true;
}

/* ---- what follows ---- */

bool jme_shot_path(FigureSheet *sheet, const CaromRollingState *ball, double radius,
                   CaromRollingPath *path) {
    const CaromTable table = {
        .radius = radius, .mu_slide = mu[1], .mu_roll = mu_roll, .gravity = 9.81};
    const char *message = "";
    if (carom_rolling_path(&table, ball, path, &message) < 0) {
        return figure_fail(sheet, "the way of the ball: %s", message);
    }
    return true;
}

bool jme_shot_bends_left(const CaromRollingState *ball, double radius) {
    const double *v = ball->velocity, *w = ball->angular_velocity;
    double slip[2] = {v[0] - radius * w[1], v[1] + radius * w[0]};
    return v[1] * slip[0] - v[0] * slip[1] > 0; /* v x a, as a is against the slip */
}

double jme_shot_radius(const CaromRollingState *ball) {
    const double z[3] = {0, 0, 1};
    double s[3], zv[3];
    memcpy(s, jme_shot_normal, sizeof s);
    normalise(s);
    s[2] += 1;
    cross(z, ball->velocity, zv);
    return -2.5 * dot(s, zv) / dot(s, ball->angular_velocity);
}
