/* The massé shot of Y.-B. Jia, M. Mason, M. Erdmann, "Multiple impacts: a state transition diagram
 * approach", section 9.2: the prediction of the model, the measurement, and the ball's path
 * afterwards.
 *
 *   masse [TABLE.csv]
 *
 * Masses, friction, restitution, speed and directions are measured. Three stiffness ratios are
 * guessed: k2/k1 = 0.8, eta1^2 = 7, eta2^2 = 10. The table has the paths; masse.gp draws them.
 *
 * The exit status is 0 only if every shot was solved and lost energy, and the prediction agrees
 * with shot_steps.c. */
#include <math.h>
#include <stdio.h>

#include "shot.h"

static const CaromRollingState measured = {.velocity = {-1.67063, -0.274431, 0},
                                           .angular_velocity = {28.4584, 79.1561, 0}};
static const CaromRollingState printed = {.velocity = {-1.67629, -0.075349, 0.637937},
                                          .angular_velocity = {40.3064, 83.6145, -15.4927}};

/* ---- beside the printed numbers ---- */

/* Relative errors of velocity and angular velocity against the measurement; components in the plane
 * of the table. */
static void distances(const CaromRollingState *ball, double far[2]) {
    const double *v = ball->velocity, *w = ball->angular_velocity;
    const double *V = measured.velocity, *O = measured.angular_velocity;
    far[0] = hypot(v[0] - V[0], v[1] - V[1]) / hypot(V[0], V[1]);
    far[1] = hypot(w[0] - O[0], w[1] - O[1]) / hypot(O[0], O[1]);
}

static void print_ball(const char *what, const CaromRollingState *ball) {
    const double *v = ball->velocity, *w = ball->angular_velocity;
    double far[2];
    distances(ball, far);
    printf("  %-29s %8.4f %8.4f", what, v[0], v[1]);
    if (v[2] != 0) {
        printf(" %8.4f  %8.3f %8.3f %8.3f   %3.0f %% %3.0f %%\n", v[2], w[0], w[1], w[2],
               100 * far[0], 100 * far[1]);
    } else {
        printf("        -  %8.3f %8.3f        -\n", w[0], w[1]);
    }
}

static bool show_prediction(void) {
    CaromRollingState steps;
    Shot light = shot_of_paper, small = shot_of_paper, other = shot_of_paper;
    ShotOutcome exact, with_light, with_small, with_other;
    light.mass = 0.01701;
    small.radius = 0.0286;
    other.heading = -other.heading;
    bool good = shoot(&shot_of_paper, &exact) && shoot(&light, &with_light) &&
                shoot(&small, &with_small) && shoot(&other, &with_other);
    printf("After the shot                       v_x      v_y      v_z   omega_x  omega_y  omega_z "
           "  off (v, omega)\n");
    print_ball("measured (56)", &measured);
    print_ball("printed prediction (57)", &printed);
    print_ball("m = 0.1701", &exact.ball);
    shoot_in_steps(&shot_of_paper, 1e-5, &steps);
    print_ball("the same in small steps", &steps);
    print_ball("m = 0.1701, r = 0.0286", &with_small.ball);
    print_ball("m = 0.01701, as printed", &with_light.ball);
    print_ball("m = 0.1701, cue towards +y", &with_other.ball);
    printf("States %s (printed: S1 S2 S4), energy lost %.1f %%\n", exact.states, 100 * exact.lost);
    printf("The printed prediction belongs to the radius %.5f m\n", shot_radius(&printed));
    for (int i = 0; i < 3; i++) {
        good &= fabs(exact.ball.velocity[i] - steps.velocity[i]) < 1e-6; /* 3.3e-7 */
        good &=
            fabs(exact.ball.angular_velocity[i] - steps.angular_velocity[i]) < 4e-5; /* 1.3e-5 */
    }
    return good && fabs(shot_radius(&exact.ball) - shot_of_paper.radius) < 1e-12;
}

/* ---- one thing changed ---- */

