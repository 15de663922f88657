/* carom solve, trace and plot of mechanisms in generalised coordinates, from outside.
 *
 * Oracles: the reference answers of test/reference/system.json; the library called directly, to
 * the last bit; the same impact stated in another way; the mass matrix for energies. */
#include <carom/carom.h>
#include <carom/planar.h>
#include <carom/system.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/contact/impact.h"

/* A scene with one part replaced; two coordinates, planar. */
#define MASS "\"mass_matrix\":[[2,0.5],[0.5,1]]"
#define SPEED "\"velocity\":[0.3,-1]"
#define JACOBIAN "\"jacobian\":[[1,0.2],[-0.1,1]]"
#define SURFACE "\"mu\":0.3,\"e\":0.6"
#define SCENE(system, contacts)                                                                    \
    "{\"carom\":1,\"model\":\"rigid\",\"system\":" system ",\"contacts\":[" contacts "]}"
#define SYSTEM(fields) SCENE("{" fields "}", "{" SURFACE "," JACOBIAN "}")
#define CONTACT(fields) SCENE("{" MASS "," SPEED "}", "{" SURFACE "," fields "}")
#define GOOD SYSTEM(MASS "," SPEED)

/* Largest entry of an array, the scale of its errors. */
static double size_of(const json_t *array) {
    double largest = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        largest = fmax(largest, fabs(json_number_value(json_array_get(array, i))));
    }
    return largest;
}

static double difference_of(const json_t *given, const json_t *expected) {
    assert_int_equal(json_array_size(given), json_array_size(expected));
    double largest = 0;
    for (size_t i = 0; i < json_array_size(given); i++) {
        largest = fmax(largest, fabs(json_number_value(json_array_get(given, i)) -
                                     json_number_value(json_array_get(expected, i))));
    }
    return largest / size_of(expected);
}

/* Every reference scene through the program. */
static void test_reference(void **state) {
    (void)state;
    json_t *cases = json_load_file(CAROM_SOURCE_DIR "/test/reference/system.json", 0, NULL);
    assert_non_null(cases);
    assert_true(json_array_size(cases) >= 14);
    double worst_impulse = 0, worst_velocity = 0;
    int planar = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *given = json_array_get(cases, i);
        char *text = json_dumps(json_object_get(given, "scene"), JSON_REAL_PRECISION(17));
        json_t *line = solve_text(text);
        const json_t *impulse = json_object_get(line, "impulse");
        bool two = strcmp(text_at(given, "tag"), "planar") == 0;
        assert_int_equal(json_array_size(impulse), two ? 2 : 3);
        planar += two;
        worst_impulse =
            fmax(worst_impulse, difference_of(impulse, json_object_get(given, "impulse")));
        worst_velocity = fmax(worst_velocity, difference_of(json_object_get(line, "velocity"),
                                                            json_object_get(given, "velocity")));
        char expected[32], got[32];
        sequence_without_l(text_at(given, "sequence"), expected);
        sequence_without_l(text_at(line, "sequence"), got);
        assert_string_equal(got, expected);
        json_decref(line);
        free(text);
    }
    assert_true(planar > 0 && planar < (int)json_array_size(cases));
    assert_true(worst_impulse <= 1e-11);  /* 9.8e-14 */
    assert_true(worst_velocity <= 1e-11); /* 1.7e-14 */
    json_decref(cases);
}

/* Every number of a planar line is the library's. */
static void test_json_line(void **state) {
    (void)state;
    const double M[4] = {2, 0.5, 0.5, 1}, J[4] = {1, 0.2, -0.1, 1}, u[2] = {0.3, -1};
    double factor[4], R[4], W[4], v[2], impulse[2], velocity[2], after[2] = {0.3, -1};
    CaromContact contact = carom_contact_default();
    contact.mu = 0.3;
    contact.e = 0.6;
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result = {.impulse = impulse,
                          .velocity = velocity,
                          .events = events,
                          .event_capacity = CAROM_RIGID_EVENTS};
    assert_int_equal(carom_system_responses(2, M, 2, J, factor, R, NULL), 0);
    assert_int_equal(carom_system_contact_space(2, 2, J, R, u, W, v, NULL), 0);
    assert_int_equal(carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result), 0);
    carom_system_apply(2, 2, R, impulse, after);
    json_t *line = solve_text(GOOD);
    check_keys(line, "status model impulse contact_velocity velocity sequence order events energy "
                     "error_estimate work contact ");
    check_array(json_object_get(line, "impulse"), impulse, 2, 0);
    check_array(json_object_get(line, "contact_velocity"), velocity, 2, 0);
    check_array(json_object_get(line, "velocity"), after, 2, 0);
    assert_string_equal(text_at(line, "sequence"), result.sequence);
    assert_string_equal(text_at(line, "order"), carom_planar_order(result.sequence));
    const json_t *list = json_object_get(line, "events");
    assert_int_equal(json_array_size(list), result.event_count);
    for (int i = 0; i < result.event_count; i++) {
        const json_t *event = json_array_get(list, (size_t)i);
        const double I[2] = {events[i].impulse[0], events[i].impulse[2]};
        const double w[2] = {events[i].velocity[0], events[i].velocity[2]};
        assert_string_equal(text_at(event, "event"), carom_event_string(events[i].kind));
        check_array(json_object_get(event, "impulse"), I, 2, 0);
        check_array(json_object_get(event, "velocity"), w, 2, 0);
    }
    const json_t *energy = json_object_get(line, "energy");
    check_keys(energy, "before after change stored released normal_loss friction_loss left "
                       "residual ");
    check_close(number_at(energy, "before"), 0.44, 1e-15); /* u.M u/2 by hand; 0 */
    check_close(number_at(energy, "after"), carom_system_energy(2, M, after), 0);
    const json_t *about = json_object_get(line, "contact");
    check_keys(about, "stick_ratio solvable ");
    check_close(number_at(about, "stick_ratio"), fabs(W[1] / W[0]), 0);
    json_decref(line);
}

