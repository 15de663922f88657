/* Fig. 16 of [JME], sections 8 and 9.2: a cue strikes a ball on a table (a massé shot), and the
 * path of the ball.
 *
 * Coordinates: the speed of the cue along its axis, and the ball's velocity v and angular velocity
 * omega. Contact 0 is between cue and ball (normal n, out of the ball), contact 1 between ball and
 * table (normal z). examples/simultaneous/shot.c has the same mechanics as an example for users.
 *
 * (a) and (b) are the measured shot: its velocities (56) are printed, and the path follows from
 * them; the dots of (a), positions in a video, are not printed. (c) is the prediction, (d) varies
 * the tangential stiffness under the cue. */
#include "figures/jia_mason_erdmann_2013/masse.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "figures/jia_mason_erdmann_2013/two_balls.h"
#include "figures/sheet_picture.h"

enum { COORDINATES = 7, ROWS = 6, EVENTS = 64 };

typedef struct Shot {
    double mass, radius; /* of the ball */
    double eta[2];       /* eta^2: normal over tangential stiffness, at cue and table */
    double normal[3];    /* where the cue hits, from the centre of the ball */
    double axis[3];      /* of the cue; zero: as printed */
} Shot;

/* Where the cue hits, from the centre of the ball, as printed; its length is 1 to 2e-4. */
#define NORMAL                                                                                     \
    { 0.480151, -0.102889, 0.871131 }

/* As in the paper but for the mass, 0.1701 kg (6 oz) instead of 0.01701. */
static const Shot given = {.mass = 0.1701, .radius = 0.0305, .eta = {7, 10}, .normal = NORMAL};

/* The shot that gives the measured velocities, with all coefficients as printed: found by a search
 * over the directions of cue and normal for the least misfit and turn. */
static const Shot reconciled = {.mass = 0.1701,
                                .radius = 0.0305,
                                .eta = {7, 10},
                                .normal = {0.6348, -0.1042, 0.7656},
                                .axis = {0.2220, -0.5443, -0.8090}};

/* As printed: mass and speed of the cue; friction and restitution at cue and table; k2/k1; rolling
 * resistance. */
static const double cue_mass = 0.5018, cue_speed = 3.089095, mu[2] = {0.7, 0.152479},
                    e[2] = {0.656532, 0.51625}, stiffness = 0.8, mu_roll = 0.0209727;

/* The angle of the cue's direction over the table from -x. The side is not printed; omega_z has the
 * printed sign only towards -y. */
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

/* One row: the contact velocity along t is cue times the cue's speed plus sign times the velocity
 * of the ball's point at r from its centre. */
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

/* The direction of the cue. */
static void axis_of(const Shot *shot, double axis[3]) {
    const double tilt = 2 * pi / 5;
    const double as_printed[3] = {-cos(tilt) * cos(heading), -cos(tilt) * sin(heading), -sin(tilt)};
    bool own = dot(shot->axis, shot->axis) > 0;
    memcpy(axis, own ? shot->axis : as_printed, sizeof as_printed);
    normalise(axis);
}

static void fill_jacobian(const Shot *shot, double J[ROWS][COORDINATES]) {
    const double z[3] = {0, 0, 1}, below[3] = {0, 0, -shot->radius};
    double frame[3][3], at[3], axis[3];
    axis_of(shot, axis);
    memcpy(frame[2], shot->normal, sizeof frame[2]);
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

/* The states in order, "S1 S2 S4"; simultaneous events are one change. */
static Words name_states(const CaromResult *result) {
    const CaromSnapshots *rows = result->snapshots;
    Words words = {""};
    int last = 0;
    for (int i = 0; i < result->event_count && i < EVENTS; i++) {
        const unsigned char *active = &rows->active[2 * i];
        const double *I = &rows->impulse[ROWS * i];
        int state = active[0] ? (active[1] ? 1 : 3) : (active[1] ? 2 : 4);
        bool more = i + 1 < result->event_count && i + 1 < EVENTS &&
                    memcmp(I, I + ROWS, ROWS * sizeof *I) == 0;
        if (!more && state != last) {
            words_add(&words, "%sS%d", last ? " " : "", state);
            last = state;
        }
    }
    return words;
}

/* Solve the shot: u becomes the speeds after it. scheme NULL: exactly. */
static bool strike(FigureSheet *sheet, const Shot *shot, const CaromOptions *scheme,
                   double u[COORDINATES], Words *states) {
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
    const CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                                  .contact_count = 2,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contacts};
    CaromResult result = {
        .impulse = I, .events = events, .event_capacity = EVENTS, .snapshots = &snapshots};
    fill_jacobian(shot, J);
    carom_system_responses(COORDINATES, M[0], ROWS, J[0], workspace, R, NULL);
    carom_system_contact_space(COORDINATES, ROWS, J[0], R, u, W, v, NULL);
    if (carom_solve(&problem, scheme, &result) < 0) {
        return figure_fail(sheet, "the shot: %s", result.message);
    }
    carom_system_apply(COORDINATES, ROWS, R, I, u);
    *states = name_states(&result);
    return true;
}

