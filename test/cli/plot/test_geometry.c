/* carom plot: the geometry that the pictures show beside the curves.
 *
 * Oracles: closed forms. The bounding ellipse and the lines of compression of two balls on a table
 * as Jia, Mason and Erdmann give them ((42), section 6.1); the plane of compression, the line of
 * sticking and the friction cone by their equations; the phases of a timeline by the sign of the
 * normal velocities in the trace of "carom solve". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/plot_script.h"
#include "support/cli/program.h"

/* Figure 3 of Jia and Wang, as scenes/icosahedron_tetrahedron.json has it. */
static const double W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                            1.957465, 2.442355,  1.957465, 2.59042};
static const double v[3] = {-0.26197583, 0.38632923, -0.07685529};

/* Two balls and a table: masses 1 and 2/sqrt 3, v0 = -1. */
#define M2 1.1547005383792515

/* The energy that the bodies have more than before, (42). */
static double ball_energy(const double I[2]) {
    return I[0] * I[0] / 2 + (I[0] - I[1]) * (I[0] - I[1]) / (2 * M2) - I[0];
}

static void test_ellipse_of_balls(void **state) {
    (void)state;
    char *script = plot_script(scene_path("ball_ball_table.json"), "impulse", NULL);
    double *points, low[2] = {9, 9}, high[2] = {-9, -9}, nearest = 9;
    size_t count = plot_block(script, "ellipse", 2, &points);
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        check_close(ball_energy(&points[2 * i]), 0, 2e-8); /* measured 5.9e-9: nine digits */
        nearest = fmin(nearest, hypot(points[2 * i], points[2 * i + 1]));
        for (size_t k = 0; k < 2; k++) {
            low[k] = fmin(low[k], points[2 * i + k]);
            high[k] = fmax(high[k], points[2 * i + k]);
        }
    }
    /* it touches I_1 = 0 in the origin, I_1 = 2 in (2, 2), and lies between 1 -+ sqrt(1 + m2); the
     * points are 2 degrees apart: measured 1.4e-4 */
    check_close(low[0], 0, 1e-3);
    check_close(high[0], 2, 1e-3);
    check_close(low[1], 1 - sqrt(1 + M2), 1e-3);
    check_close(high[1], 1 + sqrt(1 + M2), 1e-3);
    assert_true(nearest < 0.04); /* measured 0.018 */
    free(points);
    free(script);
}

/* v_1 = 0 and v_2 = 0 in the impulse plane, and the ends of compression on them. */
static void test_lines_of_balls(void **state) {
    (void)state;
    char *script = plot_script(scene_path("ball_ball_table_plastic.json"), "impulse", NULL);
    double *line;
    assert_int_equal(plot_block(script, "line0", 2, &line), 2);
    for (size_t i = 0; i < 2; i++) { /* relative velocity of the balls */
        check_close((1 + 1 / M2) * line[2 * i] - line[2 * i + 1] / M2, 1,
                    1e-8); /* measured 3.2e-9 */
    }
    free(line);
    assert_int_equal(plot_block(script, "line1", 2, &line), 2);
    for (size_t i = 0; i < 2; i++) {                     /* velocity of the lower ball */
        check_close(line[2 * i], line[2 * i + 1], 1e-8); /* measured 0 */
    }
    free(line);
    /* $m0 is the start; c0, r0, c1, a0, r1, c0, r0 follow */
    static const int contact_of_c[][2] = {{1, 0}, {3, 1}, {6, 0}};
    for (size_t i = 0; i < 3; i++) {
        char name[24];
        double *at;
        snprintf(name, sizeof name, "m%d", contact_of_c[i][0]);
        assert_int_equal(plot_block(script, name, 2, &at), 1);
        double rate =
            contact_of_c[i][1] == 0 ? (1 + 1 / M2) * at[0] - at[1] / M2 - 1 : (at[1] - at[0]) / M2;
        check_close(rate, 0, 1e-8); /* measured 3.3e-9 */
        free(at);
    }
    free(script);
}

