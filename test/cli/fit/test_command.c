/* carom fit: tables of measured impacts, messages about bad data, reports.
 *
 * Oracles: the coefficients with which carom batch or carom solve made the data. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/report.h"

#define HEADER "w11,w12,w13,w22,w23,w33,vx,vy,vz,after_vx,after_vy,after_vz"
#define BALL "3.5,0,0,3.5,0,1,"

/* A ball with mu = 0.1 and e = 0.5 slides throughout: v_t - 3.5 mu (1 + e) |v_n|, -e v_n. */
static const char *ball_table(double noise) {
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, HEADER "\n");
    for (int i = 0; i < 12; i++) {
        double vn = 1 + 0.25 * (i % 4), vt = 2 + 0.5 * (i % 3), sign = i % 2 ? 1 : -1;
        length += (size_t)snprintf(text + length, sizeof text - length, BALL "%g,0,%g,%g,,%g\n", vt,
                                   -vn, vt - 3.5 * 0.1 * 1.5 * vn + noise * sign,
                                   0.5 * vn + noise * (i % 3 ? 1 : -2));
    }
    return text;
}

static json_t *fit_line(const char *table, const char *parameters, const char *option) {
    return run_line(
        program_run(table, "fit", "--json", "--parameters", parameters, option, "-", NULL));
}

static double value_of(const json_t *line, const char *name, const char *key) {
    return number_at(json_object_get(json_object_get(line, "parameters"), name), key);
}

/* The keys that other programs rely on. */
static void test_json(void **state) {
    (void)state;
    json_t *line = fit_line(ball_table(0.001), "mu,e", "--threads=2");
    check_keys(line, "status rows parameters correlation rms chi2 residuals sigma_given outliers "
                     "minima differences notes ");
    assert_string_equal(text_at(line, "status"), "ok");
    check_close(number_at(line, "rows"), 12, 0);
    check_close(number_at(line, "residuals"), 24, 0);
    const json_t *mu = json_object_get(json_object_get(line, "parameters"), "mu");
    check_keys(mu, "value standard_error identified interval profile linear ");
    assert_true(json_is_true(json_object_get(mu, "identified")));
    check_close(value_of(line, "mu", "value"), 0.1, 0.001); /* measured 1e-5 */
    check_close(value_of(line, "e", "value"), 0.5, 0.001);
    assert_true(value_of(line, "e", "standard_error") > 1e-5);
    const json_t *row = json_array_get(json_object_get(line, "correlation"), 0);
    check_close(json_number_value(json_array_get(row, 0)), 1, 1e-12);
    json_decref(line);
    json_t *exact = fit_line(ball_table(0), "mu,e", "--model=rigid");
    check_close(value_of(exact, "mu", "value"), 0.1, 1e-6); /* the table has six digits */
    check_close(value_of(exact, "e", "value"), 0.5, 1e-6);
    json_decref(exact);
    check_output(program_run(ball_table(0.001), "fit", "--parameters", "mu,e", "-", NULL),
                 "every row is within 4 standard deviations");
}

/* A parameter with a column but not fitted; a model by column; what cannot be told. */
static void test_columns(void **state) {
    (void)state;
    json_t *line = run_line(program_run(HEADER ",mu,model,comment\n" BALL
                                               "2,0,-1,1.475,0,0.5,0.1,rigid,a\n" BALL
                                               "3,0,-1,2.475,0,0.51,0.1,rigid,b\n",
                                        "fit", "--json", "--parameters", "e", "-", NULL));
    check_close(value_of(line, "e", "value"), 0.505, 0.01);
    assert_string_equal(json_string_value(json_array_get(json_object_get(line, "notes"), 0)),
                        "columns not used: comment");
    json_decref(line);
    line = fit_line(ball_table(0.001), "mu,e,stiffness_ratio", "--model=compliant");
    const json_t *ratio = json_object_get(json_object_get(line, "parameters"), "stiffness_ratio");
    assert_true(json_is_false(json_object_get(ratio, "identified")));
    assert_true(json_is_null(json_object_get(ratio, "standard_error")));
    assert_string_equal(text_at(ratio, "reason"),
                        "every contact slipped throughout: stiffness_ratio cannot be told");
    json_decref(line);
}

