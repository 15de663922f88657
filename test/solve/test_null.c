/* NULL in the place of each pointer of each public function, and counts beyond every limit: a
 * status and a message that names the argument, NaN, or nothing at all, but never a crash. */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/cli/program.h"

static const double W3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, W2[4] = {1, 0, 0, 1};
static const double v3[3] = {0.5, 0, -1}, v2[2] = {0.5, -1}, up[3] = {0, 0, 1};
static const double point[3] = {0, 0, 0}, down[3] = {0, 0, -9.81};
static const CaromContact contact = {.mu = 0.3, .e = 0.5};

#define REFUSED(call) assert_int_equal(call, CAROM_INVALID_INPUT)
/* The message, which the call gets as &message, names the argument. */
#define NAMED(name, call)                                                                          \
    do {                                                                                           \
        message = "";                                                                              \
        REFUSED(call);                                                                             \
        check_contains(message, name);                                                             \
        check_contains(message, "must not be NULL");                                               \
    } while (0)

static const char *message;

static CaromProblem good_problem(void) {
    return (CaromProblem){
        .contact_count = 1, .inverse_inertia = W3, .velocity = v3, .contacts = &contact};
}

static void test_solve(void **state) {
    (void)state;
    CaromProblem problem = good_problem();
    CaromTrace trace = {.capacity = 2};
    double impulse[3] = {1, 1, 1};
    CaromResult result = {.impulse = impulse};
    assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_OK);
    assert_int_equal(carom_trace(&problem, NULL, &trace, NULL), CAROM_OK);
    REFUSED(carom_solve(NULL, NULL, &result));
    assert_string_equal(result.message, "problem must not be NULL");
    REFUSED(carom_solve(&problem, NULL, NULL));
    REFUSED(carom_solve(NULL, NULL, NULL));
    REFUSED(carom_sequence_solve(NULL, NULL, NULL, &result));
    REFUSED(carom_sequence_solve(&problem, NULL, NULL, NULL));
    REFUSED(carom_trace(NULL, NULL, &trace, &result));
    REFUSED(carom_trace(&problem, NULL, NULL, &result));
    assert_string_equal(result.message, "trace must not be NULL");
    REFUSED(carom_trace(NULL, NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        CaromProblem part = problem;
        part.inverse_inertia = i == 0 ? NULL : W3;
        part.velocity = i == 1 ? NULL : v3;
        part.contacts = i == 2 ? NULL : &contact;
        REFUSED(carom_solve(&part, NULL, &result));
        check_contains(result.message, "must not be NULL");
        assert_true(isnan(impulse[2]));
        REFUSED(carom_sequence_solve(&part, NULL, NULL, &result));
        REFUSED(carom_trace(&part, NULL, &trace, NULL));
    }
    CaromOutcome outcomes[2] = {{.status = CAROM_OK}};
    carom_batch_solve(2, NULL, outcomes);
    assert_int_equal(outcomes[1].status, CAROM_INVALID_INPUT);
    assert_true(isnan(outcomes[1].impulse[0]));
    CaromCase one = {.W = {1, 0, 0, 1, 0, 1}, .v = {0.5, 0, -1}, .contact = {.mu = 0.3, .e = 0.5}};
    carom_batch_solve(1, &one, NULL);
}

static void test_direct_calls(void **state) {
    (void)state;
    CaromLaw law = CAROM_LAW_ENERGETIC;
    for (int i = 0; i < 4; i++) {
        CaromResult kept = {.message = "must not be NULL"}, *result = i < 3 ? &kept : NULL;
        const double *none = NULL;
        const CaromContact *given = i == 2 ? NULL : &contact;
        REFUSED(carom_rigid_solve(i == 0 ? none : W3, i == 1 ? none : v3, given, law, result));
        check_contains(kept.message, "must not be NULL");
        REFUSED(carom_planar_solve(i == 0 ? none : W2, i == 1 ? none : v2, given, law, result));
        check_contains(kept.message, "must not be NULL");
        REFUSED(carom_compliant_solve(i == 0 ? none : W3, i == 1 ? none : v3, given, result));
        check_contains(kept.message, "must not be NULL");
    }
    assert_string_equal(carom_planar_order(NULL), "");
}

