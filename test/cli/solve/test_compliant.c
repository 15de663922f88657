/* The compliant model in the program: solve, batch, trace and plot of one contact.
 *
 * Oracles: the library called directly, to the last bit; numbers printed by Jia, section 8, and
 * their corrections (docs/errata.md); the three ways to say a scene against each other. */
#include <carom/carom.h>
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/scene_text.h"

#define COMPLIANT(mechanics, speed, contact)                                                       \
    "{\"carom\":1,\"model\":\"compliant\"," mechanics "," speed ",\"contacts\":[{" contact "}]}"
#define COMPLIANT_GOOD COMPLIANT(MECHANICS, SPEED, "\"mu\":0.3,\"e\":0.6,\"stiffness_ratio\":2")

static const double good_W[9] = MECHANICS_W;
static const double good_v[3] = SPEED_V;

static json_t *solve(const char *first, const char *second, const char *third, const char *path) {
    return run_line(program_run(NULL, "solve", "--json", path, first, second, third, NULL));
}

/* Every number is the library's; no invariant directions, but the energy of the spring. */
static void test_json_line(void **state) {
    (void)state;
    CaromContact contact = carom_contact_default();
    contact.mu = 0.3;
    contact.e = 0.6;
    contact.stiffness_ratio = 2;
    double impulse[3], velocity[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result = {.impulse = impulse,
                          .velocity = velocity,
                          .events = events,
                          .event_capacity = CAROM_RIGID_EVENTS};
    assert_int_equal(carom_compliant_solve(good_W, good_v, &contact, &result), CAROM_OK);
    json_t *line = solve_file(work_text("compliant.json", COMPLIANT_GOOD));
    check_keys(line, "status model impulse contact_velocity sequence events energy "
                     "error_estimate work ");
    assert_string_equal(text_at(line, "model"), "compliant");
    check_array(json_object_get(line, "impulse"), impulse, 3, 0);
    check_array(json_object_get(line, "contact_velocity"), velocity, 3, 0);
    assert_string_equal(text_at(line, "sequence"), result.sequence);
    const json_t *list = json_object_get(line, "events");
    assert_int_equal(json_array_size(list), result.event_count);
    assert_true(result.event_count >= 3);
    for (int i = 0; i < result.event_count; i++) {
        const json_t *event = json_array_get(list, (size_t)i);
        check_keys(event, "event contact normal_impulse impulse velocity stored tangential ");
        assert_string_equal(text_at(event, "event"), carom_event_string(events[i].kind));
        check_close(number_at(event, "stored"), events[i].stored, 0);
        check_close(number_at(event, "tangential"), events[i].tangential, 0);
    }
    const json_t *energy = json_object_get(line, "energy");
    check_keys(energy, "change stored released normal_loss friction_loss left residual "
                       "tangential ");
    check_close(number_at(energy, "tangential"), result.energy.tangential, 0);
    assert_true(result.energy.tangential > 0);
    json_decref(line);
}

/* Where the ball of section 8.1 goes, by physics and by the printed numbers. */
static void test_ball_scenes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double Vx, omega_y, Vz, change; /* exact model */
        const char *sequence;
    } scenes[] = {
        {"ball_spin.json", 0.544090155, -1.8602254, 2.5, -9.8348946, "scr"},
        {"ball_plastic.json", 0.554538947, -1.8863474, 0, -12.934582, "scr"},
        {"ball_elastic.json", -0.08974388, -0.2756403, 5, -1.2807771, "scr"},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        json_t *line = solve_file(scene_path(scenes[i].name));
        const json_t *ball = json_array_get(json_object_get(line, "bodies"), 0);
        const json_t *energy = json_object_get(line, "energy");
        check_close(element(ball, "velocity", 0), scenes[i].Vx, 1e-8); /* 4.6e-9 */
        check_close(element(ball, "velocity", 1), 0, 0);
        check_close(element(ball, "velocity", 2), scenes[i].Vz, 1e-14);             /* 0 */
        check_close(element(ball, "angular_velocity", 1), scenes[i].omega_y, 1e-7); /* 4.6e-8 */
        check_close(number_at(energy, "before"), 13.8, 1e-14); /* 13.4 is printed */
        check_close(number_at(energy, "change"), scenes[i].change, 1e-6);
        /* held as compression ends, the same for all three: compression does not know e */
        check_close(number_at(energy, "tangential"), 0.3631534, 1e-7); /* 1.3e-8 */
        assert_string_equal(text_at(line, "sequence"), scenes[i].sequence);
        json_decref(line);
    }
    json_t *line =
        solve("--method=euler", "--as-printed", "--step=5e-5", scene_path("ball_spin.json"));
    const json_t *ball = json_array_get(json_object_get(line, "bodies"), 0);
    check_close(element(ball, "velocity", 0), 0.570982, 5e-7); /* printed; 4.1e-7 */
    assert_true(json_is_null(json_object_get(line, "error_estimate")));
    check_close(number_at(line, "work"), 150003, 0);
    json_decref(line);
    line = solve("--method=euler", NULL, NULL, scene_path("ball_spin.json"));
    ball = json_array_get(json_object_get(line, "bodies"), 0);
    check_close(element(ball, "velocity", 0), 0.544090155, 2e-6); /* 1.4e-6 */
    json_decref(line);
}