/* Each group has its own parameters. */
static void test_groups(void **state) {
    (void)state;
    json_t *line = run_line(
        program_run(HEADER ",mu,material\n" BALL "2,0,-1,1.475,0,0.5,0.1,steel\n" BALL
                           "3,0,-1,2.475,0,0.502,0.1,steel\n" BALL "2,0,-1,,,0.9,0.1,rubber\n" BALL
                           "3,0,-1,,,0.902,0.1,rubber\n",
                    "fit", "--json", "--parameters", "e", "--group", "material", "-", NULL));
    const json_t *groups = json_object_get(line, "groups");
    check_keys(groups, "steel rubber ");
    check_close(value_of(json_object_get(groups, "steel"), "e", "value"), 0.5, 0.01);
    check_close(value_of(json_object_get(groups, "rubber"), "e", "value"), 0.901, 1e-9);
    check_close(number_at(json_object_get(groups, "rubber"), "rows"), 2, 0);
    json_decref(line);
}

/* Bad data: exit status 2, and a message that says where and what to do. */
static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {BALL "1,0,-1,nan,0,0.5\n",
         "line 2: after_vx: not a finite number; leave the cell empty where nothing was measured"},
        {BALL "1,0,1,0.2,0,0.5\n", "line 2: vz: is 1, the bodies do not approach each other"},
        {BALL "1,0,-1,200,0,500\n", "are units mixed (mm/s and m/s)?"},
        {BALL "1,0,-1,,,0.5\n", "1 measured number cannot determine 2 parameters"},
        {BALL "1,x,-1,0,0,0.5\n", "line 2: vy: not a finite number"},
        {BALL "1,0,-1,0,0\n", "line 2: not as many fields as the header has"},
        {"3.5,0,0,3.5,0,-1,1,0,-1,0,0,0.5\n", "line 2: inverse_inertia"},
        /* mm/s before and m/s after in one row of three */
        {BALL "2,0,-1,1.475,0,0.5\n" BALL "1,0,-1,0.5,0,0.5\n" BALL "1000,0,-2000,0.3,0,1\n",
         "line 4: keeps less than 0.01 % of its energy"},
        {"", "there is a header and no row"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, HEADER "\n%s", cases[i].rows);
        check_error(program_run(text, "fit", "--parameters", "mu,e", "-", NULL), 2,
                    cases[i].message);
        Run run = program_run(text, "fit", "--json", "--parameters", "mu,e", "-", NULL);
        json_t *line = parse_line(run.out);
        assert_string_equal(text_at(line, "status"), "invalid_input");
        check_contains(text_at(line, "message"), cases[i].message);
        json_decref(line);
        run_free(&run);
    }
    check_error(program_run("w11,w12,w13,w22,w23,w33,vx,vy,vz,aftr_vx\n", "fit", "--parameters",
                            "mu", "-", NULL),
                2, "column \"aftr_vx\": unknown; \"after_vx\" is meant?");
    check_error(program_run("", "fit", "--parameters", "mu_static", "-", NULL), 2,
                "do not change with it smoothly");
    check_error(program_run("", "fit", "-", NULL), 2, "--parameters: missing");
    check_error(
        program_run(HEADER "\n" BALL "1,0,-1,0,0,0.5\n", "fit", "--parameters", "mu", "-", NULL), 2,
        "line 2: e: missing");
}

