/* carom plot: every kind of picture of every scene that comes with the project, and its curves.
 *
 * Oracle: the commands for gnuplot are read back. Their curves must end where "carom solve" says
 * that the impact ends, and every event that it lists must be marked where it happened. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/plot_script.h"
#include "support/cli/program.h"
#include "support/scale.h"

/* A scene and the program's answer. */
typedef struct Case {
    const char *path;
    json_t *scene, *answer;
    size_t contacts, rows;
    int friction; /* a contact has it */
} Case;

static Case read_case(const char *path) {
    Case it = {.path = path};
    size_t size;
    char *text = file_read(path, &size);
    it.scene = parse_line(text);
    free(text);
    it.answer = run_line(program_run(NULL, "solve", "--json", path, (char *)NULL));
    const json_t *contacts = json_object_get(it.scene, "contacts");
    it.contacts = json_array_size(contacts);
    it.rows = json_array_size(json_object_get(it.answer, "impulse")) / it.contacts;
    for (size_t i = 0; i < it.contacts; i++) {
        it.friction = it.friction || number_at(json_array_get(contacts, i), "mu") > 0;
    }
    return it;
}

static void free_case(Case *it) {
    json_decref(it->scene);
    json_decref(it->answer);
}

/* Numbers go to gnuplot with 9 digits; beyond that there is only how the energies are found. */
static void check_near(double a, double b, double scale) {
    check_close(a, b, 6e-9 * scale + 1e-300); /* measured 4.2e-9 */
}

static double largest(const Case *it, const char *key) {
    double most = 0;
    for (size_t i = 0; i < it->rows * it->contacts; i++) {
        most = fmax(most, fabs(element(it->answer, key, i)));
    }
    return most;
}

/* Component k of the result of a contact; t1, t2 and n are 0, 1 and 2. */
static double result_of(const Case *it, const char *key, size_t contact, size_t k) {
    if (it->rows == 2) {
        return k == 1 ? 0 : element(it->answer, key, 2 * contact + k / 2);
    }
    return element(it->answer, key, 3 * contact + k);
}

static double total_clock(const Case *it) {
    double sum = 0;
    for (size_t i = 0; i < it->contacts; i++) {
        sum += result_of(it, "impulse", i, 2);
    }
    return sum;
}

/* The last row of a block must be these numbers. */
static void check_last(const char *script, const char *name, const double *expected, size_t columns,
                       double scale) {
    double *numbers;
    size_t rows = plot_block(script, name, columns, &numbers);
    assert_true(rows > 1);
    for (size_t k = 0; k < columns; k++) {
        check_near(numbers[(rows - 1) * columns + k], expected[k], scale);
    }
    free(numbers);
}

/* How many of the marks are at a point. */
static int marks_at(const char *script, const double *point, size_t columns, double scale) {
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        char name[24];
        double *at, far = 0;
        snprintf(name, sizeof name, "m%d", i);
        if (!plot_has_block(script, name)) {
            break;
        }
        assert_int_equal(plot_block(script, name, columns, &at), 1);
        for (size_t k = 0; k < columns; k++) {
            far = fmax(far, fabs(at[k] - point[k]));
        }
        found += far <= 6e-9 * scale;
        free(at);
    }
    return found;
}

/* Every event of one contact has its mark: at its impulse, or at its velocity. */
static void check_marks(const Case *it, const char *script, const char *key, size_t columns) {
    const json_t *events = json_object_get(it->answer, "events"), *event;
    double scale = largest(it, key[0] == 'i' ? "impulse" : "contact_velocity");
    size_t i;
    json_array_foreach(events, i, event) {
        double point[3];
        for (size_t k = 0; k < columns; k++) {
            point[k] = element(event, key, k);
            scale = fmax(scale, fabs(point[k]));
        }
        assert_true(marks_at(script, point, columns, scale) > 0);
    }
}

static void check_impulse_of_one(const Case *it, const char *script) {
    double end[3];
    size_t columns = it->rows;
    for (size_t k = 0; k < columns; k++) {
        end[k] = element(it->answer, "impulse", k);
    }
    check_last(script, "curve", end, columns, largest(it, "impulse"));
    check_marks(it, script, "impulse", columns);
}