/* A point is inside a closed polygon, or not farther outside than rounding. */
static int is_inside(const double *polygon, size_t count, const double at[2], double near) {
    int inside = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        const double *a = &polygon[2 * i], *b = &polygon[2 * i + 2];
        if ((a[1] > at[1]) != (b[1] > at[1]) &&
            at[0] < a[0] + (b[0] - a[0]) * (at[1] - a[1]) / (b[1] - a[1])) {
            inside = !inside;
        }
        double d[2] = {b[0] - a[0], b[1] - a[1]}, square = d[0] * d[0] + d[1] * d[1];
        double part = ((at[0] - a[0]) * d[0] + (at[1] - a[1]) * d[1]) / square;
        part = fmin(fmax(part, 0), 1);
        if (hypot(at[0] - a[0] - part * d[0], at[1] - a[1] - part * d[1]) <= near) {
            return 1;
        }
    }
    return inside;
}

/* No curve of two contacts leaves its ellipse, with friction either. */
static void test_curves_stay_inside(void **state) {
    (void)state;
    static const char *const scenes[] = {"ball_ball_table.json",
                                         "ball_ball_table_plastic.json",
                                         "compression_restart.json",
                                         "cradle_3.json",
                                         "ping_pong_225.json",
                                         "masse_shot.json",
                                         "heel_toe.json",
                                         "rocking_block.json"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char *script = plot_script(scene_path(scenes[i]), "impulse", NULL), name[24];
        double *ellipse, *curve;
        size_t corners = plot_block(script, "ellipse", 2, &ellipse), all = 0;
        double size = hypot(ellipse[0] - ellipse[corners], ellipse[1] - ellipse[corners + 1]);
        for (int k = 1; k < 4; k++) {
            snprintf(name, sizeof name, "state%d", k);
            size_t count = plot_block(script, name, 2, &curve);
            for (size_t j = 0; j < count; j++) {
                /* between its points the polygon is inside the ellipse by 1.5e-4 of a half axis */
                assert_true(is_inside(ellipse, corners, &curve[2 * j], 2e-4 * size));
            }
            all += count;
            free(curve);
        }
        assert_true(all > 100);
        free(ellipse);
        free(script);
    }
}

static double row_of(int i, const double *I) {
    return W[3 * i] * I[0] + W[3 * i + 1] * I[1] + W[3 * i + 2] * I[2] + v[i];
}

static void test_impulse_space(void **state) {
    (void)state;
    char *script = plot_script(scene_path("icosahedron_tetrahedron.json"), "impulse", NULL);
    double *points;
    size_t count = plot_block(script, "plane", 3, &points);
    assert_in_range(count, 4, 7); /* three to six corners, and the first again */
    for (size_t i = 0; i < count; i++) {
        check_close(row_of(2, &points[3 * i]), 0, 4e-9); /* measured 1.0e-9 */
    }
    free(points);
    assert_int_equal(plot_block(script, "stick", 3, &points), 2);
    for (size_t i = 0; i < 2; i++) {
        check_close(row_of(0, &points[3 * i]), 0, 4e-9); /* measured 1.1e-9 */
        check_close(row_of(1, &points[3 * i]), 0, 4e-9); /* measured 7e-10 */
    }
    free(points);
    count = plot_block(script, "cone", 3, &points);
    for (size_t i = 0; i < count; i++) {
        /* measured 1.0e-10 */
        check_close(hypot(points[3 * i], points[3 * i + 1]), 0.8 * points[3 * i + 2], 5e-10);
    }
    free(points);
    /* the curve is in the cone */
    count = plot_block(script, "curve", 3, &points);
    for (size_t i = 0; i < count; i++) {
        assert_true(hypot(points[3 * i], points[3 * i + 1]) <= 0.8 * points[3 * i + 2] + 1e-9);
    }
    free(points);
    free(script);
}