/* Suspicious data: a result, and a note. */
static void test_notes(void **state) {
    (void)state;
    static const struct {
        const char *rows, *note;
    } cases[] = {
        {BALL "2,0,-1,1.475,0,1.5\n" BALL "2,0,-2,1,0,1\n", "1 of 2 rows gain energy"},
        {BALL "2,0,-1,1.475,0,0.5\n" BALL "2,0,-1,1.47,0,0.51\n", "all rows are the same impact"},
        {BALL "2,0,-1,1.475,0,0.5\n" BALL "2,0,-1,1.475,0,0.5\n", "copies tell nothing"},
        {BALL "2,0,-1,1.475,0,0.5\n", "one row only"},
        {BALL "2,0,-1,1.475,0,0.5\n", "not known"},
        {BALL "2,0,-1,1.475,0,0.5\n" BALL "2000,0,-1000,1475,0,500\n", "are units mixed?"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, HEADER "\n%s", cases[i].rows);
        check_output(program_run(text, "fit", "--parameters", "mu,e", "-", NULL), cases[i].note);
    }
}

/* A ball on a floor as a template; s: units of length in a metre. */
static void write_ball(double s) {
    FILE *file = fopen(work_path("ball.json"), "w");
    assert_non_null(file);
    fprintf(file,
            "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"ball\",\"mass\":0.1,"
            "\"inertia\":[%g,%g,%g],\"position\":[0,0,%g],\"velocity\":[%g,0,%g]},"
            "{\"name\":\"floor\",\"mass\":\"infinite\"}],\"contacts\":[{\"bodies\":[\"ball\","
            "\"floor\"],\"point\":[0,0,0],\"normal\":[0,0,1],\"tangent\":[1,0,0],\"mu\":0.3,"
            "\"e\":0.6}]}",
            4e-5 * s * s, 4e-5 * s * s, 4e-5 * s * s, 0.03 * s, s, -2 * s);
    assert_int_equal(fclose(file), 0);
}

#define BALL_COLUMNS                                                                               \
    "bodies[0].velocity[0],bodies[0].velocity[2],after.bodies[0].velocity[0],"                     \
    "after.bodies[0].velocity[2],after.bodies[0].angular_velocity[1]\n"

/* Suspicious rows of a template are seen as those with W and v. */
static void test_template_notes(void **state) {
    (void)state;
    const char *path = work_path("ball.json");
    write_ball(1);
    const struct {
        int status;
        const char *rows, *note;
    } cases[] = {{0, "1,-1,0.8,1.5,6\n2,-2,1,1,22\n", "1 of 2 rows gain energy"},
                 {0, "3,-1,2.5,0.6,40\n3,-1,2.5,0.61,41\n", "all rows are the same impact"},
                 {0, "3,-1,2.5,0.6,40\n0.001,-0.001,0.0005,0.0006,0\n", "are units mixed?"},
                 {2, "3,-1,2500,600,40\n2,-2,1,1,22\n", "line 2: the velocity after has"},
                 {2, "3,-1,2.5,0.6,40\n2,-1,1.5,0.6,40\n3000,-1000,2.5,0.6,40\n",
                  "line 4: keeps less than 0.01 % of its energy"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, BALL_COLUMNS "%s", cases[i].rows);
        Run run = program_run(text, "fit", "--parameters", "mu,e", "--scene", path, "-", NULL);
        assert_int_equal(run.status, cases[i].status);
        check_contains(cases[i].status == 0 ? run.out : run.err, cases[i].note);
        run_free(&run);
    }
}

/* --sigma in per cent of the speed: the unit of length does not decide how angular velocities
 * count. Without the radius of gyration mu and e differed in the second digit. */
static void test_percent(void **state) {
    (void)state;
    static const double rows[4][5] = {{3, -1, 2.53, 0.61, 39},
                                      {2, -2, 1.45, 1.19, 51},
                                      {1, -2, 0.69, 1.22, 22},
                                      {0.5, -1, 0.36, 0.58, 11}};
    static const double lengths[5] = {1, 1, 1, 1, 0}; /* powers of the unit */
    double values[2][2];
    for (int unit = 0; unit < 2; unit++) {
        double s = unit ? 1000 : 1;
        char text[1024] = BALL_COLUMNS;
        write_ball(s);
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 5; k++) {
                size_t length = strlen(text);
                snprintf(text + length, sizeof text - length, "%.17g%c",
                         rows[i][k] * pow(s, lengths[k]), k < 4 ? ',' : '\n');
            }
        }
        json_t *line =
            run_line(program_run(text, "fit", "--json", "--parameters", "mu,e", "--sigma", "1%",
                                 "--scene", work_path("ball.json"), "-", NULL));
        values[unit][0] = value_of(line, "mu", "value");
        values[unit][1] = value_of(line, "e", "value");
        json_decref(line);
    }
    check_close(values[1][0], values[0][0], 1e-6);
    check_close(values[1][1], values[0][1], 1e-6);
}