static void check_impulse_of_two(const Case *it, const char *script) {
    const json_t *events = json_object_get(it->answer, "events"), *event;
    double scale = largest(it, "impulse");
    size_t i;
    json_array_foreach(events, i, event) {
        double at[2] = {element(event, "impulses", it->rows - 1),
                        element(event, "impulses", 2 * it->rows - 1)};
        assert_true(marks_at(script, at, 2, scale) > 0);
    }
    /* the state in which it ends is that of one contact or of both */
    double end[2] = {result_of(it, "impulse", 0, 2), result_of(it, "impulse", 1, 2)};
    int found = 0;
    for (int state = 1; state < 4; state++) {
        char name[24];
        double *points;
        snprintf(name, sizeof name, "state%d", state);
        size_t count = plot_block(script, name, 2, &points);
        for (size_t k = 0; k < count; k++) {
            found += fabs(points[2 * k] - end[0]) <= 6e-9 * scale &&
                     fabs(points[2 * k + 1] - end[1]) <= 6e-9 * scale;
        }
        free(points);
    }
    assert_true(found > 0);
}

/* Curve number k over the clock must end at a value. */
static void check_curve_end(const Case *it, const char *script, const char *name, size_t k,
                            double value, double scale) {
    char block[48];
    double end[2] = {total_clock(it), value};
    snprintf(block, sizeof block, "%s%zu", name, k);
    check_last(script, block, end, 2, fmax(scale, end[0]));
}

static void check_impulse_of_many(const Case *it, const char *script) {
    size_t drawn = 0;
    for (size_t i = 0; i < it->contacts; i++) {
        double end = result_of(it, "impulse", i, 2);
        if (end > 0) { /* those that never push are left out */
            check_curve_end(it, script, "impulse", drawn++, end, 0);
        }
    }
    assert_true(drawn > 0);
}

static void check_impulse(const Case *it, const char *script) {
    if (it->contacts == 1) {
        check_impulse_of_one(it, script);
    } else if (it->contacts == 2) {
        check_impulse_of_two(it, script);
    } else {
        check_impulse_of_many(it, script);
    }
}

/* More contacts than can be told apart as lines in one panel: a strip each, of normal velocities.
 */
static void check_velocity_of_many(const Case *it, const char *script) {
    for (size_t i = 0; i < it->contacts; i++) {
        check_curve_end(it, script, "velocity", i, result_of(it, "contact_velocity", i, 2),
                        largest(it, "contact_velocity"));
    }
}

static void check_velocity(const Case *it, const char *script) {
    double expected[17] = {total_clock(it)};
    size_t columns = 1;
    double scale = fmax(largest(it, "contact_velocity"), expected[0]);
    if (it->contacts > 8) {
        check_velocity_of_many(it, script);
        return;
    }
    for (size_t i = 0; i < it->contacts; i++) {
        double t1 = result_of(it, "contact_velocity", i, 0);
        double t2 = result_of(it, "contact_velocity", i, 1);
        double n = result_of(it, "contact_velocity", i, 2);
        if (it->contacts == 1) {
            expected[columns++] = t1;
            expected[columns++] = t2;
        }
        expected[columns++] = n;
        expected[columns++] = hypot(t1, t2);
    }
    check_last(script, "velocity", expected, columns, scale);
}

static void check_hodograph(const Case *it, const char *script) {
    size_t second = it->rows == 2 ? 2 : 1;
    double scale = largest(it, "contact_velocity");
    for (size_t i = 0, drawn = 0; i < it->contacts; i++) {
        const json_t *contact = json_array_get(json_object_get(it->scene, "contacts"), i);
        char name[24];
        if (it->contacts > 1 && !(number_at(contact, "mu") > 0)) {
            continue;
        }
        snprintf(name, sizeof name, "curve%zu", drawn++);
        double end[2] = {result_of(it, "contact_velocity", i, 0),
                         result_of(it, "contact_velocity", i, second)};
        check_last(script, name, end, 2, scale);
    }
    if (it->contacts == 1) {
        check_marks(it, script, "velocity", 2);
    }
}

/* The account in the picture closes as that of the answer does; the friction of a rigid contact is
 * a trapezoid sum. */
