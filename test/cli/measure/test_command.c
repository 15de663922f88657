/* carom measure: the kinds, JSON, messages. */
#include <jansson.h>
#include <math.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

static void check_value(Run run, double value, double error) {
    json_t *line = run_line(run);
    assert_string_equal(text_at(line, "status"), "ok");
    check_close(number_at(line, "value"), value, 1e-9);
    if (error > 0) {
        check_close(number_at(line, "standard_error"), error, 1e-6);
    } else {
        assert_true(json_is_null(json_object_get(line, "standard_error")));
    }
    json_decref(line);
}

static void test_kinds(void **state) {
    (void)state;
    check_value(program_run(NULL, "measure", "drop", "--json", "1:0.64", NULL), 0.8, 0);
    check_value(program_run(NULL, "measure", "--json", "drop", "1:0.64", "1:0.81", NULL), 0.85,
                0.05);
    check_value(program_run(NULL, "measure", "bounces", "--json", "1", "0.25", NULL), 0.5, 0);
    check_value(program_run(NULL, "measure", "times", "--json", "0", "1", "1.5", NULL), 0.5, 0);
    check_value(program_run(NULL, "measure", "pendulum", "--json", "--struck", "1", "1:0.81", NULL),
                0.8, 0);
    check_value(program_run(NULL, "measure", "pendulum", "--json", "1:0.81", NULL), 0.9, 0);
    check_value(program_run(NULL, "measure", "tilt", "--json", "45", NULL), 1, 0);
    check_value(program_run(NULL, "measure", "ramp", "--json", "0.03:1.5", NULL), 0.02, 0);
    check_value(program_run(NULL, "measure", "ramp", "--json", "--as-printed", "0.03:1.5", NULL),
                0.028, 0);
    check_value(program_run(NULL, "measure", "poisson", "--json", "--sigma", "0.02", "0.3", NULL),
                17.0 / 14, 0.02 / 0.98);
    check_output(program_run(NULL, "measure", "springs", "--stiffness", "100", "--stretch", "0.5",
                             "--rest", "0.3", "--mass", "2", NULL),
                 "speed (speed): 4 ");
    /* v^2 is k/m times what is known: half of each relative error, as squares */
    check_value(program_run(NULL, "measure", "springs", "--json", "--stiffness=100",
                            "--stretch=0.2", "--mass=2", "--sigma-stiffness=3", "--sigma-mass=0.08",
                            NULL),
                2, 2 * hypot(0.03, 0.04) / 2);
}

/* The path of carom roll gives the velocities that it started with. */
static void test_tracks(void **state) {
    (void)state;
    const char *path = work_path("roll.csv");
    check_output(program_run(NULL, "roll", "-o", path, "--rate", "10", "--time", "4",
                             scene_path("cue_shot.json"), NULL),
                 "slides");
    json_t *line =
        run_line(program_run(NULL, "measure", "roll", "--json", "--radius", "0.0305", path, NULL));
    const json_t *numbers = json_object_get(line, "numbers");
    check_close(number_at(json_object_get(numbers, "wy"), "value"), 23.6573, 1e-4);
    check_close(number_at(json_object_get(numbers, "mu_roll"), "value"), 0.0209727, 1e-9);
    json_decref(line);
}

static void test_refusals(void **state) {
    (void)state;
    check_error(program_run(NULL, "measure", NULL), 2, "no procedure given");
    check_error(program_run(NULL, "measure", "dorp", "1:2", NULL), 2, "unknown procedure \"dorp\"");
    check_error(program_run(NULL, "measure", "drop", "1", NULL), 2, "drop takes DROP:BOUNCE");
    check_error(program_run(NULL, "measure", "drop", "1:2", NULL), 2,
                "a bounce is higher than its drop");
    check_error(program_run(NULL, "measure", "springs", NULL), 2, "needs --stiffness");
    check_error(program_run("t,x\n", "measure", "flight", "-", NULL), 2, "column \"z\": missing");
    check_error(program_run("t,x,x\n", "measure", "roll", "--radius=1", "-", NULL), 2,
                "column \"x\": is there twice");
    check_error(program_run(NULL, "measure", "pendulum", "--struck", "1", "1:0.1", NULL), 2,
                "less than e = 0 gives");
    check_error(program_run("t,x,y\n0,1,1\n", "measure", "roll", "--radius", "1", "-", NULL), 2,
                "at least six points");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_tracks),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