/* A value at a bound that was given says so. */
static void test_bound(void **state) {
    (void)state;
    const char *table = ball_table(0.001);
    json_t *line = fit_line(table, "mu,e", "--bounds=e=0.7:0.9");
    const json_t *e = json_object_get(json_object_get(line, "parameters"), "e");
    check_close(number_at(e, "value"), 0.7, 0);
    assert_true(json_is_true(json_object_get(e, "at_bound")));
    assert_null(
        json_object_get(json_object_get(json_object_get(line, "parameters"), "mu"), "at_bound"));
    json_decref(line);
    check_output(program_run(table, "fit", "--parameters", "mu,e", "--bounds=e=0.7:0.9", "-", NULL),
                 "at its lower bound: the data want less");
}

/* The sigma of a column goes before that of all, whatever the order of the columns. */
static void test_sigma_order(void **state) {
    (void)state;
    double errors[2];
    for (int order = 0; order < 2; order++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEADER ",%s\n" BALL "2,0,-1,1.475,0,0.51,%s\n" BALL "1,0,-1,0.48,0,0.5,%s\n" BALL
                        "3,0,-2,1.9,0,0.99,%s\n",
                 order ? "sigma,sigma.after_vx" : "sigma.after_vx,sigma",
                 order ? "0.01,5" : "5,0.01", order ? "0.01,5" : "5,0.01",
                 order ? "0.01,5" : "5,0.01");
        json_t *line = fit_line(text, "mu,e", "--loss=squares");
        errors[order] = value_of(line, "mu", "value");
        json_decref(line);
    }
    check_close(errors[0], errors[1], 0);
}

/* The rod of scenes/rod_planar.json with another angular speed. */
#define ROD                                                                                        \
    "{\"carom\":1,\"model\":\"rigid\",\"system\":{\"mass_matrix\":[[1,0,0],[0,1,0],"               \
    "[0,0,0.083433333333]],\"velocity\":[0.6,-1,%g]},\"contacts\":[{\"jacobian\":"                 \
    "[[1,0,-0.383022221559489],[0,1,0.32139380484327]],\"mu\":0.5,\"e\":0.9}]}"

/* A template scene, planar, with columns by path: a rod that falls at several angular speeds. */
static void test_template(void **state) {
    (void)state;
    static const double speeds[] = {-2, -1, 0, 0.5, 1, 1.5};
    char table[4096];
    size_t length = (size_t)snprintf(table, sizeof table,
                                     "system.velocity[2],after.system.velocity[0],"
                                     "after.system.velocity[2],after_vz\n");
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        char scene[512];
        snprintf(scene, sizeof scene, ROD, speeds[i]);
        json_t *line = solve_text(scene);
        length +=
            (size_t)snprintf(table + length, sizeof table - length, "%g,%.17g,%.17g,%.17g\n",
                             speeds[i], element(line, "velocity", 0), element(line, "velocity", 2),
                             element(line, "contact_velocity", 1));
        json_decref(line);
    }
    json_t *line = run_line(program_run(table, "fit", "--json", "--parameters", "mu,e", "--scene",
                                        scene_path("rod_planar.json"), "-", NULL));
    check_close(value_of(line, "mu", "value"), 0.5, 1e-7); /* the scene's own */
    check_close(value_of(line, "e", "value"), 0.9, 1e-7);
    json_decref(line);
    check_error(program_run("system.velocity[9],after_vz\n1,1\n", "fit", "--parameters", "e",
                            "--scene", scene_path("rod_planar.json"), "-", NULL),
                2, "column \"system.velocity[9]\": system.velocity[9]: there are 3");
    check_error(program_run("after.bodies[0].velocity[0]\n1\n", "fit", "--parameters", "e",
                            "--scene", scene_path("rod_planar.json"), "-", NULL),
                2, "the scene has no such velocity after the impact");
}