/* A superball comes back where a rigid one goes on, and turns the other way. */
static void test_superball(void **state) {
    (void)state;
    size_t size;
    char *text = file_read(scene_path("superball.json"), &size),
         *model = strstr(text, "compliant\",");
    json_t *line = solve_file(scene_path("superball.json"));
    const json_t *ball = json_array_get(json_object_get(line, "bodies"), 0);
    assert_true(element(ball, "velocity", 0) < -0.5);
    assert_true(element(ball, "angular_velocity", 1) > 100);
    json_decref(line);
    assert_non_null(model);
    memcpy(model, "rigid\",    ", 11); /* with the quote and the comma that follow the word */
    line = solve_file(work_text("rigid_ball.json", text));
    ball = json_array_get(json_object_get(line, "bodies"), 0);
    assert_true(element(ball, "velocity", 0) > 0.3);
    assert_true(element(ball, "angular_velocity", 1) > 0);
    json_decref(line);
    free(text);
}

/* Section 8.2. The printed start (its third component, 0, stands for the tangential velocity only);
 * the model's impulse with the exact moments of inertia. */
static void test_pencil(void **state) {
    (void)state;
    check_output(program_run(NULL, "solve", scene_path("pencil.json"), NULL),
                 "Velocity before      -3.501136     -1.914474     -2.978618");
    json_t *line = solve_file(scene_path("pencil.json"));
    static const double I[3] = {4.0374836, 0.3307366, 5.7898914};
    check_array(json_object_get(line, "impulse"), I, 3, 1e-6);
    assert_string_equal(text_at(line, "sequence"), "scr");
    /* the scheme goes there; 1e-5 of -v_n/W_nn as step */
    json_t *euler = solve("--method=euler", NULL, NULL, scene_path("pencil.json"));
    check_array(json_object_get(euler, "impulse"), I, 3, 2e-4);
    json_decref(euler);
    json_decref(line);
    /* the same pencil with the published moment of inertia, (85), in contact space */
    static const double I85[3] = {4.0749825, 0.4076555, 5.7595040};
    line = solve_file(
        work_text("pencil85.json",
                  COMPLIANT("\"inverse_inertia\":[[3.8066087763489325,0,-1.6203963325350228],"
                            "[0,4.7421450351319105,0],[-1.6203963325350228,0,1.935536258782978]]",
                            "\"contact_velocity\":[-3.5011355962206423,-1.9144736842105263,"
                            "-2.978618421052632]",
                            "\"mu\":0.8,\"e\":0.5")));
    check_array(json_object_get(line, "impulse"), I85, 3, 1e-7); /* 7.5e-9 */
    json_decref(line);
}

/* Bodies, contact space and a system with the same mechanics: the same answer. A planar system has
 * two of the three numbers. */
