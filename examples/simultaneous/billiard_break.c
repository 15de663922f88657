/* The break: a cue ball hits the rack of 15 balls, all of which touch.
 *
 *   billiard_break [--scene] [FILE]
 *
 * 31 contacts act: cue ball and first ball, and 30 in the rack. All balls are alike, so all
 * contacts have the same stiffness, whose value does not matter. No friction, e = 0.95 at every
 * contact; the cue ball moves at 8 m/s along the axis of the rack. The normal part of W has only
 * rank 28: the contacts of the rack are redundant by three.
 *
 * FILE gets the balls before and after, which billiard_break.gp draws; with --scene it gets the
 * scene of scenes/billiard_break.json. The exit status is 0 only if the break was solved, is
 * symmetric, conserves momentum, and leaves no touching balls approaching. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "balls.h"

enum { ROWS = 5, BALLS = 16 };

static const double mass = 0.17, radius = 0.028575, speed = 8, e = 0.95;

/* Index of the ball at a place in a row, both from 0; ball 0 is the cue ball. */
static int number(int row, int place) {
    return 1 + row * (row + 1) / 2 + place;
}

static void rack(Balls *balls) {
    const double step = radius * sqrt(3.0);
    *balls = (Balls){0};
    balls_add(balls, mass, radius, -2 * radius, 0, 0);
    balls->body[0].velocity[0] = speed;
    for (int row = 0; row < ROWS; row++) {
        for (int place = 0; place <= row; place++) {
            balls_add(balls, mass, radius, row * step, (2 * place - row) * radius, 0);
        }
    }
    balls_touch(balls, 0, 1, e, 1);
    for (int row = 0; row < ROWS; row++) {
        for (int place = 0; place <= row; place++) {
            if (place < row) {
                balls_touch(balls, number(row, place), number(row, place + 1), e, 1);
            }
            if (row + 1 < ROWS) {
                balls_touch(balls, number(row, place), number(row + 1, place), e, 1);
                balls_touch(balls, number(row, place), number(row + 1, place + 1), e, 1);
            }
        }
    }
}

/* ---- the answer ---- */

/* Largest difference between a ball and its mirror image. */
static double asymmetry(const Balls *balls) {
    double worst = fabs(balls->body[0].velocity[1]);
    for (int row = 0; row < ROWS; row++) {
        for (int place = 0; place <= row; place++) {
            const double *v = balls->body[number(row, place)].velocity;
            const double *w = balls->body[number(row, row - place)].velocity;
            worst = fmax(worst, fmax(fabs(v[0] - w[0]), fabs(v[1] + w[1])));
        }
    }
    return worst;
}

/* Largest speed at which two touching balls still approach. */
static double approach(const Balls *balls) {
    double worst = 0;
    for (int i = 0; i < balls->touches; i++) {
        const CaromSite *site = &balls->site[i];
        double closing = 0;
        for (int k = 0; k < 3; k++) {
            closing -= site->normal[k] * (balls->body[site->first].velocity[k] -
                                          balls->body[site->second].velocity[k]);
        }
        worst = fmax(worst, closing);
    }
    return worst;
}

static void print_ball(const char *name, const CaromBody *body) {
    const double *v = body->velocity;
    printf("  %-10s %9.5f %9.5f %9.5f   %7.1f\n", name, v[0], v[1], hypot(v[0], v[1]),
           atan2(v[1], v[0]) * 180 / 3.141592653589793);
}

static void print_balls(const Balls *balls) {
    printf("  ball           v_x       v_y     speed   degrees\n");
    print_ball("cue", &balls->body[0]);
    for (int row = 0; row < ROWS; row++) {
        for (int place = 0; place <= row; place++) {
            char name[24];
            snprintf(name, sizeof name, "%d, %d", row + 1, place + 1);
            print_ball(name, &balls->body[number(row, place)]);
        }
    }
}

static double momentum_error(const Balls *balls) {
    double x = -mass * speed, y = 0;
    for (int i = 0; i < balls->count; i++) {
        x += mass * balls->body[i].velocity[0];
        y += mass * balls->body[i].velocity[1];
    }
    return hypot(x, y);
}

static bool show_break(Balls *after) {
    Balls balls;
    rack(&balls);
    double before = balls_energy(&balls);
    CaromResult result = {0};
    if (!balls_collide(&balls, &result)) {
        return false;
    }
    double kept = balls_energy(&balls) / before, mirror = asymmetry(&balls);
    print_balls(&balls);
    printf("energy kept %.6f (account closes to %.0e of it), momentum to %.0e\n"
           "mirror images differ by %.0e m/s, balls approach by %.0e m/s; %d events, %d steps\n",
           kept, fabs(result.energy.residual) / before, momentum_error(&balls), mirror,
           approach(&balls), result.event_count, result.work);
    *after = balls;
    return kept < 1 && mirror < 1e-10 && momentum_error(&balls) < 1e-12 && approach(&balls) < 1e-10;
}