/* Sigmas of inputs by path do what sigma.vx, ... do to rows with W and v. */
static void test_uncertain_inputs(void **state) {
    (void)state;
    json_t *solved = run_line(
        program_run(NULL, "solve", "--json", scene_path("icosahedron_tetrahedron.json"), NULL));
    char plain[2048], paths[2048];
    size_t a =
        (size_t)snprintf(plain, sizeof plain, "mu," HEADER ",sigma,sigma.vx,sigma.vy,sigma.vz\n");
    size_t b = (size_t)snprintf(paths, sizeof paths,
                                "contact_velocity[0],contact_velocity[1],contact_velocity[2],"
                                "after_vx,after_vy,after_vz,sigma,sigma.contact_velocity[0],"
                                "sigma.contact_velocity[1],sigma.contact_velocity[2]\n");
    for (int i = 0; i < 4; i++) { /* outcomes are proportional to the velocity */
        double size = 1 + 0.2 * i, noise = i % 2 ? 0.001 : -0.001;
        char row[256];
        snprintf(row, sizeof row, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,0.002,0.001,0.002,0.001\n",
                 -0.26197583 * size, 0.38632923 * size, -0.07685529 * size,
                 size * element(solved, "contact_velocity", 0) + noise,
                 size * element(solved, "contact_velocity", 1),
                 size * element(solved, "contact_velocity", 2) + 2 * noise);
        a += (size_t)snprintf(plain + a, sizeof plain - a,
                              "0.8,11.5984,-0.910367,2.442355,9.90134,1.957465,2.59042,%s", row);
        b += (size_t)snprintf(paths + b, sizeof paths - b, "%s", row);
    }
    json_t *one = fit_line(plain, "e", "--model=rigid");
    json_t *other = run_line(program_run(paths, "fit", "--json", "--parameters", "e", "--scene",
                                         scene_path("icosahedron_tetrahedron.json"), "-", NULL));
    check_close(value_of(other, "e", "value"), value_of(one, "e", "value"), 1e-9);
    check_close(value_of(other, "e", "standard_error"), value_of(one, "e", "standard_error"), 1e-7);
    json_decref(one);
    json_decref(other);
    json_decref(solved);
    check_error(program_run("after_vz,sigma,sigma.contacts[0].mu\n1,0.1,0.1\n", "fit",
                            "--parameters", "e", "--scene",
                            scene_path("icosahedron_tetrahedron.json"), "-", NULL),
                2, "fit it instead");
}

/* Errors of entries of W. A ball that slides throughout has, with s = (1 + e) |v_n|,
 * v_x after = v_x - mu w11 s/w33, so that sigma of mu is
 *   sqrt(0.01^2 + (mu s/w33 sigma11)^2 + (mu w11 s/w33^2 sigma33)^2)/(w11 s/w33). */