static void test_three_ways(void **state) {
    (void)state;
    json_t *bodies = solve_file(scene_path("ball_spin.json"));
    json_t *space = solve_file(work_text(
        "space.json", COMPLIANT("\"inverse_inertia\":[[3.5,0,0],[0,3.5,0],[0,0,1]]",
                                "\"contact_velocity\":[-3,0,-5]", "\"mu\":0.4,\"e\":0.5")));
#define BALL_SYSTEM(jacobian)                                                                      \
    "{\"carom\":1,\"model\":\"compliant\",\"system\":{\"mass_matrix\":[[1,0,0],[0,1,0],"           \
    "[0,0,0.4]],\"velocity\":[-1,-5,2]},\"contacts\":[{\"mu\":0.4,\"e\":0.5,\"jacobian\":"         \
    "[" jacobian "]}]}"
    json_t *system = solve_file(work_text("system.json", BALL_SYSTEM("[1,0,-1],[0,0,0],[0,1,0]")));
    json_t *planar = solve_file(work_text("planar.json", BALL_SYSTEM("[1,0,-1],[0,1,0]")));
    for (size_t k = 0; k < 3; k++) {
        double I = element(bodies, "impulse", k);
        check_close(element(space, "impulse", k), I, 1e-14); /* 4.4e-16 */
        check_close(element(system, "impulse", k), I, 1e-14);
        if (k != 1) {
            check_close(element(planar, "impulse", k / 2), I, 1e-14);
        }
    }
    check_close(element(planar, "velocity", 0), 0.544090155, 1e-8);
    assert_int_equal(json_array_size(json_object_get(planar, "impulse")), 2);
    json_decref(bodies);
    json_decref(space);
    json_decref(system);
    json_decref(planar);
}

static void test_text(void **state) {
    (void)state;
    Run run = program_run(NULL, "solve", scene_path("ball_spin.json"), NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "compliant, energetic restitution, method exact");
    check_contains(run.out, "mu = 0.4, e = 0.5, stiffness ratio 1.21429; ball hits table");
    check_contains(run.out, "p = 0            slips from the start");
    check_contains(run.out, "p = 0.625        slip stops: the contact sticks");
    check_contains(run.out, "energy 12.5 stored and 0.363153 along the surface");
    check_contains(run.out, "p = 7.36558      stick ends: the contact slips");
    check_contains(run.out, "held as compression ended        0.3631534     2.63 %");
    check_contains(run.out, "comes back with                  0.8014385 of the speed before");
    assert_null(strstr(run.out, "|B^-1 d|"));
    run_free(&run);
    run = program_run(NULL, "solve", "--method=euler", "--as-printed", scene_path("ball_spin.json"),
                      NULL);
    check_contains(run.out, "method euler as printed");
    check_contains(run.out, "does not estimate its error");
    run_free(&run);
    run = program_run(COMPLIANT(MECHANICS, "\"contact_velocity\":[0.01,0,-1]", "\"mu\":1,\"e\":1"),
                      "solve", "-", NULL);
    check_contains(run.out, "sticks from the start");
    run_free(&run);
    run = program_run(COMPLIANT(MECHANICS, SPEED, "\"mu\":0,\"e\":1"), "solve", "-", NULL);
    check_contains(run.out, "slips from the start, without friction");
    check_contains(run.out, "goes on with");
    run_free(&run);
}

/* A stiff surface sticks and slips often: all events are there, and the text lists some of them.
 * The scheme has some more than the exact process, where sliding is slower than a step can see. */