/* The ball after the shot, at the origin, and the states, "S1 S2 S4". */
static bool shoot(FigureSheet *sheet, const Shot *shot, const CaromOptions *scheme,
                  CaromRollingState *ball, Words *states) {
    double u[COORDINATES] = {cue_speed};
    if (!strike(sheet, shot, scheme, u, states)) {
        return false;
    }
    *ball = (CaromRollingState){{0}, {u[1], u[2], u[3]}, {u[4], u[5], u[6]}};
    return true;
}

/* The path of the ball on the table. */
static bool path_of(FigureSheet *sheet, const CaromRollingState *ball, double radius,
                    CaromRollingPath *path) {
    const CaromTable table = {
        .radius = radius, .mu_slide = mu[1], .mu_roll = mu_roll, .gravity = 9.81};
    const char *message = "";
    if (carom_rolling_path(&table, ball, path, &message) < 0) {
        return figure_fail(sheet, "the way of the ball: %s", message);
    }
    return true;
}

/* Does the path bend to the left at first? */
static bool bends_left(const CaromRollingState *ball, double radius) {
    const double *v = ball->velocity, *w = ball->angular_velocity;
    double slip[2] = {v[0] - radius * w[1], v[1] + radius * w[0]};
    return v[1] * slip[0] - v[0] * slip[1] > 0; /* v x a, with a against the slip */
}

/* The radius for which impulses at the two contacts can give these velocities: then
 * (n + z).(2/5 r omega + z x v) = 0. */
static double radius_of(const CaromRollingState *ball) {
    const double z[3] = {0, 0, 1};
    double s[3], zv[3];
    memcpy(s, given.normal, sizeof s);
    normalise(s);
    s[2] += 1;
    cross(z, ball->velocity, zv);
    return -2.5 * dot(s, zv) / dot(s, ball->angular_velocity);
}

/* ---- figure 16 ---- */

enum { POINTS = 60, FIRST = 2, LAST = 7 }; /* eta1^2 in (d) */

#define NOT_REPRODUCED                                                                             \
    "It does not follow from the model with the printed parameters, neither with the printed "     \
    "mass of the ball nor with the right one; an integration in small steps confirms the "         \
    "computed one."

static const CaromRollingState measured = {.velocity = {-1.67063, -0.274431, 0},
                                           .angular_velocity = {28.4584, 79.1561, 0}};
static const CaromRollingState printed = {.velocity = {-1.67629, -0.075349, 0.637937},
                                          .angular_velocity = {40.3064, 83.6145, -15.4927}};

/* POINTS points each while it slides and while it rolls, and the place where rolling begins. */
static bool write_path(FigureSheet *sheet, const char *name, const CaromRollingState *ball,
                       FILE *script) {
    CaromRollingPath path;
    if (!path_of(sheet, ball, given.radius, &path)) {
        return false;
    }
    fprintf(script, "$%s << END\n", name);
    for (int i = 0; i <= 2 * POINTS; i++) {
        CaromRollingState at;
        int phase = i < POINTS ? 0 : 1;
        double part = (double)(i - phase * POINTS) / POINTS;
        double t = path.begin[phase] + part * (path.begin[phase + 1] - path.begin[phase]);
        if (carom_rolling_at(&path, t, &at, NULL, NULL) < 0) {
            return figure_fail(sheet, "the way of the ball: not known at time %g", t);
        }
        fprintf(script, "%.9g %.9g\n", at.position[0], at.position[1]);
    }
    fprintf(script, "END\n$%s_rolls << END\n%.9g %.9g\nEND\n", name, path.state[1].position[0],
            path.state[1].position[1]);
    return true;
}

static bool write_paths(FigureSheet *sheet, const CaromRollingState balls[LAST + 1], FILE *script) {
    bool good = write_path(sheet, "measured", &measured, script) &&
                write_path(sheet, "printed", &printed, script);
    for (int i = FIRST; good && i <= LAST; i++) {
        good = write_path(sheet, words_of("eta%d", i).text, &balls[i], script);
    }
    return good;
}

