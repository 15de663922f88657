/* carom solve --json --sensitivity of the scenes that come with the project: the fields of the
 * contract in every scene, and the derivatives against differences of the program's own answers for
 * each kind of mechanics and model. */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

/* All numbers under a key, those of nested arrays and objects included; returns how many. */
static int collect(const json_t *value, double *numbers, int room) {
    int count = 0;
    if (json_is_number(value) && room > 0) {
        numbers[count++] = json_number_value(value);
    } else if (json_is_null(value) && room > 0) {
        numbers[count++] = NAN;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        count += collect(json_array_get(value, i), numbers + count, room - count);
    }
    const json_t *velocity = json_object_get(value, "velocity");
    count += velocity ? collect(velocity, numbers + count, room - count) : 0;
    const json_t *turning = json_object_get(value, "angular_velocity");
    return count + (turning ? collect(turning, numbers + count, room - count) : 0);
}

enum { MOST = 4000 };

/* The outcome as a vector: impulse, contact velocities, speeds or bodies. */
static int flatten(const json_t *line, double numbers[MOST]) {
    static const char *const keys[] = {"impulse", "contact_velocity", "velocity", "bodies"};
    int count = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(line, keys[i]);
        count += value ? collect(value, numbers + count, MOST - count) : 0;
    }
    return count;
}

static int is_one_of(const char *word, const char *words) {
    char spaced[64];
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(words, spaced) != NULL;
}

static void check_kink(const json_t *line) {
    const json_t *kink = json_object_get(line, "kink");
    if (kink) {
        assert_true(number_at(kink, "distance") >= 0);
        assert_true(is_one_of(text_at(kink, "event"),
                              " slip_stops stick_holds restart start order direction touch "));
        assert_true(json_is_integer(json_object_get(kink, "contact")));
    }
}

/* The fields of one scene; returns whether it has all derivatives. */
static int check_scene(const char *name) {
    static double after[MOST], by[MOST];
    json_t *line =
        run_line(program_run(NULL, "solve", "--json", "--sensitivity", scene_path(name), NULL));
    const json_t *rows = json_object_get(line, "derivatives");
    const char *status = text_at(line, "derivative_status");
    assert_true(is_one_of(status, " ok one_sided jump none "));
    assert_true(json_array_size(rows) > 0);
    check_kink(line);
    int size = flatten(line, after), complete = 1;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        assert_true(text_at(row, "by")[0] != '\0');
        assert_int_equal(flatten(row, by), size);
        for (int k = 0; k < size; k++) {
            complete = complete && !isnan(by[k]);
        }
    }
    if (!complete && strcmp(status, "none") != 0) {
        fail_msg("%s: a derivative is missing, but the status is %s", name, status);
    }
    if (!complete) {
        assert_true(text_at(line, "derivative_message")[0] != '\0');
    }
    json_decref(line);
    return complete;
}

static void test_fields_of_all_scenes(void **state) {
    (void)state;
    DIR *folder = opendir(scene_path(""));
    int count = 0, complete = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".json") == 0) {
            complete += check_scene(entry->d_name);
            count++;
        }
    }
    closedir(folder);
    print_message("%d scenes, %d with all derivatives\n", count, complete);
    assert_true(count > 30);
    assert_true(complete >= 13); /* as measured */
}

/* The outcome with one number of a scene's file changed; returns its size. */
static int solve_at(const char *file, const char *path, double value, double numbers[MOST]) {
    char range[160];
    snprintf(range, sizeof range, "--vary=%s=%.17g:%.17g:2", path, value,
             value + 1e-9 * (1 + fabs(value)));
    Run run = program_run(NULL, "solve", "--json", range, file, NULL);
    assert_int_equal(run.status, 0);
    *strchr(run.out, '\n') = '\0';
    json_t *line = parse_line(run.out);
    int size = flatten(line, numbers);
    json_decref(line);
    run_free(&run);
    return size;
}

static void check_path(const char *file, const char *path) {
    static double given[MOST], at[4][MOST];
    char option[160];
    snprintf(option, sizeof option, "--sensitivity=%s", path);
    json_t *line = run_line(program_run(NULL, "solve", "--json", option, file, NULL));
    const json_t *row = json_array_get(json_object_get(line, "derivatives"), 0);
    double value = number_at(row, "value"), h = 1e-3 * (fabs(value) > 0 ? fabs(value) : 1);
    int size = flatten(row, given);
    for (int i = 0; i < 4; i++) {
        static const double steps[4] = {-1, -0.5, 0.5, 1};
        assert_int_equal(solve_at(file, path, value + steps[i] * h, at[i]), size);
    }
    for (int k = 0; k < size; k++) {
        double wide = (at[3][k] - at[0][k]) / (2 * h), narrow = (at[2][k] - at[1][k]) / h;
        double expected = (4 * narrow - wide) / 3, bound = 1e-7 * (1 + fabs(expected)); /* 1e-9 */
        if (!(fabs(given[k] - expected) <= bound)) {
            fail_msg("%s by %s, number %d: %.12g, differences %.12g", file, path, k, given[k],
                     expected);
        }
    }
    json_decref(line);
}