static const Refusal refusals[] = {
    /* exactly one way, and its fields nowhere else */
    {SCENE("{" MASS "," SPEED "},\"bodies\":[]", "{" SURFACE "," JACOBIAN "}"),
     "system: the mechanics are given twice: \"bodies\" says them already"},
    {SCENE("{" MASS "," SPEED "},\"contact_velocity\":[0,-1]", "{" SURFACE "," JACOBIAN "}"),
     "system: the mechanics are given twice: \"contact_velocity\""},
    {CONTACT(JACOBIAN ",\"normal\":[0,0,1]"),
     "contacts[0].normal: only in a scene with \"bodies\""},
    {SCENE("[]", "{" SURFACE "," JACOBIAN "}"), "system: must be an object with \"mass_matrix\""},
    /* the mechanism */
    {SYSTEM(""), "system.velocity: missing, must be an array of generalised speeds"},
    {SYSTEM(SPEED), "system.mass_matrix: missing, must be an array of 2 rows of 2 numbers"},
    {SYSTEM(MASS), "system.velocity: missing"},
    {SYSTEM(MASS ",\"velocity\":[]"), "system.velocity: must have 1 to 1000 elements, got 0"},
    {SYSTEM(MASS ",\"velocity\":[1,\"x\"]"), "system.velocity[1]: must be a number, got \"x\""},
    {SYSTEM(MASS ",\"velocity\":[1,2,3]"), "system.mass_matrix: must have 3 rows, got 2"},
    {SYSTEM(MASS "," SPEED ",\"force\":[1,2]"), "system.force: unknown field"},
    {SYSTEM(MASS ",\"velocitj\":[1,2]"),
     "system.velocitj: unknown field; did you mean \"velocity\"?"},
    {SYSTEM("\"mass_matrix\":[[2,0.5],[0.5]]," SPEED),
     "system.mass_matrix[1]: must have 2 numbers, got 1"},
    {SYSTEM("\"mass_matrix\":[[2,0.5],[0.4,1]]," SPEED),
     "system.mass_matrix: must be symmetric: [0][1] is 0.5, [1][0] is 0.4"},
    {SYSTEM("\"mass_matrix\":[[1,2],[2,1]]," SPEED),
     "system: mass_matrix is not positive definite"},
    {SYSTEM("\"mass_matrix\":[[1,1],[1,1]]," SPEED),
     "system: mass_matrix is not positive definite"},
    {SYSTEM("\"mass_matrix\":[[0,0],[0,1]]," SPEED),
     "system: mass_matrix is not positive definite"},
    /* the contacts */
    {CONTACT("\"stiffness\":1"), "contacts[0].jacobian: missing, must be an array of 3 rows"},
    {CONTACT("\"jacobian\":7"),
     "contacts[0].jacobian: must be an array of 3 rows (t1, t2, n) or 2"},
    {CONTACT("\"jacobian\":[[1,0]]"),
     "contacts[0].jacobian: must have 3 rows (t1, t2, n) or 2 rows"},
    {CONTACT("\"jacobian\":[[1,0],[0,1],[1,1],[0,0]]"), "(t, n), got 4"},
    {CONTACT("\"jacobian\":[[1,0],[0,1,2]]"),
     "contacts[0].jacobian[1]: must have 2 numbers, got 3"},
    {CONTACT("\"jacobian\":[[1,0],[0,null]]"), "contacts[0].jacobian[1][1]: must be a number, got"},
    {CONTACT("\"jacobian\":[[1,0],[0,1e999]]"),
     "contacts[0].jacobian[1][1]: must be a finite number"},
    {SCENE("{" MASS "," SPEED "}",
           "{" SURFACE "," JACOBIAN "},{" SURFACE ",\"jacobian\":[[1,0],[0,1],[1,1]]}"),
     "contacts[1].jacobian: must have 2 rows as that of contacts[0], got 3"},
    /* mechanisms that cannot answer */
    {CONTACT("\"jacobian\":[[1,0],[0,0]]"), "the mechanism cannot move along the normal"},
};