/* A dot marks where rolling begins. The measured path, (b), is in both panels. */
static void draw_panels(FILE *script) {
    fputs(
        "set multiplot layout 2,1 title picture_title margins 0.07,0.8,0.07,0.9 spacing 0.1,0.14\n"
        "set size ratio -1\nset grid lt 8 lw 0.4\nset xlabel 'x (m)' offset 0,0.4\n"
        "set ylabel 'y (m)' offset 1\nset xrange [-6.8:0.3]\nset yrange [-1.6:1.4]\n"
        "set key at graph 1.02,1 left top Left reverse samplen 2.5 spacing 1.25\n"
        "rolls = \"with points pt 7 ps 0.7*point lc rgb '#000000'\"\n"
        "set title '(b), (c): measured and predicted' enhanced\n"
        "eval \"plot $measured with lines lt 7 lw 2.4 title 'measured (56)', $printed with lines "
        "lt "
        "6 lw 2.2 title 'printed (57)', $eta7 with lines lt 2 dt solid lw 2.2 title 'computed', "
        "$measured_rolls \".rolls.\" title 'rolling begins', $printed_rolls \".rolls.\" notitle, "
        "$eta7_rolls \".rolls.\" notitle\"\n",
        script);
    fputs(
        "set title '(d): computed, for stiffness ratios η@_1^2 from 2 to 7' enhanced\n"
        "eval \"plot $measured with lines lt 7 lw 1.6 title 'measured (56)', $eta2 with lines lt 1 "
        "title '2', $eta3 with lines lt 6 title '3', $eta4 with lines lt 3 title '4', $eta5 with "
        "lines lt 5 title '5', $eta6 with lines lt 4 title '6', $eta7 with lines lt 2 dt solid lw "
        "2.2 title '7', $eta2_rolls \".rolls.\" notitle, $eta3_rolls \".rolls.\" notitle, "
        "$eta4_rolls \".rolls.\" notitle, $eta5_rolls \".rolls.\" notitle, $eta6_rolls "
        "\".rolls.\" notitle, $eta7_rolls \".rolls.\" notitle\"\nunset multiplot\n",
        script);
}

static bool draw(FigureSheet *sheet, const CaromRollingState balls[LAST + 1]) {
    FILE *script =
        figure_picture_begin(sheet, "", "The way of the ball after a massé shot", 960, 800);
    if (!script) {
        return false;
    }
    bool good = write_paths(sheet, balls, script);
    draw_panels(script);
    return figure_picture_end(
               sheet, "Two panels with ways of the ball seen from above. The measured one bends to "
                      "the left; the printed prediction is like it, the computed one is nearly "
                      "straight and goes to the other side. Those for other stiffnesses bend right "
                      "for 2 to 4 and hardly for 5 to 7.") &&
           good;
}

/* ---- beside the printed ---- */

static const char *const names[6] = {"v_x", "v_y", "v_z", "ω_x", "ω_y", "ω_z"};

static void list_prediction(FigureSheet *sheet, const CaromRollingState *ball, const char *states) {
    static const char *const values[6] = {"-1.67629", "-0.075349", "0.637937",
                                          "40.3064",  "83.6145",   "-15.4927"};
    figure_group(sheet, "(c) after the shot, beside the printed prediction (57)");
    for (int i = 0; i < 6; i++) {
        double value = i < 3 ? ball->velocity[i] : ball->angular_velocity[i - 3];
        figure_value(sheet, names[i], values[i], value, NOT_REPRODUCED, NULL);
    }
    figure_words(sheet, "states", "S1 S2 S4", states, NULL, NULL);
    figure_group(sheet, "(b) after the shot, beside the measured velocities (56)");
    static const char *const seen[6] = {"-1.67063", "-0.274431", NULL, "28.4584", "79.1561", NULL};
    for (int i = 0; i < 6; i++) {
        double value = i < 3 ? ball->velocity[i] : ball->angular_velocity[i - 3];
        if (seen[i]) {
            figure_measured(sheet, names[i], seen[i], value,
                            "printed: measured, from a video of the shot");
        }
    }
}

/* The shot by the paper's Algorithm 1, as it is printed and as the numbers of the paper's
 * companion have it, with friction e mu in restitution. */
static bool list_scheme(FigureSheet *sheet) {
    for (int as_printed = 0; as_printed < 2; as_printed++) {
        CaromOptions scheme = jme_scheme;
        CaromRollingState ball;
        Words states;
        scheme.scheme.as_printed = as_printed;
        if (!shoot(sheet, &given, &scheme, &ball, &states)) {
            return false;
        }
        figure_group(sheet, as_printed ? "(c) by the paper's scheme, friction eμ in restitution"
                                       : "(c) by the paper's scheme");
        for (int i = 0; i < 6; i++) {
            figure_computed(sheet, names[i],
                            i < 3 ? ball.velocity[i] : ball.angular_velocity[i - 3], NULL);
        }
        figure_words(sheet, "states", "S1 S2 S4", states.text, NULL, NULL);
    }
    return true;
}