static bool show_shot(const Shot *shot, const char *name, double value) {
    ShotOutcome outcome;
    char what[48];
    bool good = shoot(shot, &outcome);
    double bend = shot_bend(&outcome.ball, shot->radius);
    snprintf(what, sizeof what, "%s = %g, %s", name, value, bend > 0 ? "left" : "right");
    print_ball(what, &outcome.ball);
    return good;
}

/* Parameters that were not measured, then those that are hard to measure: the friction of the
 * chalk, the point of contact (in mm towards y) and the direction of the cue (in radians towards
 * -y). */
static bool show_changes(void) {
    static const struct {
        const char *name;
        enum { K, ETA1, ETA2, MU, SIDE, TURN } what;
        double values[8]; /* a 0 ends a shorter list */
    } changes[] = {
        {"k2/k1", K, {0.4, 0.6, 0.8, 1, 1.5}}, {"eta1^2", ETA1, {1, 2, 3, 4, 5, 6, 7, 10}},
        {"eta2^2", ETA2, {2, 5, 10, 20, 50}},  {"mu1", MU, {0.5, 0.6, 0.7, 0.8}},
        {"hit moved", SIDE, {-2, -1, 1, 2}},   {"cue turned", TURN, {-0.1, -0.05, 0.05, 0.1}}};
    bool good = true;
    printf("\nOne thing changed; which way the path bends\n");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        for (int j = 0; j < 8 && changes[i].values[j] != 0; j++) {
            Shot shot = shot_of_paper;
            double value = changes[i].values[j];
            double *const parts[] = {
                [K] = &shot.k,      [ETA1] = &shot.eta[0], [ETA2] = &shot.eta[1],
                [MU] = &shot.mu[0], [SIDE] = &shot.n[1],   [TURN] = &shot.heading};
            double *part = parts[changes[i].what];
            *part = changes[i].what == SIDE   ? *part + 1e-3 * value / shot.radius
                    : changes[i].what == TURN ? *part + value
                                              : value;
            good &= show_shot(&shot, changes[i].name, value);
        }
    }
    return good;
}

/* ---- the range of predictions ---- */

typedef struct Range {
    double least[6], most[6];
    double closest; /* least distance from the measured velocities */
    Shot best;
    CaromRollingState ball; /* of the best */
    int shots;
} Range;

static void widen(Range *range, const Shot *shot, const CaromRollingState *ball) {
    const double *const parts[2] = {ball->velocity, ball->angular_velocity};
    double far[2];
    for (int i = 0; i < 6; i++) {
        double x = parts[i / 3][i % 3];
        range->least[i] = fmin(range->least[i], x);
        range->most[i] = fmax(range->most[i], x);
    }
    distances(ball, far);
    if (hypot(far[0], far[1]) < range->closest) {
        range->closest = hypot(far[0], far[1]);
        range->best = *shot;
        range->ball = *ball;
    }
    range->shots++;
}

static void print_six(const char *what, const double x[6]) {
    printf("  %-29s %8.4f %8.4f %8.4f  %8.3f %8.3f %8.3f\n", what, x[0], x[1], x[2], x[3], x[4],
           x[5]);
}

/* The three ratios over wide ranges, in factors of sqrt 2. */
static bool show_range(void) {
    bool good = true;
    Range range = {.closest = INFINITY};
    for (int i = 0; i < 6; i++) {
        range.least[i] = INFINITY;
        range.most[i] = -INFINITY;
    }
    for (int a = -4; a <= 4; a++) {
        for (int b = -2; b <= 8; b++) {
            for (int c = 0; c <= 12; c++) {
                Shot shot = shot_of_paper;
                ShotOutcome outcome;
                shot.k = exp2(a / 2.0);
                shot.eta[0] = exp2(b / 2.0);
                shot.eta[1] = exp2(c / 2.0);
                good &= shoot(&shot, &outcome);
                widen(&range, &shot, &outcome.ball);
            }
        }
    }
    printf("\n%d shots: k2/k1 from 1/4 to 4, eta1^2 from 1/2 to 16, eta2^2 from 1 to 64\n",
           range.shots);
    print_six("least", range.least);
    print_six("most", range.most);
    char what[48];
    snprintf(what, sizeof what, "closest: %.3g, %.3g, %.3g", range.best.k, range.best.eta[0],
             range.best.eta[1]);
    print_ball(what, &range.ball);
    return good;
}