/* ---- sensitivity to the stiffness of single contacts ---- */

/* Largest change of velocity if one contact is 1 % stiffer. */
static bool show_sensitivity(const Balls *exact) {
    bool good = true;
    double most = 0;
    for (int i = 0; i < exact->touches; i++) {
        Balls balls;
        rack(&balls);
        balls.contact[i].stiffness = 1.01;
        good &= balls_collide(&balls, NULL);
        double change = 0;
        for (int k = 0; k < BALLS; k++) {
            const double *v = balls.body[k].velocity, *w = exact->body[k].velocity;
            change = fmax(change, hypot(v[0] - w[0], v[1] - w[1]));
        }
        most = fmax(most, change);
    }
    printf("one contact stiffer by 1 %%: the velocities change by up to %.4f m/s\n", most);
    return good;
}

/* ---- files ---- */

static const char *name_of(int ball, char name[24]) {
    if (ball == 0) {
        return "cue ball";
    }
    snprintf(name, 24, "ball %d", ball);
    return name;
}

static void write_scene(FILE *file) {
    Balls balls;
    char first[24], second[24];
    rack(&balls);
    double moment = 0.4 * mass * radius * radius;
    fprintf(
        file,
        "{\n  \"carom\": 1,\n  \"name\": \"Billiard break\",\n  \"description\": \"The cue ball, "
        "at 8 m/s, hits the rack of 15 balls in the middle; all 15 touch. All contacts are "
        "equally stiff, with e = 0.95 and without friction.\",\n  \"units\": \"SI\",\n  \"model\": "
        "\"compliant\",\n  \"bodies\": [\n");
    for (int i = 0; i < balls.count; i++) {
        const double *x = balls.body[i].position;
        fprintf(file,
                "    {\"name\": \"%s\", \"mass\": %.15g, \"inertia\": [%.15g, %.15g, %.15g],\n",
                name_of(i, first), mass, moment, moment, moment);
        fprintf(file, "     \"position\": [%.17g, %.17g, 0], \"velocity\": [%.17g, 0, 0]}%s\n",
                x[0], x[1], balls.body[i].velocity[0], i + 1 < balls.count ? "," : "");
    }
    fprintf(file, "  ],\n  \"contacts\": [\n");
    for (int i = 0; i < balls.touches; i++) {
        const CaromSite *site = &balls.site[i];
        fprintf(file, "    {\"bodies\": [\"%s\", \"%s\"], \"point\": [%.17g, %.17g, 0],\n",
                name_of(site->first, first), name_of(site->second, second), site->point[0],
                site->point[1]);
        fprintf(
            file,
            "     \"normal\": [%.17g, %.17g, 0], \"mu\": 0, \"e\": %.15g, \"stiffness\": 1}%s\n",
            site->normal[0], site->normal[1], e, i + 1 < balls.touches ? "," : "");
    }
    fprintf(file, "  ]\n}\n");
}

static void write_table(FILE *file, const Balls *after) {
    fputs("x,y,vx,vy\n", file);
    for (int i = 0; i < after->count; i++) {
        const CaromBody *body = &after->body[i];
        fprintf(file, "%.9g,%.9g,%.9g,%.9g\n", body->position[0], body->position[1],
                body->velocity[0], body->velocity[1]);
    }
}

int main(int argc, char **argv) {
    bool scene = argc > 1 && strcmp(argv[1], "--scene") == 0;
    const char *path = argc > 1 + scene ? argv[1 + scene] : NULL;
    if (argc > 2 + scene || (path && path[0] == '-') || (scene && !path)) {
        fprintf(stderr, "usage: billiard_break [--scene] [FILE]\n");
        return 2;
    }
    Balls after = {0};
    bool good = scene || (show_break(&after) && show_sensitivity(&after));
    if (path) {
        FILE *file = fopen(path, "w");
        if (!file) {
            perror(path);
            return 2;
        }
        if (scene) {
            write_scene(file);
        } else {
            write_table(file, &after);
        }
        good &= !ferror(file);
        good &= fclose(file) == 0;
    }
    if (!good) {
        printf("The break was not solved, or breaks a law.\n");
    }
    return good ? 0 : 1;
}