static void test_uncertain_W(void **state) {
    (void)state;
    static const struct { double w11, w33; } sigmas[] = {{0, 0}, {0.2, 0}, {0, 0.1}, {0.2, 0.1}};
    for (size_t i = 0; i < sizeof sigmas / sizeof *sigmas; i++) {
        char table[512];
        double slope = 3.5 * 1.5 / 1.25, mu = 0.1;
        snprintf(table, sizeof table,
                 "w11,w12,w13,w22,w23,w33,vx,vy,vz,e,after_vx,sigma,sigma.w11,sigma.w33\n"
                 "3.5,0,0,3.5,0,1.25,4,0,-1,0.5,%.17g,0.01,%g,%g\n",
                 4 - mu * slope, sigmas[i].w11, sigmas[i].w33);
        json_t *line = fit_line(table, "mu", "--model=rigid");
        double parts[3] = {0.01, mu * slope / 3.5 * sigmas[i].w11,
                           mu * slope / 1.25 * sigmas[i].w33};
        double error = hypot(hypot(parts[0], parts[1]), parts[2]) / slope;
        check_close(value_of(line, "mu", "value"), mu, 1e-12);
        check_close(value_of(line, "mu", "standard_error"), error, 1e-9 * error);
        json_decref(line);
    }
    check_error(program_run(HEADER ",sigma,sigma.w12\n" BALL "1,0,-1,0,0,0.5,0.1,-1\n", "fit",
                            "--parameters", "mu,e", "-", NULL),
                2, "line 2: sigma.w12: must be >= 0");
    check_error(program_run(HEADER ",sigma.w12\n" BALL "1,0,-1,0,0,0.5,0.1\n", "fit",
                            "--parameters", "mu,e", "-", NULL),
                2, "need a sigma of the numbers after");
    check_error(program_run(HEADER ",sigma.mu\n" BALL "1,0,-1,0,0,0.5,0.1\n", "fit", "--parameters",
                            "mu,e", "-", NULL),
                2, "column \"sigma.mu\": there is no such sigma");
}

/* Two compliant contacts: their coefficients by path, and the ratio of their stiffnesses. */
static void test_several(void **state) {
    (void)state;
    Run solved = program_run(NULL, "solve", "--json", scene_path("ball_ball_table.json"), NULL);
    json_t *scene = parse_line(solved.out);
    const json_t *bodies = json_object_get(scene, "bodies");
    char table[256];
    snprintf(table, sizeof table,
             "after.bodies[0].velocity[2],after.bodies[1].velocity[2]\n%.17g,%.17g\n",
             element(json_array_get(bodies, 0), "velocity", 2),
             element(json_array_get(bodies, 1), "velocity", 2));
    json_t *line = run_line(program_run(
        table, "fit", "--json", "--parameters", "contacts[1].stiffness", "--bounds",
        "contacts[1].stiffness=0.5:2", "--scene", scene_path("ball_ball_table.json"), "-", NULL));
    check_close(value_of(line, "contacts[1].stiffness", "value"), 1, 1e-6);
    json_decref(line);
    json_decref(scene);
    run_free(&solved);
}

/* The page is well-formed and has its three pictures. */
static void test_page(void **state) {
    (void)state;
    check_output(program_run(ball_table(0.001), "fit", "--parameters", "mu,e", "--report",
                             work_path("report"), "-", NULL),
                 "12 rows");
    char *page = report_page("fit.html");
    check_contains(page, "Measured against predicted");
    check_contains(page, "Residuals");
    check_contains(page, "95 % region of two parameters");
    free(page);
}

/* 15 impacts of a ball with mu 0.3, e 0.6, stiffness_ratio 1.2 and noise of 0.02, which a ratio of
 * 3.42 fits as well: the sums of squares differ by 1.3 %. */