static void check_energy(const Case *it, const char *script) {
    const json_t *energy = json_object_get(it->answer, "energy");
    double *rows, change = number_at(energy, "change");
    size_t count = plot_block(script, "energy", 7, &rows);
    const double *last = &rows[7 * (count - 1)];
    double before = json_object_get(energy, "before") ? number_at(energy, "before") : 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(rows[7 * i + 2]));
        /* kinetic + stored + lost + friction + held is the energy before */
        double sum =
            rows[7 * i + 1] + rows[7 * i + 3] + rows[7 * i + 4] + rows[7 * i + 5] + rows[7 * i + 6];
        check_close(sum, before, 4e-8 * fmax(fabs(before), most)); /* measured 8e-9 */
    }
    check_near(last[0], total_clock(it), total_clock(it));
    check_near(last[1], before + change, fmax(fabs(before), most));
    check_near(last[2], -change, most);
    check_close(last[4], number_at(energy, "normal_loss"), 2e-6 * most);   /* measured 6.2e-7 */
    check_close(last[5], number_at(energy, "friction_loss"), 2e-6 * most); /* measured 6.1e-7 */
    free(rows);
}

static void check_kind(const Case *it, const char *kind) {
    static const struct {
        const char *kind;
        void (*check)(const Case *it, const char *script);
    } checks[] = {{"impulse", check_impulse},
                  {"velocity", check_velocity},
                  {"hodograph", check_hodograph},
                  {"energy", check_energy}};
    char *script = plot_script(it->path, kind, NULL);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (strcmp(kind, checks[i].kind) == 0) {
            checks[i].check(it, script);
        }
    }
    free(script);
}

/* Which kinds a scene has, and that the others are refused by name. */
static void check_scene(const char *path) {
    static const char *const kinds[] = {"hodograph", "impulse", "states", "velocity", "energy"};
    Case it = read_case(path);
    printf("  %s\n", strrchr(path, '/') + 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int has = strcmp(kinds[i], "states") == 0      ? it.contacts > 1
                  : strcmp(kinds[i], "hodograph") == 0 ? it.contacts == 1 || it.friction
                                                       : 1;
        if (has) {
            check_kind(&it, kinds[i]);
            continue;
        }
        Run run = program_run(NULL, "plot", path, "-o", work_path("never.svg"), "--kind", kinds[i],
                              (char *)NULL);
        assert_int_equal(run.status, 2);
        check_contains(run.err, ": --kind: a scene of ");
        check_contains(run.err,
                       it.contacts == 1
                           ? "one contact is drawn as hodograph, impulse, velocity or energy"
                           : "several contacts without friction is drawn as ");
        assert_int_not_equal(access(work_path("never.svg"), F_OK), 0);
        run_free(&run);
    }
    free_case(&it);
}

static int is_scene(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".json") == 0;
}

/* In a slow build every third scene. */
static void test_every_kind_of_every_scene(void **state) {
    (void)state;
    char folder[1024];
    struct dirent **scenes;
    snprintf(folder, sizeof folder, "%s/scenes", CAROM_SOURCE_DIR);
    int count = scandir(folder, &scenes, is_scene, alphasort), step = scaled(10) < 10 ? 3 : 1;
    assert_true(count >= 31);
    for (int i = 0; i < count; i++) {
        if (i % step == 0) {
            check_scene(scene_path(scenes[i]->d_name));
        }
        free(scenes[i]);
    }
    free(scenes);
}

/* The default kind of a scene. */
static void test_default_kinds(void **state) {
    (void)state;
    static const struct {
        const char *scene, *title;
    } cases[] = {{"pin_ball.json", "Bowling pin and ball: hodograph"},
                 {"ball_ball_table.json", "Ball on ball on table, elastic: impulses"},
                 {"cradle_5.json", "Newton's cradle, five balls: states"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *svg, *script = plot_script(scene_path(cases[i].scene), NULL, &svg);
        check_contains(svg, cases[i].title);
        check_contains(svg, "<desc id=\"carom_desc\">");
        free(svg);
        free(script);
    }
}

static void test_standard_input(void **state) {
    (void)state;
    size_t size;
    char *text = file_read(scene_path("cradle_3.json"), &size);
    Run run =
        program_run(text, "plot", "-", "--kind", "energy", "-o", work_path("in.svg"), (char *)NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    free(text);
    char *svg = file_read(work_path("in.svg"), &size);
    check_svg(svg);
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_every_scene),
        cmocka_unit_test(test_default_kinds),
        cmocka_unit_test(test_standard_input),
    };
    return cmocka_run_group_tests(tests, plot_script_setup, plot_script_teardown);
}