static void test_many_events(void **state) {
    (void)state;
    const char *path = work_text(
        "stiff.json", COMPLIANT(MECHANICS, SPEED, "\"mu\":0.9,\"e\":0.8,\"stiffness_ratio\":1e-4"));
    json_t *line = solve("--method=euler", NULL, NULL, path);
    const json_t *events = json_object_get(line, "events");
    size_t count = json_array_size(events);
    assert_true(count > 30);
    double last = 0;
    for (size_t i = 0; i < count; i++) {
        double p = number_at(json_array_get(events, i), "normal_impulse");
        assert_true(p >= last);
        last = p;
    }
    assert_string_equal(text_at(json_array_get(events, count - 1), "event"), "restitution_end");
    check_close(last, element(line, "impulse", 2), 0);
    assert_int_equal(strlen(text_at(line, "sequence")), CAROM_SEQUENCE_SIZE - 1);
    json_decref(line);
    Run run = program_run(NULL, "solve", "--method=euler", path, NULL);
    char part[64];
    snprintf(part, sizeof part, "\n  ... %zu more events (all of them with --json) ...\n",
             count - 30);
    check_contains(run.out, part);
    check_contains(run.out, "the bodies separate");
    run_free(&run);
}

static const Refusal refusals[] = {
    {"{\"carom\":1,\"model\":\"compliant\",\"restitution\":\"newton\"," MECHANICS "," SPEED
     "," SURFACE "}",
     "restitution: the compliant model takes the energetic law only"},
    {COMPLIANT(MECHANICS, SPEED, "\"mu\":0.3,\"e\":0.6,\"mu_static\":0.4"),
     "contacts[0].mu_static: must be the same as mu: the compliant model has one coefficient, got "
     "0.4"},
    {COMPLIANT(MECHANICS, SPEED, "\"mu\":0.3,\"e\":0.6,\"stiffness_ratio\":0"),
     "contacts[0].stiffness_ratio: must be a number > 0, got 0"},
    {COMPLIANT("\"inverse_inertia\":[[1,0,2],[0,1,0],[2,0,1]]", SPEED, "\"mu\":0.3,\"e\":0.6"),
     "inverse_inertia is not positive semidefinite"},
};

static void test_refusals(void **state) {
    (void)state;
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
    const char *good = work_text("compliant.json", COMPLIANT_GOOD);
    check_error(program_run(NULL, "solve", "--method=vs", good, NULL), 2,
                "method: ni, fs and vs belong to the rigid model");
    check_error(program_run(GOOD, "solve", "--method=euler", "-", NULL), 2,
                "method: euler belongs to the compliant model");
    check_error(program_run(NULL, "solve", "--method=euler", "--step=1e-9", good, NULL), 1,
                "not_converged: step: the scheme did not end within");
}

/* Two energies that start and end at nothing; the bodies' and the springs' never add up to more
 * than at the start. */
static void test_trace(void **state) {
    (void)state;
    static const char *const scenes[] = {"ball_spin.json", "pencil.json"};
    for (int i = 0; i < 2; i++) {
        const char *table = work_path("trace.csv");
        Run run =
            program_run(NULL, "solve", "--json", "--trace", table, scene_path(scenes[i]), NULL);
        assert_int_equal(run.status, 0);
        json_t *line = parse_line(run.out);
        size_t size;
        char *text = file_read(table, &size), *row = strchr(text, '\n');
        assert_int_equal(strncmp(text, "p,ix,iy,iz,vx,vy,vz,stored,mode,tangential,", 43), 0);
        check_contains(text, ",tangential,spring_x,spring_y,rate_x,rate_y\n");
        double x[8], held = 0, first[3] = {0}, total = 0, most = 0;
        char mode[8] = "";
        int rows = 0, sticks = 0;
        for (; row && row[1]; row = strchr(row + 1, '\n'), rows++) {
            assert_int_equal(sscanf(row + 1, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%7[a-z],%lf\n", &x[0],
                                    &x[1], &x[2], &x[3], &x[4], &x[5], &x[6], &x[7], mode, &held),
                             10);
            if (rows == 0) {
                memcpy(first, &x[4], sizeof first);
                check_close(x[7] + held, 0, 1e-15); /* 2e-19 */
                assert_string_equal(mode, "slip");
            }
            double given = x[7] + held;
            for (int k = 0; k < 3; k++) {
                given += x[1 + k] * (first[k] + x[4 + k]) / 2;
            }
            assert_true(given <= total + 1e-13); /* the energy that is left only falls */
            total = given;
            most = fmax(most, held);
            sticks += strcmp(mode, "stick") == 0;
        }
        assert_int_equal(rows, 201);
        assert_true(sticks > 100 && sticks < 200);
        assert_true(most > number_at(json_object_get(line, "energy"), "tangential"));
        check_close(x[7] + held, 0, 1e-17);
        check_close(total, number_at(json_object_get(line, "energy"), "change"), 1e-13);
        free(text);
        json_decref(line);
        run_free(&run);
    }
}