static void test_bodies(void **state) {
    (void)state;
    CaromBody body = carom_body_default(), fixed = carom_body_fixed();
    body.velocity[2] = -1;
    for (int i = 0; i < 5; i++) {
        CaromResult result = {0};
        REFUSED(carom_bodies_collide(i == 0 ? NULL : &body, i == 1 ? NULL : &fixed,
                                     i == 2 ? NULL : point, i == 3 ? NULL : up,
                                     i == 4 ? NULL : &contact, &result));
        check_contains(result.message, "must not be NULL");
    }
    assert_true(body.velocity[2] == -1);
    CaromBody bodies[2] = {body, fixed};
    CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}};
    double frame[9], W[9];
    NAMED("site", carom_site_frame(NULL, frame, &message));
    assert_true(isnan(frame[4]));
    NAMED("frame", carom_site_frame(&site, NULL, &message));
    REFUSED(carom_bodies_contact_space(NULL, 2, &site, 1, W, NULL, &message));
    REFUSED(carom_bodies_contact_space(bodies, 2, NULL, 1, W, NULL, &message));
    assert_true(isnan(W[0]));
    assert_int_equal(carom_bodies_contact_space(bodies, 2, &site, 1, NULL, NULL, NULL), CAROM_OK);
    carom_bodies_apply(NULL, &site, 1, up);
    carom_bodies_apply(bodies, NULL, 1, up);
    carom_bodies_apply(bodies, &site, 1, NULL);
    assert_true(bodies[0].velocity[2] == -1);
    assert_true(isnan(carom_body_energy(NULL)));
    CaromMaterial material = {.mu = 0.5, .e = 0.5};
    for (int i = 0; i < 2; i++) {
        CaromContact pair = carom_material_combine(i ? NULL : &material, i ? &material : NULL,
                                                   CAROM_COMBINE_MIN, CAROM_COMBINE_MIN);
        assert_true(isnan(pair.mu) && isnan(pair.e));
    }
    const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    CaromMassProperties properties;
    NAMED("size", carom_solid_inertia(CAROM_SOLID_BALL, 1, NULL, frame, &message));
    assert_true(isnan(frame[0]));
    NAMED("inertia", carom_solid_inertia(CAROM_SOLID_BALL, 1, up + 2, NULL, &message));
    assert_int_equal(carom_mesh_properties(corners, 4, faces, 4, 1, &properties, NULL), CAROM_OK);
    NAMED("vertices", carom_mesh_properties(NULL, 4, faces, 4, 1, &properties, &message));
    NAMED("faces", carom_mesh_properties(corners, 4, NULL, 4, 1, &properties, &message));
    NAMED("properties", carom_mesh_properties(corners, 4, faces, 4, 1, NULL, &message));
}

static void test_system(void **state) {
    (void)state;
    const double M[4] = {2, 0, 0, 1}, J[6] = {1, 0, 0, 0, 0, 1};
    double work[4], R[6], W[9], v[3], u[2] = {0.5, -1};
    assert_int_equal(carom_system_responses(2, M, 3, J, work, R, NULL), CAROM_OK);
    NAMED("mass_matrix", carom_system_responses(2, NULL, 3, J, work, R, &message));
    assert_true(isnan(R[0]));
    NAMED("jacobian", carom_system_responses(2, M, 3, NULL, work, R, &message));
    NAMED("workspace", carom_system_responses(2, M, 3, J, NULL, R, &message));
    NAMED("responses", carom_system_responses(2, M, 3, J, work, NULL, &message));
    assert_int_equal(carom_system_responses(2, M, 3, J, work, R, NULL), CAROM_OK);
    assert_int_equal(carom_system_contact_space(2, 3, J, NULL, u, NULL, v, NULL), CAROM_OK);
    assert_int_equal(carom_system_contact_space(2, 3, J, R, NULL, W, NULL, NULL), CAROM_OK);
    NAMED("jacobian", carom_system_contact_space(2, 3, NULL, R, u, W, v, &message));
    NAMED("responses", carom_system_contact_space(2, 3, J, NULL, u, W, v, &message));
    NAMED("velocity", carom_system_contact_space(2, 3, J, R, NULL, W, v, &message));
    carom_system_apply(2, 3, NULL, v, u);
    carom_system_apply(2, 3, R, NULL, u);
    carom_system_apply(2, 3, R, v, NULL);
    assert_true(u[0] == 0.5 && u[1] == -1);
    assert_true(isnan(carom_system_energy(2, NULL, u)));
    assert_true(isnan(carom_system_energy(2, M, NULL)));
    CaromStrike strike = {
        .speed_count = 2, .contact_count = 1, .M = M, .J = J, .contacts = &contact};
    CaromResult result = {0};
    REFUSED(carom_strike_solve(NULL, u, NULL, &result));
    assert_string_equal(result.message, "strike must not be NULL");
    REFUSED(carom_strike_solve(&strike, NULL, NULL, &result));
    check_contains(result.message, "u must not be NULL");
    strike.J = NULL;
    REFUSED(carom_strike_solve(&strike, u, NULL, NULL));
    strike.J = J;
    strike.contacts = NULL;
    REFUSED(carom_strike_solve(&strike, u, NULL, NULL));
}