static void list_bends(FigureSheet *sheet, const CaromRollingState balls[LAST + 1]) {
    Words bends = {""};
    for (int i = FIRST; i <= LAST; i++) {
        bool left = bends_left(&balls[i], given.radius);
        words_add(&bends, "%s%s", i > FIRST ? " " : "", left ? "left" : "right");
    }
    figure_group(sheet, "(d) which way the path bends, η1² from 2 to 7");
    figure_words(sheet, "bends", "right right left left left left", bends.text,
                 "As for (57): the change is there, one step later.", NULL);
}

/* Printed parameters that contradict each other. */
static void list_parameters(FigureSheet *sheet) {
    double springs = 353.756, drawn = 0.079, before = 0.011, cue = 0.5018;
    figure_group(sheet, "Parameters");
    figure_value(sheet, "mass of the ball (kg)", "0.01701", 6 * 0.028349523125,
                 "A digit was lost: a ball of 6 oz has ten times that mass.", "6 oz");
    figure_value(sheet, "speed of the cue (m/s)", "3.089095",
                 sqrt(2 * springs * (drawn * drawn - before * before) / cue),
                 "The printed springs give less by the printed formula; the printed speed is used "
                 "here.",
                 NULL);
    figure_value(sheet, "radius that (57) belongs to (m)", "0.0305", radius_of(&printed),
                 "(57) belongs to the radius of a pool ball of 2 1/4 inches.", NULL);
    CaromRollingPath path;
    if (path_of(sheet, &measured, given.radius, &path)) {
        figure_value(sheet, "deceleration in rolling over μ_r g", "0.2857",
                     path.deceleration[1] / (0.0209727 * 9.81),
                     "Printed as 2/7; 5/7 is right, and the printed formula for μ_r has it.", NULL);
    }
}

static bool list_ways(FigureSheet *sheet, const CaromRollingState *computed) {
    static const char *const headings[3] = {"Way from the measured velocities (56)",
                                            "Way from the printed prediction (57)",
                                            "Way from the computed prediction"};
    const CaromRollingState *const balls[3] = {&measured, &printed, computed};
    for (int i = 0; i < 3; i++) {
        CaromRollingPath path;
        if (!path_of(sheet, balls[i], given.radius, &path)) {
            return false;
        }
        figure_group(sheet, headings[i]);
        figure_computed(sheet, "slides for (s)", path.begin[1], NULL);
        figure_computed(sheet, "rests at x (m)", path.state[2].position[0], NULL);
        figure_computed(sheet, "rests at y (m)", path.state[2].position[1], NULL);
    }
    return true;
}

/* The angle between two directions in degrees. */
static double turn_between(const double a[3], const double b[3]) {
    return acos(fmin(dot(a, b) / sqrt(dot(a, a) * dot(b, b)), 1)) * 180 / pi;
}

/* Another strike that gives the measured path. */
static bool list_reconciled(FigureSheet *sheet) {
    CaromRollingState ball;
    CaromRollingPath path;
    Words states;
    double axis[3], printed_axis[3];
    if (!shoot(sheet, &reconciled, NULL, &ball, &states) ||
        !path_of(sheet, &ball, reconciled.radius, &path)) {
        return false;
    }
    axis_of(&reconciled, axis);
    axis_of(&given, printed_axis);
    figure_group(sheet, "What would reconcile the paths: another strike, all coefficients as "
                        "printed");
    figure_computed(sheet, "the cue, turned by (degrees)", turn_between(axis, printed_axis), NULL);
    figure_computed(sheet, "where it hits, moved by (degrees)",
                    turn_between(reconciled.normal, given.normal), NULL);
    static const char *const seen[6] = {"-1.67063", "-0.274431", NULL, "28.4584", "79.1561", NULL};
    for (int i = 0; i < 6; i++) {
        if (seen[i]) {
            figure_measured(sheet, names[i], seen[i],
                            i < 3 ? ball.velocity[i] : ball.angular_velocity[i - 3],
                            "printed: measured, from a video of the shot");
        }
    }
    figure_computed(sheet, "rests at x (m)", path.state[2].position[0], NULL);
    figure_computed(sheet, "rests at y (m)", path.state[2].position[1], NULL);
    return true;
}

bool jme_figure_16(FigureSheet *sheet) {
    CaromRollingState balls[LAST + 1];
    Words states;
    memset(balls, 0, sizeof balls);
    for (int i = FIRST; i <= LAST; i++) {
        Shot shot = given;
        shot.eta[0] = i;
        if (!shoot(sheet, &shot, NULL, &balls[i], &states)) {
            return false;
        }
    }
    if (!draw(sheet, balls)) {
        return false;
    }
    list_prediction(sheet, &balls[LAST], states.text);
    if (!list_scheme(sheet)) {
        return false;
    }
    list_bends(sheet, balls);
    list_parameters(sheet);
    return list_ways(sheet, &balls[LAST]) && list_reconciled(sheet);
}