static void test_refusals(void **state) {
    (void)state;
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
    check_refused("solve", work_text("away.json", SYSTEM(MASS ",\"velocity\":[0,1]")), 1,
                  "not_approaching");
    check_error(program_run(GOOD, "solve", "--method=vs", "-", NULL), 2, "planar");
}

/* One rod, stated as two bodies and as three coordinates. */
static void test_two_ways(void **state) {
    (void)state;
    json_t *bodies = solve_scene("rod_reversal.json"), *planar = solve_scene("rod_planar.json");
    /* largest seen: 0, and 4.4e-16 of 2.4 in the last */
    check_close(element(planar, "impulse", 0), element(bodies, "impulse", 0), 1e-14);
    check_close(element(planar, "impulse", 1), element(bodies, "impulse", 2), 1e-14);
    const json_t *rod = json_array_get(json_object_get(bodies, "bodies"), 0);
    check_close(element(planar, "velocity", 0), element(rod, "velocity", 0), 1e-14);
    check_close(element(planar, "velocity", 1), element(rod, "velocity", 2), 1e-14);
    check_close(element(planar, "velocity", 2), element(rod, "angular_velocity", 1), 1e-13);
    json_decref(bodies);
    json_decref(planar);
}

/* Three rows on a mechanism with two coordinates: the same as two rows along the rail, whose
 * direction is (cos 30, sin 30). */
static void test_locked_direction(void **state) {
    (void)state;
    json_t *spatial = solve_scene("rail_striker.json");
    json_t *scene = json_load_file(scene_path("rail_striker.json"), 0, NULL);
    assert_non_null(scene);
    json_t *contact = json_array_get(json_object_get(scene, "contacts"), 0);
    json_t *rows = json_object_get(contact, "jacobian");
    const double along[2] = {sqrt(0.75), 0.5};
    json_t *row = json_array();
    for (size_t k = 0; k < 2; k++) {
        double sum = 0;
        for (size_t i = 0; i < 2; i++) {
            sum += along[i] * json_number_value(json_array_get(json_array_get(rows, i), k));
        }
        json_array_append_new(row, json_real(sum));
    }
    json_array_remove(rows, 0);
    json_array_set_new(rows, 0, row);
    char *text = json_dumps(scene, JSON_REAL_PRECISION(17));
    json_t *planar = solve_text(text);
    double t = element(planar, "impulse", 0); /* largest difference seen: 5.6e-17 */
    check_close(element(spatial, "impulse", 0), along[0] * t, 1e-13);
    check_close(element(spatial, "impulse", 1), along[1] * t, 1e-13);
    check_close(element(spatial, "impulse", 2), element(planar, "impulse", 1), 1e-13);
    for (size_t i = 0; i < 2; i++) {
        check_close(element(spatial, "velocity", i), element(planar, "velocity", i), 1e-12);
    }
    assert_string_equal(text_at(spatial, "sequence"), text_at(planar, "sequence"));
    json_decref(planar);
    json_decref(spatial);
    json_decref(scene);
    free(text);
}

/* The massé shot by a guided cue, and as a mechanism: the same. */
static void test_guided_cue(void **state) {
    (void)state;
    json_t *bodies = solve_scene("cue_shot.json"), *system = solve_scene("masse_shot.json");
    const json_t *list = json_object_get(bodies, "bodies");
    const json_t *cue = json_array_get(list, 0), *ball = json_array_get(list, 1);
    for (size_t i = 0; i < 6; i++) { /* largest difference seen: 5e-15 */
        check_close(element(bodies, "impulse", i), element(system, "impulse", i), 1e-12);
        check_close(element(bodies, "contact_velocity", i), element(system, "contact_velocity", i),
                    1e-12);
    }
    for (size_t i = 0; i < 3; i++) {
        check_close(element(ball, "velocity", i), element(system, "velocity", 1 + i), 1e-12);
        check_close(element(ball, "angular_velocity", i), element(system, "velocity", 4 + i),
                    1e-10);
        check_close(element(cue, "angular_velocity", i), 0, 0);
    }
    double speed = hypot(hypot(element(cue, "velocity", 0), element(cue, "velocity", 1)),
                         element(cue, "velocity", 2));
    check_close(speed, fabs(element(system, "velocity", 0)), 1e-12);
    assert_string_equal(text_at(bodies, "sequence"), text_at(system, "sequence"));
    check_energy_account(bodies);
    json_decref(bodies);
    json_decref(system);
}