static void test_rivals(void **state) {
    (void)state;
    static const double rows[15][6] = {
        {-2.1747, 1.6583, -2.0843, 0.6106, -0.4854, 1.2406},
        {1.2613, 1.2106, -2.2453, -0.8905, -0.9207, 1.3429},
        {0.5320, -1.4449, -1.2542, -0.2111, 0.5577, 0.7641},
        {3.8068, 0.9849, -1.3060, 1.6481, 0.4421, 0.7391},
        {-4.0771, 3.2738, -2.2117, -1.1493, 0.9281, 1.3241},
        {2.0750, 0.0852, -2.9102, -1.4736, -0.0747, 1.7378},
        {-3.1051, 0.9070, -2.3678, 0.6913, -0.1844, 1.4593},
        {2.3517, 2.9833, -1.4907, 0.8019, 1.0043, 0.8970},
        {-2.5116, -2.3729, -1.5318, -0.6450, -0.5970, 0.9236},
        {-0.2071, -1.7275, -1.5214, 0.1079, 0.8164, 0.9006},
        {0.2890, -2.9773, -1.3358, 0.0402, -0.7620, 0.8004},
        {-0.3944, -2.7954, -1.9344, 0.0790, 0.4118, 1.1716},
        {1.2636, 1.0383, -1.1553, -0.2522, -0.2038, 0.6908},
        {2.3178, -0.2079, -1.1091, 0.4907, -0.0452, 0.6759},
        {-2.2257, 2.0316, -2.0387, 0.2997, -0.2823, 1.2508},
    };
    static char table[4096];
    size_t length = (size_t)snprintf(table, sizeof table, HEADER "\n");
    for (int i = 0; i < 15; i++) {
        const double *x = rows[i];
        length += (size_t)snprintf(table + length, sizeof table - length,
                                   BALL "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", x[0], x[1], x[2], x[3],
                                   x[4], x[5]);
    }
    json_t *line = fit_line(table, "mu,e,stiffness_ratio", "--model=compliant");
    const json_t *ratio = json_object_get(json_object_get(line, "parameters"), "stiffness_ratio");
    assert_true(json_is_false(json_object_get(ratio, "identified")));
    check_contains(text_at(ratio, "reason"), "fits as well within 95 %");
    assert_true(element(ratio, "interval", 0) < 1.25 && element(ratio, "interval", 1) > 3.4);
    check_close(value_of(line, "mu", "value"), 0.3, 0.005); /* measured 0.3003 */
    json_decref(line);
}

/* Planar, measured are a speed and an angular velocity: the unit of the angle does not matter. */
static void test_units(void **state) {
    (void)state;
    double found[2];
    for (int i = 0; i < 2; i++) {
        double unit = i == 0 ? 1 : 57; /* of angles */
        char table[2048];
        FILE *file = fopen(work_path("planar.json"), "w");
        assert_non_null(file);
        fprintf(
            file,
            "{\"carom\": 1, \"model\": \"rigid\", \"system\": {\"mass_matrix\": [[1,0,0],[0,1,0],"
            "[0,0,%.17g]], \"velocity\": [0,-1,0]}, \"contacts\": [{\"jacobian\": [[1,0,%.17g],"
            "[0,1,%.17g]], \"mu\": 0.2, \"e\": 0.5}]}",
            0.4 / (unit * unit), 1 / unit, 0.3 / unit);
        fclose(file);
        size_t length = (size_t)snprintf(table, sizeof table,
                                         "system.velocity[0],system.velocity[1],"
                                         "after.system.velocity[1],after.system.velocity[2]\n");
        for (int k = 0; k < 8; k++) { /* no model fits these numbers: what counts more matters */
            length += (size_t)snprintf(table + length, sizeof table - length, "%g,%g,%.17g,%.17g\n",
                                       2 + 0.5 * k, -1 - 0.1 * k, 0.4 + 0.1 * (k % 3),
                                       unit * (-0.5 - 0.2 * (k % 4)));
        }
        json_t *line = run_line(program_run(table, "fit", "--json", "--parameters", "mu,e",
                                            "--scene", work_path("planar.json"), "-", NULL));
        found[i] = value_of(line, "e", "value");
        const json_t *note = json_array_get(json_object_get(line, "notes"), 0);
        check_contains(json_string_value(note), "different units");
        json_decref(line);
    }
    check_close(found[0], found[1], 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_notes),
                                       cmocka_unit_test(test_template_notes),
                                       cmocka_unit_test(test_percent),
                                       cmocka_unit_test(test_sigma_order),
                                       cmocka_unit_test(test_bound),
                                       cmocka_unit_test(test_template),
                                       cmocka_unit_test(test_uncertain_inputs),
                                       cmocka_unit_test(test_uncertain_W),
                                       cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_rivals),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test_teardown(test_page, report_remove)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