#define HEADER "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e,model,stiffness_ratio,restitution,mu_static\n"
#define ROW "3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6,"

/* Append a number with the fewest digits that give it back, and a comma. */
static void put_shortest(char *text, size_t size, double x) {
    size_t used = strlen(text);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text + used, size - used, "%.*g,", digits, x);
        if (strtod(text + used, NULL) == x) {
            return;
        }
    }
}

/* Rows of both models side by side; a compliant one that the model does not take says why. */
static void test_batch(void **state) {
    (void)state;
    CaromContact contact = carom_contact_default();
    contact.mu = 0.3;
    contact.e = 0.6;
    char expected[1024] = "ix,iy,iz,vx,vy,vz,sequence,status\n";
    static const double ratios[] = {17.0 / 14, 2};
    const double *W = good_W;
    for (int i = 0; i < 2; i++) {
        double I[3], v[3];
        CaromResult result = {.impulse = I, .velocity = v};
        contact.stiffness_ratio = ratios[i];
        CaromCase one = {.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                         .v = {good_v[0], good_v[1], good_v[2]},
                         .contact = contact,
                         .model = CAROM_MODEL_COMPLIANT};
        CaromOutcome outcome;
        carom_batch_solve(1, &one, &outcome);
        assert_int_equal(carom_compliant_solve(good_W, good_v, &contact, &result), CAROM_OK);
        assert_string_equal(outcome.sequence, result.sequence);
        for (int j = 0; j < 6; j++) {
            double x = j < 3 ? outcome.impulse[j] : outcome.velocity[j - 3];
            check_close(x, j < 3 ? I[j] : v[j - 3], 1e-12); /* 5e-14 */
            put_shortest(expected, sizeof expected, x);
        }
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s,ok\n", result.sequence);
    }
    Run run =
        program_run(HEADER ROW "compliant,,,\n" ROW "compliant,2,energetic,0.3\n", "batch", NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, expected);
    run_free(&run);
    static const char *const bad[][2] = {
        {HEADER ROW "compliant,,poisson,\n",
         "restitution: the compliant model takes the energetic law only"},
        {HEADER ROW "compliant,,,0.4\n", "mu_static: must equal mu in the compliant model"}};
    for (int i = 0; i < 2; i++) {
        run = program_run(bad[i][0], "batch", NULL);
        assert_int_equal(run.status, 1);
        check_contains(run.out, "nan,nan,nan,nan,nan,nan,,invalid_input\n");
        check_contains(run.err, bad[i][1]);
        run_free(&run);
    }
}

/* Every scene that comes with the project is solved, whatever its model. */
static void test_all_scenes(void **state) {
    (void)state;
    DIR *folder = opendir(scene_path(""));
    assert_non_null(folder);
    int solved = 0, compliant = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0) {
            continue;
        }
        json_t *line = solve_file(scene_path(entry->d_name));
        const json_t *energy = json_object_get(line, "energy");
        double scale = number_at(energy, "stored") + number_at(energy, "friction_loss");
        check_close(number_at(energy, "residual"), 0, 1e-13 * scale);
        compliant += strcmp(text_at(line, "model"), "compliant") == 0;
        solved++;
        json_decref(line);
    }
    closedir(folder);
    assert_true(solved >= 17 && compliant >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_line),   cmocka_unit_test(test_ball_scenes),
        cmocka_unit_test(test_superball),   cmocka_unit_test(test_pencil),
        cmocka_unit_test(test_three_ways),  cmocka_unit_test(test_text),
        cmocka_unit_test(test_many_events), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_trace),       cmocka_unit_test(test_batch),
        cmocka_unit_test(test_all_scenes),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