/* With M = 1 the matrix is J J^T: [[2, 1], [1, 2]], and v- = (0.5, -2). */
static void test_impulse_plane(void **state) {
    (void)state;
    const char *scene = work_text(
        "planar.json",
        "{\"carom\":1,\"model\":\"rigid\",\"system\":{\"mass_matrix\":[[1,0,0],[0,1,0],[0,0,1]],"
        "\"velocity\":[0.5,-2,0]},\"contacts\":[{\"mu\":0.7,\"e\":0.5,"
        "\"jacobian\":[[1,0,1],[0,1,1]]}]}");
    char *script = plot_script(scene, "impulse", NULL);
    double *ends;
    assert_int_equal(plot_block(script, "line0", 2, &ends), 2);
    for (size_t i = 0; i < 2; i++) { /* compression: the normal row */
        check_close(ends[2 * i] + 2 * ends[2 * i + 1] - 2, 0, 1e-8); /* measured 1e-9 */
    }
    free(ends);
    assert_int_equal(plot_block(script, "line1", 2, &ends), 2);
    for (size_t i = 0; i < 2; i++) { /* sticking: the tangential row */
        check_close(2 * ends[2 * i] + ends[2 * i + 1] + 0.5, 0, 1e-8); /* measured 0 */
    }
    free(ends);
    for (int k = 2; k < 4; k++) { /* the edges of the cone */
        char name[24];
        snprintf(name, sizeof name, "line%d", k);
        assert_int_equal(plot_block(script, name, 2, &ends), 2);
        check_close(fabs(ends[2]), 0.7 * ends[3], 2e-8); /* measured 6e-9 */
        assert_true(ends[3] > 0 && (ends[2] > 0) == (k == 2));
        free(ends);
    }
    free(script);
}

/* The trace of a scene of several contacts, three columns per contact kept: v_n, open, stick. */
typedef struct Trace {
    size_t count, contacts;
    double *clock;
    double *rows;
} Trace;