/* Contact space, bodies and mechanisms; rigid, compliant, planar, three laws. */
static void test_differences_of_scenes(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"pin_ball.json", "contact_velocity[0]"},
        {"pin_ball.json", "inverse_inertia[0][1]"},
        {"pin_ball.json", "contacts[0].mu"},
        {"two_balls.json", "bodies[0].velocity[0]"},
        {"two_balls.json", "bodies[1].mass"},
        {"thrown_ball.json", "contacts[0].e"},
        {"superball.json", "bodies[0].velocity[2]"},
        {"superball.json", "contacts[0].stiffness_ratio"},
        {"pencil.json", "contacts[0].mu"},
        {"pencil.json", "bodies[0].angular_velocity[1]"},
        {"robot_foot.json", "system.velocity[0]"},
        {"robot_foot.json", "contacts[0].e"},
        {"rod_planar.json", "contacts[0].mu"},
        {"double_pendulum.json", "system.velocity[0]"},
        {"rod_newton.json", "contacts[0].e"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_path(scene_path(cases[i][0]), cases[i][1]);
    }
}

/* Two rigid contacts, one slips and one sticks, without "restitution": the derivatives are those of
 * Newton's law, as the solution is. Measured: 9e-13. */
static void test_two_rigid_contacts(void **state) {
    (void)state;
    static const char *const scene =
        "{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":["
        "[2,0.3,0.2,0.4,0.1,0.3],[0.3,2.5,-0.1,0.2,0.5,0.1],[0.2,-0.1,1.5,0.3,-0.2,0.4],"
        "[0.4,0.2,0.3,3,0.2,-0.3],[0.1,0.5,-0.2,0.2,2,0.1],[0.3,0.1,0.4,-0.3,0.1,1.8]],"
        "\"contact_velocity\":[1,0.5,-2,0.1,-0.2,-1.5],"
        "\"contacts\":[{\"mu\":0.2,\"e\":0.5},{\"mu\":0.6,\"e\":0.3}]}";
    static const char *const paths[] = {"contacts[0].mu",      "contacts[0].e",
                                        "contacts[1].e",       "contact_velocity[0]",
                                        "contact_velocity[5]", "inverse_inertia[0][5]"};
    char file[512];
    snprintf(file, sizeof file, "%s", work_text("two.json", scene));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check_path(file, paths[i]);
    }
    json_t *line = run_line(
        program_run(NULL, "solve", "--json", "--sensitivity", "--uncertainty=e=0.001", file, NULL));
    assert_string_equal(text_at(line, "derivative_status"), "ok");
    const json_t *bar = json_array_get(json_object_get(line, "uncertainty"), 2);
    check_close(number_at(bar, "linear"), 2 * 0.001, 1e-14); /* v_n+ = -e v_n-, v_n- = -2 */
    json_decref(line);
}

/* A number that is small beside its neighbours: the mass matrix is singular some way from it. The
 * entry and its mirror image are one number. Measured: 1.7e-10 (0.6 with one distance for all). */
static void test_steep_scenes(void **state) {
    (void)state;
    json_t *line = run_line(program_run(
        NULL, "solve", "--json", "--sensitivity=system.mass_matrix[2][3],system.mass_matrix[3][2]",
        CAROM_SOURCE_DIR "/scenes/heel_toe.json", NULL));
    const json_t *all = json_object_get(line, "derivatives");
    for (size_t i = 0; i < 4; i++) {
        const json_t *one = json_object_get(json_array_get(all, 0), "impulse");
        const json_t *other = json_object_get(json_array_get(all, 1), "impulse");
        check_close(json_number_value(json_array_get(one, i)),
                    json_number_value(json_array_get(other, i)), 1e-8);
    }
    json_decref(line);
    /* a slender rod */
    line = run_line(program_run(NULL, "solve", "--json", "--sensitivity=bodies[0].inertia[0]",
                                CAROM_SOURCE_DIR "/scenes/rod_newton.json", NULL));
    assert_string_equal(text_at(line, "status"), "energy_gain");
    json_decref(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_all_scenes),
        cmocka_unit_test(test_differences_of_scenes),
        cmocka_unit_test(test_two_rigid_contacts),
        cmocka_unit_test(test_steep_scenes),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