/* ---- the path afterwards ---- */

static bool show_path(const char *what, const CaromRollingState *ball, double radius) {
    CaromRollingPath path;
    bool good = shot_path(ball, radius, &path);
    const double *slid = path.state[1].position, *rest = path.state[2].position;
    const double *v = path.state[1].velocity;
    printf("  %-26s %6.3f  (%7.4f, %7.4f)  (%7.4f, %7.4f)  %6.2f  (%7.3f, %6.3f)\n", what,
           path.begin[1], slid[0], slid[1], v[0], v[1], path.begin[2] - path.begin[1], rest[0],
           rest[1]);
    return good;
}

/* The shot of the paper with another eta1^2. */
static bool shoot_with_eta(int eta, ShotOutcome *outcome) {
    Shot shot = shot_of_paper;
    shot.eta[0] = eta;
    return shoot(&shot, outcome);
}

static bool show_paths(void) {
    bool good = true;
    printf("\nThe path                     slides  s, to (m)           and rolls at (m/s)      "
           "s, to rest at (m)\n");
    good &= show_path("measured (56)", &measured, 0.0305);
    good &= show_path("measured (56), r = 0.0286", &measured, 0.0286);
    good &= show_path("printed (57)", &printed, 0.0305);
    good &= show_path("printed (57), r = 0.0286", &printed, 0.0286);
    for (int eta = 1; eta <= 7; eta++) {
        ShotOutcome outcome;
        char what[40];
        good &= shoot_with_eta(eta, &outcome);
        snprintf(what, sizeof what, "m = 0.1701, eta1^2 = %d", eta);
        good &= show_path(what, &outcome.ball, shot_of_paper.radius);
    }
    return good;
}

/* Points of a path: 50 while it slides, 50 while it rolls. */
static bool write_path(FILE *file, const char *name, const CaromRollingState *ball) {
    CaromRollingPath path;
    bool good = shot_path(ball, shot_of_paper.radius, &path);
    for (int i = 0; i <= 100; i++) {
        CaromRollingState at;
        double part = i / 50.0;
        double t = i <= 50 ? part * path.begin[1]
                           : path.begin[1] + (part - 1) * (path.begin[2] - path.begin[1]);
        good &= carom_rolling_at(&path, t, &at, NULL, NULL) == CAROM_OK;
        fprintf(file, "%s,%.9g,%.9g,%.9g\n", name, t, at.position[0], at.position[1]);
    }
    return good;
}

static bool write_paths(FILE *file) {
    bool good = true;
    fputs("path,t,x,y\n", file);
    good &= write_path(file, "measured", &measured);
    good &= write_path(file, "printed", &printed);
    for (int eta = 1; eta <= 7; eta++) {
        ShotOutcome outcome;
        char name[16];
        good &= shoot_with_eta(eta, &outcome);
        snprintf(name, sizeof name, "%d", eta);
        good &= write_path(file, name, &outcome.ball);
    }
    return good;
}

int main(int argc, char **argv) {
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: masse [TABLE.csv]\n");
        return 2;
    }
    bool good = show_prediction();
    good &= show_changes();
    good &= show_range();
    good &= show_paths();
    if (argc == 2) {
        FILE *file = fopen(argv[1], "w");
        if (!file) {
            perror(argv[1]);
            return 2;
        }
        good &= write_paths(file);
        good &= !ferror(file);
        good &= fclose(file) == 0;
    }
    if (!good) {
        printf("A shot was not solved, or is not the known one.\n");
    }
    return good ? 0 : 1;
}