static void test_flight(void **state) {
    (void)state;
    CaromBody body = carom_body_default();
    CaromShape ball = carom_shape_ball(1), none = carom_shape_vertices(NULL, 8);
    CaromShape one = carom_shape_vertices(up, 1);
    CaromPlane plane = {.normal = {0, 0, 1}};
    CaromTouch touch;
    int list[1], vertex = 5;
    body.position[2] = 3;
    NAMED("body", carom_flight_advance(NULL, down, 1, &message));
    NAMED("gravity", carom_flight_advance(&body, NULL, 1, &message));
    NAMED("body", carom_flight_touch(NULL, down, &ball, &plane, 1, &touch, &message));
    assert_true(isnan(touch.time));
    NAMED("gravity", carom_flight_touch(&body, NULL, &ball, &plane, 1, &touch, &message));
    NAMED("shape", carom_flight_touch(&body, down, NULL, &plane, 1, &touch, &message));
    NAMED("plane", carom_flight_touch(&body, down, &ball, NULL, 1, &touch, &message));
    NAMED("touch", carom_flight_touch(&body, down, &ball, &plane, 1, NULL, &message));
    REFUSED(carom_flight_touch(&body, down, &none, &plane, 1, &touch, &message));
    assert_true(isnan(carom_shape_gap(NULL, &ball, &plane, &vertex)) && vertex == -1);
    assert_true(isnan(carom_shape_gap(&body, NULL, &plane, NULL)));
    assert_true(isnan(carom_shape_gap(&body, &ball, NULL, NULL)));
    assert_int_equal(carom_shape_touching(NULL, &one, &plane, 0, list), -1);
    assert_int_equal(carom_shape_touching(&body, NULL, &plane, 0, list), -1);
    assert_int_equal(carom_shape_touching(&body, &one, NULL, 0, list), -1);
    assert_int_equal(carom_shape_touching(&body, &one, &plane, 0, NULL), -1);
    CaromTable table = {.radius = 1, .mu_slide = 0.2, .mu_roll = 0.01, .gravity = 9.81};
    CaromRollingState start = {.velocity = {1, 0, 0}}, now;
    CaromRollingPath path;
    assert_int_equal(carom_rolling_path(&table, &start, &path, NULL), CAROM_OK);
    NAMED("path", carom_rolling_at(NULL, 1, &now, NULL, &message));
    assert_true(isnan(now.position[0]));
    NAMED("state", carom_rolling_at(&path, 1, NULL, NULL, &message));
    NAMED("table", carom_rolling_path(NULL, &start, &path, &message));
    assert_true(isnan(path.begin[0]));
    NAMED("start", carom_rolling_path(&table, NULL, &path, &message));
    NAMED("path", carom_rolling_path(&table, &start, NULL, &message));
}

