/* carom simulate, from outside: bounces against closed forms and published numbers, and how it
 * ends. Its trajectories are tested in test_trajectories.c.
 *
 * Oracles: geometric series of a ball without friction; Jia's Fig. 1, Table 1 and section 8.2. */
#include <carom/carom.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/throw_text.h"

static json_t *member(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    assert_non_null(value);
    return value;
}

/* Run on a scene's text and answer its line; json_decref() it. */
static json_t *simulate(const char *scene) {
    Run run = program_run(scene, "simulate", "--json", "-", NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_ptr_equal(strchr(run.out, '\n'), run.out + run.out_size - 1);
    json_t *line = parse_line(run.out);
    assert_string_equal(text_at(line, "status"), "ok");
    run_free(&run);
    return line;
}

static const json_t *impact_at(const json_t *line, size_t index) {
    const json_t *impact = json_array_get(member(line, "impacts"), index);
    assert_non_null(impact);
    return impact;
}

static size_t impact_count(const json_t *line) {
    return json_array_size(member(line, "impacts"));
}

static void check_end(const json_t *line, const char *reason, double bounces) {
    const json_t *end = member(line, "end");
    check_keys(end, "reason time bounces position orientation velocity angular_velocity ");
    assert_string_equal(text_at(end, "reason"), reason);
    check_close(number_at(end, "bounces"), bounces, 0);
}

static void check_vector(const json_t *object, const char *key, double x, double y, double z,
                         double tolerance) {
    const double expected[3] = {x, y, z};
    check_array(member(object, key), expected, 3, tolerance);
}

/* ---- closed forms ---- */

/* Dropped from 2 above the plane without friction: v_k = e^k sqrt(2 g h), a flight lasts 2 v_k/g;
 * all is over when e^k <= 1e-6. */
static void test_series(void **state) {
    (void)state;
    json_t *line = simulate(SCENE(DROP(BALL, "\"velocity\":[1,0,0],\"angular_velocity\":[0,3,0]"),
                                  PLANE, GRAVITY, "\"contacts\":[{\"mu\":0,\"e\":0.8}]", ""));
    double speed = sqrt(2 * 10 * 2), time = speed / 10;
    size_t bounces = (size_t)ceil(log(1e-6) / log(0.8));
    assert_int_equal(impact_count(line), bounces);
    for (size_t k = 0; k < bounces; k++) {
        const json_t *impact = impact_at(line, k);
        check_keys(impact, "bounce time status point position orientation before after impulse "
                           "sequence energy ");
        check_close(number_at(impact, "bounce"), (double)k + 1, 0);
        check_close(number_at(impact, "time"), time, 2e-14); /* measured 5.3e-15 */
        check_vector(impact, "point", time, 0, 0, 2e-14);    /* likewise */
        check_vector(member(impact, "before"), "velocity", 1, 0, -speed, 1e-13);
        speed *= 0.8;
        check_vector(member(impact, "after"), "velocity", 1, 0, speed, 1e-13);
        check_vector(member(impact, "after"), "angular_velocity", 0, 3, 0, 0);
        assert_string_equal(text_at(impact, "sequence"), "lcr"); /* straight on */
        time += 2 * speed / 10;
    }
    check_end(line, "died_out", (double)bounces);
    json_decref(line);
}

/* The same on a slope, and with another fraction to stop at. */
static void test_slope(void **state) {
    (void)state;
    json_t *line = simulate(
        SCENE(DROP(BALL, STILL), "\"plane\":{\"point\":[0,0,0],\"normal\":[3,0,4]}", GRAVITY,
              "\"contacts\":[{\"mu\":0,\"e\":0.5}]", ",\"simulate\":{\"rest\":0.01}"));
    /* normal (0.6, 0, 0.8): height 3 * 0.8 - 1 = 1.4 under 8, along the slope from rest under -6 */
    double speed = sqrt(2 * 8 * 1.4), time = speed / 8;
    const json_t *impact = impact_at(line, 0);
    check_close(number_at(impact, "time"), time, 1e-15);
    check_vector(impact, "point", -0.6, 0, 3 - 5 * time * time - 0.8, 1e-14);
    /* v = (0, 0, -10 t), its normal part turned round and halved */
    double v = 10 * time, n = 1.5 * 0.8 * v;
    check_vector(member(impact, "after"), "velocity", 0.6 * n, 0, 0.8 * n - v, 1e-14);
    check_end(line, "died_out", 7); /* 0.5^7 < 0.01 */
    json_decref(line);
}

/* ---- ends ---- */

static void test_ends(void **state) {
    (void)state;
    json_t *line = simulate(
        SCENE(DROP(BALL, STILL), PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"bounces\":3}"));
    check_end(line, "bounces", 3);
    check_close(number_at(member(line, "end"), "time"), number_at(impact_at(line, 2), "time"), 0);
    json_decref(line);
    /* in the middle of the second flight */
    line =
        simulate(SCENE(DROP(BALL, STILL), PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"time\":1}"));
    check_end(line, "time", 1);
    double fall = sqrt(0.4), left = 1 - fall, up = 0.6 * 10 * fall;
    check_close(number_at(member(line, "end"), "time"), 1, 0);
    check_vector(member(line, "end"), "position", 0, 0, 1 + up * left - 5 * left * left, 1e-14);
    check_vector(member(line, "end"), "velocity", 0, 0, up - 10 * left, 1e-14);
    json_decref(line);
    /* without gravity: once, and away; or never */
    line = simulate(
        SCENE(DROP(BALL, "\"velocity\":[0,1,-4]"), PLANE, "\"gravity\":[0,0,0]", SURFACE, ""));
    check_end(line, "no_touch", 1);
    check_close(number_at(impact_at(line, 0), "time"), 0.5, 1e-15);
    json_decref(line);
    line = simulate(SCENE(DROP(BALL, STILL), PLANE, "\"gravity\":[0,0,10]", SURFACE, ""));
    check_end(line, "no_touch", 0);
    assert_int_equal(impact_count(line), 0);
    json_decref(line);
    /* plastic: it stays where it fell */
    line = simulate(
        SCENE(DROP(BALL, STILL), PLANE, GRAVITY, "\"contacts\":[{\"mu\":0.3,\"e\":0}]", ""));
    check_end(line, "rest", 1);
    json_decref(line);
    /* in touch from the beginning, and without friction of rolling for ever */
    line = simulate(SCENE("\"bodies\":[{\"mass\":2,\"inertia\":[1,1,1],\"position\":[0,0,1],"
                          "\"velocity\":[3,0,0]," BALL "}]",
                          PLANE, GRAVITY, SURFACE, ""));
    check_end(line, "died_out", 0);
    json_decref(line);
    /* an elastic ball: never, it does not slip */
    line = simulate(
        SCENE(DROP(BALL, STILL), PLANE, GRAVITY, "\"contacts\":[{\"mu\":0.3,\"e\":1}]", ""));
    check_end(line, "bounces", 1000);
    check_vector(member(impact_at(line, 999), "after"), "velocity", 0, 0, sqrt(40), 1e-11);
    json_decref(line);
}

/* The command line goes before the scene. */
/* A box that tumbles on a horizontal plane with e = 1. */
static json_t *tumble(const char *mu, const char *ends) {
    char scene[1024];
    snprintf(scene, sizeof scene,
             SCENE("\"bodies\":[{\"mass\":0.15,\"inertia\":[2.78125e-5,5.28125e-5,6.5e-5],"
                   "\"position\":[0,0,0.25],\"orientation\":[0.8,0.36,0.48,0],"
                   "\"velocity\":[0.6,0.1,0],\"angular_velocity\":[4,9,-3],\"shape\":{"
                   "\"vertices\":[[0.03,0.02,0.0125],[0.03,0.02,-0.0125],[0.03,-0.02,0.0125],"
                   "[0.03,-0.02,-0.0125],[-0.03,0.02,0.0125],[-0.03,0.02,-0.0125],"
                   "[-0.03,-0.02,0.0125],[-0.03,-0.02,-0.0125]]}}]",
                   PLANE, "\"gravity\":[0,0,-9.81]", "\"contacts\":[{\"mu\":%s,\"e\":1}]",
                   ",\"simulate\":{%s}"),
             mu, ends);
    return simulate(scene);
}

static double kinetic_energy(const json_t *line, size_t index, const char *key) {
    return number_at(member(impact_at(line, index), "energy"), key);
}

/* With e = 1 friction still takes the energy, and the bounces of a box die out. Without friction
 * nothing is lost: they do not, even if "rest" is so large that every bounce is below it. */
static void test_elastic_bounces(void **state) {
    (void)state;
    json_t *line = tumble("0.4", "\"bounces\":20000,\"rest\":1e-4");
    const json_t *end = member(line, "end");
    assert_string_equal(text_at(end, "reason"), "rest");
    size_t last = impact_count(line) - 1;
    double kept = kinetic_energy(line, last, "after") / kinetic_energy(line, 0, "before");
    assert_true(kept < 1e-6); /* measured 6e-8 */
    json_decref(line);
    line = tumble("0", "\"bounces\":500,\"rest\":1");
    check_end(line, "bounces", 500);
    /* kinetic and potential energy together */
    double height[2], total[2];
    for (size_t i = 0; i < 2; i++) {
        const json_t *impact = impact_at(line, 499 * i);
        height[i] = json_number_value(json_array_get(member(impact, "position"), 2));
        total[i] = kinetic_energy(line, 499 * i, "after") + 0.15 * 9.81 * height[i];
    }
    check_close(total[1] / total[0], 1, 1e-12);
    json_decref(line);
}

/* ---- lasting contact ---- */

/* A ball that slides, rolls and spins to rest, from touch: closed forms (rolling.h). */
static void test_ball_to_rest(void **state) {
    (void)state;
    const double g = 10, mu = 0.2, roll = 0.05, spin = 0.1, r = 1, v = 3, w = 2;
    json_t *line =
        simulate(SCENE("\"bodies\":[{\"mass\":2,\"inertia\":[0.8,0.8,0.8],\"position\":[0,0,1],"
                       "\"velocity\":[3,0,0],\"angular_velocity\":[0,0,2]," BALL "}]",
                       PLANE, GRAVITY, "\"contacts\":[{\"mu\":0.2,\"e\":0.6}]",
                       ",\"simulate\":{\"mu_roll\":0.05,\"mu_spin\":0.1}"));
    /* slip v ends at 2 v/(7 mu g), at 5/7 v; rolling then slows down by 5/7 mu_roll g */
    double slides = 2 * v / (7 * mu * g), fast = 5 * v / 7, slow = 5 * roll * g / 7;
    double spins = w / (5 * spin * g / (2 * r)), rolls = fast / slow;
    double way = (v + fast) / 2 * slides + fast * fast / (2 * slow);
    check_end(line, "rest", 0);
    const json_t *end = member(line, "end"), *phases = member(line, "phases");
    check_close(number_at(end, "time"), slides + rolls, 1e-14);
    check_vector(end, "position", way, 0, 1, 1e-14);
    check_vector(end, "velocity", 0, 0, 0, 0);
    check_vector(end, "angular_velocity", 0, 0, 0, 0);
    assert_int_equal(json_array_size(phases), 3);
    static const char *const names[] = {"sliding", "sliding", "rolling"};
    const double begins[] = {0, fmin(spins, slides), fmax(spins, slides)};
    for (size_t i = 0; i < 3; i++) {
        const json_t *phase = json_array_get(phases, i);
        check_keys(phase, "phase from to bounces position orientation velocity angular_velocity ");
        assert_string_equal(text_at(phase, "phase"),
                            spins < slides ? names[i] : names[i == 2 ? 2 : 2 * i]);
        check_close(number_at(phase, "from"), begins[i], 1e-15);
    }
    json_decref(line);
}

/* A ball that rolls straight on turns by its way over its radius. */
static void test_orientation_of_rolling(void **state) {
    (void)state;
    json_t *line =
        simulate(SCENE("\"bodies\":[{\"mass\":2,\"inertia\":[0.8,0.8,0.8],\"position\":[0,0,1],"
                       "\"velocity\":[3,0,0],\"angular_velocity\":[0,3,0]," BALL "}]",
                       PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"mu_roll\":0.1,\"time\":2}"));
    const json_t *end = member(line, "end");
    check_end(line, "time", 0);
    double way = 3 * 2 - 5.0 / 7 * 0.1 * 10 * 2, half = way / 2;
    check_vector(end, "position", way, 0, 1, 1e-14);
    const double q[4] = {cos(half), 0, sin(half), 0};
    check_array(member(end, "orientation"), q, 4, 1e-12); /* measured 2e-15 */
    json_decref(line);
}

/* A block that lands flat and slides: it stops after v/(mu g), on its face. Slopes: friction holds
 * it, or it slides on to the end time, or the run ends where its bounces have died out. */
static void test_block_to_rest(void **state) {
    (void)state;
    static const char vertices[] =
        "\"shape\":{\"vertices\":[[1,1,0.2],[1,-1,0.2],[-1,1,0.2],[-1,-1,0.2],[1,1,-0.2],"
        "[1,-1,-0.2],[-1,1,-0.2],[-1,-1,-0.2]]}";
    char scene[1024];
    snprintf(scene, sizeof scene,
             SCENE("\"bodies\":[{\"mass\":2,\"inertia\":[1,1,2],\"position\":[0,0,0.2],"
                   "\"velocity\":[2,0,0],%s}]",
                   PLANE, GRAVITY, "\"contacts\":[{\"mu\":0.25,\"e\":0}]", ""),
             vertices);
    json_t *line = simulate(scene);
    check_end(line, "rest", 0);
    check_close(number_at(member(line, "end"), "time"), 0.8, 1e-4);   /* measured 1.6e-5 */
    check_vector(member(line, "end"), "position", 0.8, 0, 0.2, 1e-7); /* 1e-9 */
    json_decref(line);
    static const struct {
        const char *mu, *ends, *reason;
    } slopes[] = {{"0.3", "", "rest"},
                  {"0.1", "", "died_out"},
                  {"0.1", ",\"simulate\":{\"time\":1}", "time"}};
    for (size_t i = 0; i < 3; i++) {
        snprintf(scene, sizeof scene,
                 SCENE("\"bodies\":[{\"mass\":2,\"inertia\":[1,1,2],\"position\":[0,0,0.2],"
                       "%s}]",
                       PLANE, "\"gravity\":[2,0,-10]", "\"contacts\":[{\"mu\":%s,\"e\":0}]", "%s"),
                 vertices, slopes[i].mu, slopes[i].ends);
        line = simulate(scene);
        check_end(line, slopes[i].reason, 0);
        double way = i == 2 ? 0.5 : 0;
        check_vector(member(line, "end"), "position", way, 0, 0.2, 1e-7); /* 1e-9 */
        json_decref(line);
    }
}

static void test_options(void **state) {
    (void)state;
    const char *scene = work_text("good.json", GOOD);
    Run run = program_run(NULL, "simulate", scene, "--json", "--bounces", "2", NULL);
    json_t *line = parse_line(run.out);
    check_keys(line, "status model impacts phases end ");
    check_end(line, "bounces", 2);
    json_decref(line);
    run_free(&run);
    run = program_run(NULL, "simulate", scene, "--json", "--time=0.25", NULL);
    line = parse_line(run.out);
    check_end(line, "time", 0);
    json_decref(line);
    run_free(&run);
    run = program_run(NULL, "simulate", scene, NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "the body rests");
    check_contains(run.out, "cr, lost ");
    run_free(&run);
    check_output(program_run(NULL, "simulate", "--help", NULL), "died");
}

/* ---- published ---- */

/* Velocities after a bounce: V_x, V_y, V_z, omega_x, omega_y. */
typedef struct Row {
    double V[3], omega[2];
    double tolerance;
} Row;

static void check_row(const json_t *impact, const Row *row) {
    const json_t *after = member(impact, "after");
    check_close(element(after, "velocity", 2), row->V[2], 1e-4); /* 5e-5, a step */
    for (size_t i = 0; i < 2; i++) {
        check_close(element(after, "velocity", i), row->V[i], row->tolerance);
        check_close(element(after, "angular_velocity", i), row->omega[i], 2.5 * row->tolerance);
    }
    check_close(element(after, "angular_velocity", 2), 0, 1e-15);
}

static json_t *simulate_published(const char *name, bool printed) {
    Run run = printed ? program_run(NULL, "simulate", "--json", "--method", "euler", "--as-printed",
                                    "--step", "5e-5", "--stop-energy=1e-4", scene_path(name), NULL)
                      : program_run(NULL, "simulate", "--json", scene_path(name), NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    json_t *line = parse_line(run.out);
    run_free(&run);
    return line;
}

/* Table 1, each bounce from the one before it; the published run stops where 1e-4 of normal energy
 * is left (docs/errata.md). */
static void test_table_1(void **state) {
    (void)state;
    static const Row rows[8] = {
        {{0.898172, -1.627, 2.5001}, {1.93249, 1.25457}, 1e-5},    /* 4.5e-6 */
        {{1.07389, -1.77762, 1.2501}, {1.55595, 0.815269}, 1e-4},  /* 1.9e-5 */
        {{0.944485, -1.6667, 0.62505}, {1.83325, 1.13879}, 1e-4},  /* 4.2e-5 */
        {{1.04364, -1.75169, 0.3123}, {1.62078, 0.890907}, 1e-4},  /* 8.2e-5 */
        {{0.963345, -1.68287, 0.15565}, {1.79283, 1.09164}, 1e-4}, /* 5.8e-5 */
        {{1.02677, -1.73723, 0.07665}, {1.65692, 0.933078}, 3e-5}, /* 1.5e-5 */
        {{0.998039, -1.7126, 0.0358}, {1.71849, 1.0049}, 3e-5},    /* 5.8e-6 */
        {{1.00197, -1.71598, 0.0111}, {1.71006, 0.995071}, 3e-5}}; /* 1.3e-5 */
    json_t *line = simulate_published("simulate/ball_eight_bounces.json", true);
    check_end(line, "bounces", 8);
    for (size_t i = 0; i < 8; i++) {
        check_row(impact_at(line, i), &rows[i]);
    }
    json_decref(line);
    line = simulate_published("simulate/ball_eight_bounces.json", false);
    const Row exact = {{1.277770, -1.952374, 2.5}, {1.119065, 0.305575}, 1e-6};
    check_row(impact_at(line, 0), &exact);
    for (size_t i = 0; i < 8; i++) {
        check_close(element(member(impact_at(line, i), "after"), "velocity", 2),
                    5 * pow(0.5, (double)i + 1), 1e-14);
    }
    json_decref(line);
}

/* Fig. 1: only the velocities after the fifth bounce are printed. */
static void test_figure_1(void **state) {
    (void)state;
    json_t *line = simulate_published("simulate/ball_five_bounces.json", true);
    const Row last = {{-0.088333, 0, 0.155565}, {0, -0.279167}, 5e-4};
    check_end(line, "bounces", 5);
    check_row(impact_at(line, 4), &last); /* measured 1.5e-4, 3.7e-4 */
    json_decref(line);
    line = simulate_published("simulate/ball_five_bounces.json", false);
    const json_t *after = member(impact_at(line, 0), "after");
    check_close(element(after, "velocity", 0), 0.544090155, 1e-9);
    check_close(element(after, "angular_velocity", 1), -1.8602254, 1e-7);
    json_decref(line);
}

/* Section 8.2: the scene's start is the flight before the impact, backwards to -0.4. */
static void test_pencil(void **state) {
    (void)state;
    const double pi = acos(-1.0), h1 = 3, h2 = 0.5, r = 0.5, m1 = h1 / (h1 + h2 / 3), m2 = 1 - m1;
    double h = (6 * h1 * h1 + 12 * h1 * h2 + 3 * h2 * h2) / (12 * h1 + 4 * h2);
    double l = h1 / 2 + h2 - h, k = h - 0.75 * h2, c = cos(pi / 3), s = sin(pi / 3);
    CaromBody body = carom_body_default();
    body.inertia[0] = body.inertia[4] =
        m1 * ((3 * r * r + h1 * h1) / 12 + l * l) + m2 * (3 * (4 * r * r + h2 * h2) / 80 + k * k);
    body.inertia[8] = m1 * r * r / 2 + 0.3 * m2 * r * r;
    check_close(body.inertia[0], 0.903870, 1e-6); /* physics: exact Q22 */
    const CaromBody hit = {.mass = 1,
                           .position = {h * c, 0, h * s},
                           .orientation = {cos(pi / 12), 0, sin(pi / 12), 0},
                           .velocity = {-5 * cos(pi / 6), 0, -2.5},
                           .angular_velocity = {-s - 0.5 * c, -0.5, c - 0.5 * s}};
    const double gravity[3] = {0, 0, -9.81};
    memcpy(body.position, hit.position, sizeof hit.position);
    memcpy(body.orientation, hit.orientation, sizeof hit.orientation);
    memcpy(body.velocity, hit.velocity, sizeof hit.velocity);
    memcpy(body.angular_velocity, hit.angular_velocity, sizeof hit.angular_velocity);
    assert_int_equal(carom_flight_advance(&body, gravity, -0.4, NULL), CAROM_OK);

    json_t *scene = json_load_file(scene_path("simulate/pencil_throw.json"), 0, NULL);
    const json_t *start = json_array_get(member(scene, "bodies"), 0);
    const double moments[3] = {body.inertia[0], body.inertia[4], body.inertia[8]};
    check_array(member(start, "inertia"), moments, 3, 1e-15);
    /* measured 0, 4.4e-16, 0, 2.9e-15 */
    check_array(member(start, "position"), body.position, 3, 2e-15);
    check_array(member(start, "orientation"), body.orientation, 4, 4e-15);
    check_array(member(start, "velocity"), body.velocity, 3, 2e-15);
    check_array(member(start, "angular_velocity"), body.angular_velocity, 3, 2e-14);
    json_decref(scene);

    json_t *line = simulate_published("simulate/pencil_throw.json", false);
    const json_t *impact = impact_at(line, 0);
    check_end(line, "time", 1);
    check_close(number_at(impact, "time"), 0.4, 1e-15);
    check_close(number_at(impact, "vertex"), 0, 0);
    check_vector(impact, "point", 0, 0, 0, 2e-15);
    check_array(member(impact, "orientation"), hit.orientation, 4, 2e-15);
    check_array(member(member(impact, "before"), "velocity"), hit.velocity, 3, 1e-14);
    check_array(member(member(impact, "before"), "angular_velocity"), hit.angular_velocity, 3,
                4e-15);
    /* slips, sticks through the end of compression, slips at the end */
    assert_string_equal(text_at(impact, "sequence"), "scr");
    check_close(element(impact, "impulse", 0), 4.037484, 1e-6);
    json_decref(line);
}

/* ---- several vertices at once ---- */

/* A box that lands flat, with its vertices in some order; shift counts through the orders. */
static json_t *simulate_box(double e, const char *velocity, int shift, const char *more) {
    static const char *const corners[] = {"[1,1,1]",  "[1,1,-1]",  "[1,-1,1]",  "[1,-1,-1]",
                                          "[-1,1,1]", "[-1,1,-1]", "[-1,-1,1]", "[-1,-1,-1]"};
    static const int steps[] = {1, 3, 5, 7};
    char scene[2048], list[256] = "";
    for (int i = 0; i < 8; i++) {
        strcat(list, i > 0 ? "," : "");
        strcat(list, corners[(i * steps[shift % 4] + shift) % 8]);
    }
    snprintf(scene, sizeof scene,
             "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"mass\":1,\"inertia\":[1,2,2.5],"
             "\"position\":[0,0,2],\"velocity\":%s,\"shape\":{\"vertices\":[%s%s]}}],"
             "\"gravity\":[0,0,-10],\"contacts\":[{\"mu\":0.3,\"e\":%g}],"
             "\"simulate\":{\"bounces\":2}}",
             velocity, list, more, e);
    return simulate(scene);
}

/* Without sliding it leaves without spin, as a ball would. */
static void test_flat_landing(void **state) {
    (void)state;
    static const double restitutions[] = {0, 0.3, 0.7, 1};
    for (size_t i = 0; i < 4; i++) {
        for (int shift = 0; shift < 8; shift++) {
            double e = restitutions[i], speed = sqrt(20);
            json_t *line = simulate_box(e, "[0,0,0]", shift, "");
            for (size_t k = 0; k < impact_count(line); k++) {
                const json_t *impact = impact_at(line, k);
                check_keys(impact, "bounce time model vertices impulses status point position "
                                   "orientation before after impulse sequence energy ");
                assert_int_equal(json_array_size(member(impact, "vertices")), 4);
                assert_string_equal(text_at(impact, "model"), "compliant");
                assert_string_equal(text_at(impact, "sequence"), "");
                /* measured 6.4e-14 */
                check_vector(impact, "point", 0, 0, 0, 1e-12);
                check_vector(member(impact, "after"), "velocity", 0, 0, e * speed, 1e-12);
                check_vector(member(impact, "after"), "angular_velocity", 0, 0, 0, 1e-12);
                check_vector(impact, "impulse", 0, 0, (1 + e) * speed, 1e-12);
                speed *= e;
            }
            check_end(line, e > 0 ? "bounces" : "rest", e > 0 ? 2 : 1);
            json_decref(line);
        }
    }
}

/* With sliding: the same in every order, and with vertices that add nothing to the shape. */
static void test_order_of_vertices(void **state) {
    (void)state;
    static const char *const more[] = {"", ",[1,1,-1]", ",[0,0,-1],[0.5,1,-1],[1,0,-1]",
                                       ",[0,0,0]"};
    static const double restitutions[] = {0.3, 0.7, 1};
    for (size_t i = 0; i < 3; i++) {
        double velocity[3], spin[3];
        for (int shift = 0; shift < 8; shift++) {
            json_t *line = simulate_box(restitutions[i], "[0.5,0.1,0]", shift, more[shift % 4]);
            const json_t *after = member(impact_at(line, 0), "after");
            assert_int_equal(json_array_size(member(impact_at(line, 0), "vertices")), 4);
            for (size_t k = 0; k < 3 && shift == 0; k++) {
                velocity[k] = element(after, "velocity", k);
                spin[k] = element(after, "angular_velocity", k);
            }
            check_array(member(after, "velocity"), velocity, 3, 1e-10); /* measured 4e-14 */
            check_array(member(after, "angular_velocity"), spin, 3, 1e-10);
            assert_true(fabs(spin[1]) > 0.01);
            json_decref(line);
        }
    }
}

/* An edge first: two vertices at once, no twist, then the other two. */
static void test_edge_landing(void **state) {
    (void)state;
    json_t *line = simulate(
        "{\"carom\":1,\"model\":\"compliant\",\"bodies\":[{\"mass\":1,\"inertia\":[1,1,1],"
        "\"position\":[0,0,3],\"orientation\":[0.96,0.28,0,0],\"velocity\":[0,0,0],\"shape\":{"
        "\"vertices\":[[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],"
        "[-1,-1,-1]]}}],\"gravity\":[0,0,-10],\"contacts\":[{\"mu\":0.3,\"e\":0.5}],"
        "\"simulate\":{\"bounces\":1}}");
    const json_t *impact = impact_at(line, 0);
    assert_int_equal(json_array_size(member(impact, "vertices")), 2);
    check_close(element(impact, "point", 0), 0, 1e-14);
    check_close(element(member(impact, "after"), "velocity", 0), 0, 1e-14);
    assert_true(fabs(element(member(impact, "after"), "angular_velocity", 0)) > 1);
    check_close(element(member(impact, "after"), "angular_velocity", 1), 0, 1e-13);
    check_close(element(member(impact, "after"), "angular_velocity", 2), 0, 1e-13);
    json_decref(line);
}

/* ---- pictures ---- */

static void test_plot(void **state) {
    (void)state;
    const char *picture = work_path("box.svg");
    Run run = program_run(NULL, "simulate", scene_path("simulate/box_tumble.json"), "--plot",
                          picture, NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *svg = file_read(picture, &size);
    check_contains(svg, "<title id=\"carom_title\">Tumbling box</title>");
    check_contains(svg, "bounces; after time");
    check_contains(svg, "from the side");
    check_contains(svg, "from above");
    check_contains(svg, "centre of mass");
    assert_null(strstr(svg, "nan"));
    free(svg);
    check_error(program_run(NULL, "simulate", scene_path("simulate/box_tumble.json"), "--plot",
                            "/nowhere/box.svg", NULL),
                2, "--plot: /nowhere/box.svg");
    picture = work_path("ball.png");
    run = program_run(GOOD, "simulate", "-", "--plot", picture, NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    char *png = file_read(picture, &size);
    assert_memory_equal(png, "\x89PNG", 4);
    free(png);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_elastic_bounces),
        cmocka_unit_test(test_ball_to_rest),
        cmocka_unit_test(test_orientation_of_rolling),
        cmocka_unit_test(test_block_to_rest),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_table_1),
        cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_pencil),
        cmocka_unit_test(test_flat_landing),
        cmocka_unit_test(test_order_of_vertices),
        cmocka_unit_test(test_edge_landing),
        cmocka_unit_test(test_plot),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