/* Every scene with a mechanism: energies that add up, and none gained. */
static void test_energies(void **state) {
    (void)state;
    static const char *const names[] = {"double_pendulum.json", "rod_planar.json",
                                        "robot_foot.json", "rail_striker.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *line = solve_scene(names[i]);
        const json_t *energy = json_object_get(line, "energy");
        double before = number_at(energy, "before"), after = number_at(energy, "after");
        assert_string_equal(text_at(line, "status"), "ok");
        check_energy_account(line);
        assert_true(after < before);
        json_decref(line);
    }
}

static void test_text(void **state) {
    (void)state;
    Run run = program_run(NULL, "solve", scene_path("double_pendulum.json"), NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    check_contains(run.out, "slips again once slip has stopped: |W_tn/W_tt| = 0.457219 > 0.4");
    check_contains(run.out, "p = 0.549613     slip stops and reverses");
    check_contains(run.out, "                             t             n\nImpulse");
    check_contains(run.out, "Generalised speeds          before         after        change\n");
    check_contains(run.out, "  u[1]                         2.4     -1.184482     -3.584482\n");
    check_contains(run.out, "Kinetic energy of the mechanism\n");
    assert_null(strstr(run.out, "t1"));
    run_free(&run);
    check_output(program_run(NULL, "solve", scene_path("robot_foot.json"), NULL), "  u[8] ");
}

/* The table of a planar process has two components, and ends at the result. */
static void test_trace(void **state) {
    (void)state;
    const char *table = work_path("trace.csv");
    Run run = program_run(NULL, "solve", "--json", "--trace", table, "--samples=21",
                          scene_path("double_pendulum.json"), NULL);
    assert_int_equal(run.status, 0);
    json_t *line = parse_line(run.out);
    size_t size;
    char *text = file_read(table, &size), *row = strchr(text, '\n');
    assert_int_equal(strncmp(text, "p,it,in,vt,vn,stored,mode\n", 26), 0);
    double x[6] = {0};
    int rows = 0;
    for (; row && row[1]; row = strchr(row + 1, '\n'), rows++) {
        assert_int_equal(sscanf(row + 1, "%lf,%lf,%lf,%lf,%lf,%lf,slip\n", &x[0], &x[1], &x[2],
                                &x[3], &x[4], &x[5]),
                         6);
        assert_true(x[0] == x[2] && x[5] >= 0);
        assert_true(fabs(x[1]) <= 0.4 * x[2] * (1 + 1e-15));
        if (rows == 0) {
            check_close(x[4], -1.285673, 1e-6);
        }
    }
    assert_int_equal(rows, 21);
    for (size_t k = 0; k < 2; k++) {
        check_close(x[1 + k], element(line, "impulse", k), 1e-15);          /* 0 */
        check_close(x[3 + k], element(line, "contact_velocity", k), 1e-15); /* 0 */
    }
    free(text);
    json_decref(line);
    run_free(&run);
    run = program_run(NULL, "solve", "--trace", table, scene_path("robot_foot.json"), NULL);
    assert_int_equal(run.status, 0);
    text = file_read(table, &size);
    assert_int_equal(strncmp(text, "p,ix,iy,iz,vx,vy,vz,stored,mode\n", 32), 0);
    free(text);
    run_free(&run);
}

static char *plot(const char *name, const char *kind) {
    const char *output = work_path("picture.svg");
    Run run =
        program_run(NULL, "plot", scene_path(name), "-o", output, "--kind", kind, (char *)NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    return file_read(output, &size);
}

static void test_plot(void **state) {
    (void)state;
    char *svg = plot("double_pendulum.json", "hodograph");
    check_contains(svg, "<title>contact velocity");
    check_contains(svg, "s: slip stops and reverses at (0, -0.2");
    check_contains(svg, "c: compression ends at (");
    assert_null(strstr(svg, "invariant"));
    free(svg);
    svg = plot("double_pendulum.json", "energy");
    check_contains(svg, "<title>lost to friction");
    check_contains(svg, "0.1464"); /* friction, in the description */
    free(svg);
    svg = plot("robot_foot.json", "hodograph");
    check_contains(svg, "centripetal invariant direction");
    free(svg);
    svg = plot("rail_striker.json", "hodograph");
    check_contains(svg, "<title>sliding velocity");
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_json_line),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_two_ways),
        cmocka_unit_test(test_locked_direction),
        cmocka_unit_test(test_guided_cue),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_plot),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