static void test_lasting(void **state) {
    (void)state;
    const double corner[3] = {0, 0, 0.5};
    CaromPlane plane = {.normal = {0, 0, 1}};
    CaromBody body = carom_body_default();
    CaromLasting lasting = {.shape = carom_shape_vertices(corner, 1), .plane_count = 1, .speed = 1};
    CaromLastingRun run;
    assert_int_equal(carom_lasting_workspace(NULL), 0);
    NAMED("body", carom_lasting_advance(NULL, &lasting, 1, NULL, NULL, NULL, &run, &message));
    NAMED("lasting", carom_lasting_advance(&body, NULL, 1, NULL, NULL, NULL, &run, &message));
    NAMED("planes", carom_lasting_advance(&body, &lasting, 1, NULL, NULL, NULL, &run, &message));
    lasting.planes = &plane;
    REFUSED(carom_lasting_advance(&body, &lasting, 1, NULL, NULL, NULL, NULL, NULL));
}

static void test_slip(void **state) {
    (void)state;
    CaromInvariant invariants[4];
    int count = 7;
    double r = 1;
    REFUSED(carom_invariant_directions(NULL, 0.3, invariants, &count, &message));
    check_contains(message, "not NULL");
    assert_int_equal(count, 0);
    NAMED("invariants", carom_invariant_directions(W3, 0.3, NULL, &count, &message));
    NAMED("count", carom_invariant_directions(W3, 0.3, invariants, NULL, &message));
    REFUSED(carom_hodograph_speed(NULL, 0.3, v2, 1, &r, &message));
    check_contains(message, "not NULL");
    assert_true(isnan(r));
    NAMED("gamma", carom_hodograph_speed(W3, 0.3, NULL, 1, &r, &message));
    NAMED("r", carom_hodograph_speed(W3, 0.3, v2, 1, NULL, &message));
    assert_true(isnan(carom_stick_ratio(NULL)));
    assert_true(isnan(carom_solvability_margin(NULL, 0.3)));
    assert_true(isnan(carom_compression_bound(NULL, v3, 0.3)));
    assert_true(isnan(carom_compression_bound(W3, NULL, 0.3)));
}

/* Sizes grow with the counts and never wrap; beyond the limit they are 0, and solvers refuse. */
static void test_counts(void **state) {
    (void)state;
    int most = (int)CAROM_CONTACTS_MAX;
    assert_true(carom_workspace_size(most) > 9.0 * sizeof(double) * most * most);
    assert_true(carom_strike_workspace(3 * most, most) > 9.0 * most * most);
    static const int beyond[] = {INT_MIN, -1, 0, INT_MAX / 3 + 1, INT_MAX / 2, INT_MAX};
    size_t last = 0;
    for (int n = 1; n <= most; n += 1 + n / 7) {
        assert_true(carom_workspace_size(n) > last);
        last = carom_workspace_size(n);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        CaromProblem problem = good_problem();
        double impulse[3] = {1, 2, 3};
        CaromResult result = {.impulse = impulse};
        problem.contact_count = beyond[i];
        assert_int_equal(carom_workspace_size(beyond[i]), 0);
        assert_int_equal(carom_strike_workspace(1, beyond[i]), 0);
        assert_int_equal(carom_strike_workspace(beyond[i], 1), 0);
        REFUSED(carom_solve(&problem, NULL, &result));
        check_contains(result.message, "contacts: there must be at ");
        assert_true(impulse[2] == 3); /* how many there are is not known */
        REFUSED(carom_sequence_solve(&problem, NULL, NULL, &result));
        CaromStrike strike = {
            .speed_count = 3, .contact_count = beyond[i], .R = W3, .J = W3, .contacts = &contact};
        REFUSED(carom_strike_solve(&strike, impulse, NULL, &result));
        strike.contact_count = 1;
        strike.speed_count = beyond[i];
        REFUSED(carom_strike_solve(&strike, impulse, NULL, &result));
    }
}