static Trace read_trace(const char *path, size_t contacts, int planar) {
    const char *file = work_path("trace.csv");
    Run run = program_run(NULL, "solve", "--json", "--trace", file, "--samples", "501", path,
                          (char *)NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *text = file_read(file, &size), *line = strchr(text, '\n') + 1;
    Trace trace = {.contacts = contacts,
                   .clock = malloc(501 * sizeof(double)),
                   .rows = malloc(501 * 3 * contacts * sizeof(double))};
    for (; *line; line = strchr(line, '\n') + 1, trace.count++) {
        char *at = line;
        trace.clock[trace.count] = strtod(at, &at);
        for (size_t i = 0; i < contacts; i++) {
            double *row = &trace.rows[3 * (contacts * trace.count + i)];
            for (int k = 0; k < (planar ? 4 : 6); k++) {
                row[0] = strtod(at + 1, &at);
            }
            strtod(at + 1, &at); /* stored */
            row[1] = strncmp(at + 1, "open", 4) == 0;
            row[2] = strncmp(at + 1, "stick", 5) == 0;
            at = strchr(at + 1, ',');
            strtod(at + 1, &at); /* tangential */
        }
    }
    free(text);
    return trace;
}

/* Is the clock well inside a bar of the layer in a contact's row? -1: at one of its ends. */
static int in_bar(const double *bars, size_t count, size_t row, double clock, double near) {
    for (size_t i = 0; i < count; i++) {
        const double *bar = &bars[6 * i];
        if (bar[1] == (double)row && clock > bar[2] - near && clock < bar[3] + near) {
            return clock > bar[2] + near && clock < bar[3] - near ? 1 : -1;
        }
    }
    return 0;
}

static void check_timeline(const char *name, size_t contacts, int planar, int friction) {
    static const char *const layers[] = {"compressing", "restituting", "latched", "stick", "slip"};
    char *script = plot_script(scene_path(name), "states", NULL);
    Trace trace = read_trace(scene_path(name), contacts, planar);
    double *bars[5], near = 1e-6 * trace.clock[trace.count - 1];
    size_t counts[5], checked = 0;
    for (size_t i = 0; i < 5; i++) {
        counts[i] = plot_block(script, layers[i], 6, &bars[i]);
    }
    for (size_t s = 1; s + 1 < trace.count; s++) {
        for (size_t c = 0; c < contacts; c++) {
            const double *row = &trace.rows[3 * (contacts * s + c)];
            int in[5], edge = 0;
            for (size_t i = 0; i < 5; i++) {
                in[i] = in_bar(bars[i], counts[i], c, trace.clock[s], near);
                edge = edge || in[i] < 0;
            }
            if (edge) {
                continue;
            }
            assert_int_equal(in[0] + in[1] + in[2], row[1] == 0); /* one phase, or open */
            if (in[0] || in[1]) {
                assert_true(in[0] ? row[0] < 0 : row[0] > 0);
            }
            if (friction) {
                assert_int_equal(in[3], row[2] != 0);
                assert_int_equal(in[4], row[1] == 0 && row[2] == 0);
            }
            checked++;
        }
    }
    assert_true(checked > 450 * contacts);
    for (size_t i = 0; i < 5; i++) {
        free(bars[i]);
    }
    free(trace.clock);
    free(trace.rows);
    free(script);
}

static void test_timelines(void **state) {
    (void)state;
    check_timeline("ball_ball_table_plastic.json", 2, 0, 0);
    check_timeline("compression_restart.json", 2, 0, 0);
    check_timeline("bead_column.json", 10, 0, 0);
    check_timeline("billiard_break.json", 31, 0, 0);
    check_timeline("masse_shot.json", 2, 0, 1);
    check_timeline("rocking_block.json", 2, 1, 1);
}

/* Two balls on a table in contact space, with the fields of the two contacts. */
#define BALLS(law, first, second)                                                                  \
    "{\"carom\":1,\"model\":\"compliant\"" law ",\"inverse_inertia\":[[1,0,0,0,0,0],"              \
    "[0,1,0,0,0,0],[0,0,2,0,0,-1],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,-1,0,0,1]],"                    \
    "\"contact_velocity\":[0,0,-1,0,0,0],\"contacts\":[{" first "},{" second "}]}"

/* Rare cases: contacts that latch, springs that do not stiffen, infinite stiffness.
 */
static void test_rare_scenes(void **state) {
    (void)state;
    static const struct {
        const char *scene, *kind, *part;
    } cases[] = {
        {BALLS("", "\"mu\":0,\"e\":0", "\"mu\":0,\"e\":0"), "impulse", "l: contact latches"},
        {BALLS("", "\"mu\":0,\"e\":0", "\"mu\":0,\"e\":0"), "states", "held together (latched)"},
        {BALLS("", "\"mu\":0,\"e\":0", "\"mu\":0,\"e\":0"), "energy", "change of kinetic energy"},
        {BALLS(",\"restitution\":\"mono_stiffness\"", "\"mu\":0,\"e\":0.7", "\"mu\":0,\"e\":0.9"),
         "impulse", "e = 0.7 to 0.9, mono-stiffness"},
        {BALLS(",\"restitution\":\"mono_stiffness\"", "\"mu\":0,\"e\":0.7", "\"mu\":0,\"e\":0.9"),
         "energy", "lost at the contacts"},
        {BALLS("", "\"mu\":0,\"e\":0.8,\"stiffness\":\"infinite\"", "\"mu\":0,\"e\":0.5"),
         "impulse", "only contact 0 acts (S3)"},
        {BALLS("", "\"mu\":0,\"e\":0.8,\"stiffness\":0", "\"mu\":0,\"e\":0.5"), "velocity",
         "contact 1"},
        {"{\"carom\":1,\"model\":\"compliant\",\"restitution\":\"mono_stiffness\","
         "\"inverse_inertia\":[[3.5,0,0],[0,3.5,0],[0,0,1]],\"contact_velocity\":[1,0.5,-2],"
         "\"contacts\":[{\"mu\":0.3,\"e\":0.6}]}",
         "impulse", "mono-stiffness"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *svg;
        free(plot_script(work_text("rare.json", cases[i].scene), cases[i].kind, &svg));
        check_contains(svg, cases[i].part);
        free(svg);
    }
}

/* A row of equal balls against a wall. */
static const char *write_row(int contacts, double mu) {
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs("{\"carom\":1,\"model\":\"compliant\",\"bodies\":[", file);
    for (int i = 0; i < contacts; i++) {
        fprintf(file,
                "{\"name\":\"b%d\",\"mass\":1,\"inertia\":[1,1,1],\"position\":[%d,0,0],"
                "\"velocity\":[%d,0,0]},",
                i, 2 * i, i == 0);
    }
    fprintf(file, "{\"name\":\"wall\",\"mass\":\"infinite\"}],\"contacts\":[");
    for (int i = 0; i < contacts; i++) {
        fprintf(file,
                "%s{\"mu\":%g,\"e\":1,\"bodies\":[%d,%d],\"point\":[%d,0,0],\"normal\":[-1,0,0]}",
                i ? "," : "", mu, i, i + 1, 2 * i + 1);
    }
    fputs("]}", file);
    fclose(file);
    const char *path = work_text("row.json", text);
    free(text);
    return path;
}

/* More contacts than a picture has rows, and with friction more than it has styles. */
static void test_many_contacts(void **state) {
    (void)state;
    static const char *const kinds[] = {"states", "impulse", "velocity", "energy"};
    const char *path = write_row(41, 0);
    char *svg;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        free(plot_script(path, kinds[i], &svg));
        check_contains(svg, "41 contacts, μ = 0, e = 1");
        if (i < 3) {
            check_contains(svg, "40 of 41 contacts are shown");
        }
        free(svg);
    }
    free(plot_script(write_row(9, 0.3), "hodograph", &svg));
    check_contains(svg, "8 of 9 contacts with friction are shown");
    check_contains(svg, "tangential velocity, contact 7"); /* the legend has room for all */
    check_contains(svg, ">start<");
    free(svg);
}

/* The drawn curve at a value of the clock, between the points that it has; next moves on. */
static double curve_at(const double *points, size_t count, double clock, size_t *next) {
    while (*next + 1 < count && points[2 * *next] < clock) {
        ++*next;
    }
    const double *b = &points[2 * *next], *a = *next > 0 ? b - 2 : b;
    double part = b[0] > a[0] ? (clock - a[0]) / (b[0] - a[0]) : 0;
    return a[1] + part * (b[1] - a[1]);
}

/* Points that cannot be seen are left out; the lines between the others go where the trace goes. */
static void test_curves_are_thinned(void **state) {
    (void)state;
    enum { CONTACTS = 10 };
    const char *path = scene_path("bead_column.json");
    char *script = plot_script(path, "velocity", NULL);
    Trace trace = read_trace(path, CONTACTS, 0);
    for (size_t c = 0; c < CONTACTS; c++) {
        char name[32];
        double *points;
        snprintf(name, sizeof name, "velocity%zu", c);
        size_t count = plot_block(script, name, 2, &points), next = 0;
        for (size_t i = 0; i < trace.count; i++) {
            /* a quarter of a pixel, as there are 12 strips of 2/3 each; measured 1.9e-3 */
            check_close(curve_at(points, count, trace.clock[i], &next),
                        trace.rows[3 * (CONTACTS * i + c)], 2.1e-3);
        }
        assert_in_range(count, 20, 120); /* measured 33 to 86, of more than a thousand rows */
        free(points);
    }
    free(trace.clock);
    free(trace.rows);
    free(script);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipse_of_balls),   cmocka_unit_test(test_lines_of_balls),
        cmocka_unit_test(test_curves_stay_inside), cmocka_unit_test(test_impulse_space),
        cmocka_unit_test(test_impulse_plane),      cmocka_unit_test(test_timelines),
        cmocka_unit_test(test_rare_scenes),        cmocka_unit_test(test_many_contacts),
        cmocka_unit_test(test_curves_are_thinned),
    };
    return cmocka_run_group_tests(tests, plot_script_setup, plot_script_teardown);
}