/* Derivatives: calls without a message refuse, void calls do nothing. */
static void test_derivatives(void **state) {
    (void)state;
    CaromProblem problem = good_problem(), empty = good_problem();
    double numbers[64] = {0}, impulse_by[9], velocity_by[9];
    CaromDerivative derivative = {.impulse = NULL};
    CaromResult result = {.impulse = NULL};
    CaromSmoothness smooth;
    CaromLaw law = CAROM_LAW_ENERGETIC;
    empty.contacts = NULL;
    REFUSED(carom_differentiate(NULL, NULL, NULL, &derivative));
    REFUSED(carom_differentiate(&problem, NULL, NULL, NULL));
    REFUSED(carom_differentiate(&empty, NULL, NULL, &derivative));
    check_contains(derivative.message, "must not be NULL");
    REFUSED(carom_differentiate_reverse(NULL, NULL, NULL, NULL, NULL, NULL, numbers));
    REFUSED(carom_differentiate_reverse(&problem, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(carom_differentiate_reverse(&empty, NULL, NULL, NULL, NULL, NULL, numbers));
    for (int i = 0; i < 6; i++) {
        REFUSED(carom_rigid_velocity_derivative(i == 0 ? NULL : W3, i == 1 ? NULL : v3,
                                                i == 2 ? NULL : &contact, law,
                                                i == 3 ? NULL : &result, i == 4 ? NULL : impulse_by,
                                                i == 5 ? NULL : velocity_by, &smooth));
    }
    carom_batch_differentiate(1, NULL, NULL, NULL);
    assert_int_equal(carom_input_W(NULL, 0, 0), -1);
    assert_int_equal(carom_input_coefficient(NULL, 0, CAROM_COEFFICIENT_MU), -1);
    CaromBody body = carom_body_default(), fixed = carom_body_fixed();
    CaromBody pair[2] = {body, fixed};
    CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}};
    CaromBodyWeight weights[2] = {{{0}, {0}}, {{0}, {0}}};
    CaromBallTouch touch;
    CaromPlane plane = {.normal = {0, 0, 1}};
    NAMED("weights", carom_bodies_weigh(pair, 2, &site, 1, NULL, numbers, &message));
    NAMED("impulse_weight", carom_bodies_weigh(pair, 2, &site, 1, weights, NULL, &message));
    REFUSED(carom_bodies_weigh(NULL, 2, &site, 1, weights, numbers, &message));
    REFUSED(carom_bodies_weigh(pair, 2, NULL, 1, weights, numbers, &message));
    NAMED("impulse",
          carom_bodies_gradient(pair, 2, &site, 1, NULL, weights, numbers, NULL, NULL, &message));
    REFUSED(
        carom_bodies_gradient(NULL, 2, &site, 1, numbers, weights, numbers, NULL, NULL, &message));
    carom_system_weigh(1, 1, NULL, NULL, NULL);
    carom_system_gradient(1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    NAMED("first", carom_balls_touch(NULL, &body, 1, &touch, &message));
    NAMED("touch", carom_balls_touch(&body, &body, 1, NULL, &message));
    REFUSED(carom_ball_touch_plane(NULL, v3, 1, &plane, &touch, &message));
    REFUSED(carom_ball_touch_plane(&body, v3, 1, NULL, &touch, &message));
    NAMED("touch", carom_ball_touch_plane(&body, v3, 1, &plane, NULL, &message));
    CaromTouch found;
    CaromShape shape = carom_shape_ball(1);
    double motion[CAROM_MOTION * CAROM_MOTION];
    REFUSED(carom_flight_jacobian(NULL, v3, 1, motion, &message));
    NAMED("jacobian", carom_flight_jacobian(&body, v3, 1, NULL, &message));
    REFUSED(carom_touch_gradient(NULL, v3, &shape, &plane, 1, &found, motion, NULL, &message));
    NAMED("touch",
          carom_touch_gradient(&body, v3, &shape, &plane, 1, NULL, motion, NULL, &message));
}

/* The names after CAROM_API in a header are in this file. */
static void check_header(const char *path, const char *tests) {
    size_t size;
    char *text = file_read(path, &size), name[80];
    for (char *at = text; (at = strstr(at, "\nCAROM_API ")); at++) {
        char *begin = strstr(at, "carom_"), *end = begin + strcspn(begin, "(");
        snprintf(name, sizeof name, "%.*s(", (int)(end - begin), begin);
        bool no_pointer =
            strstr("carom_version( carom_status_string( carom_event_string( "
                   "carom_contact_default( carom_options_default( carom_combine( "
                   "carom_stiffness_ratio( carom_solid_string( carom_solid_dimensions( "
                   "carom_inputs( carom_kink_string( carom_derivative_workspace(",
                   name) != NULL;
        if (!no_pointer && !strstr(tests, name)) {
            fail_msg("%s: %s) is not tested with NULL", path, name);
        }
    }
    free(text);
}

static void test_world(void **state) {
    (void)state;
    CaromWorld *world = NULL;
    CaromWorldBody ball = {.body = carom_body_default(), .shape = carom_shape_ball(1)};
    CaromSurface surface = {.contact = contact};
    CaromWorldSetup setup = {.bodies = &ball,
                             .body_count = 1,
                             .surfaces = &surface,
                             .material_count = 1},
                    bad;
    CaromMotion motion;
    CaromBody body;
    CaromCue cue = {.mass = 1, .velocity = {1, 0, 0}, .offset = {-1, 0, 0}, .contact = contact};
    CaromWorldRun run = {.time = 1};
    double energy;
    assert_int_equal(carom_world_size(NULL), 0);
    bad = setup;
    bad.bodies = NULL;
    assert_int_equal(carom_world_size(&bad), 0);
    bad = setup;
    bad.plane_count = 1;
    REFUSED(carom_world_create(&bad, NULL, &world, NULL));
    REFUSED(carom_world_create(NULL, NULL, &world, NULL));
    NAMED("world", carom_world_create(&setup, NULL, NULL, &message));
    assert_int_equal(carom_world_create(&setup, NULL, &world, NULL), CAROM_OK);
    NAMED("world", carom_world_motion(NULL, 0, &motion, &message));
    NAMED("motion", carom_world_motion(world, 0, NULL, &message));
    REFUSED(carom_world_motion(world, INT_MAX, &motion, NULL));
    NAMED("world", carom_world_body(NULL, 0, &body, &message));
    NAMED("state", carom_world_body(world, 0, NULL, &message));
    REFUSED(carom_world_body(world, INT_MAX, &body, NULL));
    carom_motion_advance(NULL, 1);
    assert_true(isnan(carom_world_time(NULL)));
    carom_world_energy(NULL, &energy, NULL);
    assert_true(isnan(energy));
    carom_world_energy(world, NULL, &energy);
    REFUSED(carom_world_run(NULL, &run));
    REFUSED(carom_world_run(world, NULL));
    REFUSED(carom_world_shoot(NULL, 0, &cue, &run));
    REFUSED(carom_world_shoot(world, 0, NULL, &run));
    REFUSED(carom_world_shoot(world, INT_MIN, &cue, &run));
    REFUSED(carom_world_shoot(world, 0, &cue, NULL));
    assert_int_equal(carom_world_shoot(world, 0, &cue, &run), CAROM_OK);
    assert_string_equal(carom_phase_string((CaromPhase)-1), "unknown_phase");
    assert_string_equal(carom_world_event_string((CaromWorldEventKind)99), "unknown_event");
    assert_string_equal(carom_world_end_string((CaromWorldEnd)99), "unknown_end");
    carom_world_destroy(world);
    carom_world_destroy(NULL);
}

static void test_every_function_is_here(void **state) {
    (void)state;
    const char *directory = CAROM_SOURCE_DIR "/include/carom";
    size_t size;
    char *tests = file_read(CAROM_SOURCE_DIR "/test/solve/test_null.c", &size), path[512];
    DIR *headers = opendir(directory);
    int count = 0;
    assert_non_null(headers);
    for (struct dirent *entry; (entry = readdir(headers));) {
        if (strstr(entry->d_name, ".h")) {
            snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            check_header(path, tests);
            count++;
        }
    }
    assert_true(count > 15);
    closedir(headers);
    free(tests);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_direct_calls),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_lasting),
        cmocka_unit_test(test_slip),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_world),
        cmocka_unit_test(test_every_function_is_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
