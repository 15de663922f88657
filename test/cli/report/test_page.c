/* carom solve --report, from outside: what its pages hold.
 *
 * Oracles: the answer of --json, whose numbers must stand on the page and which the page carries to
 * the last digit; the scene's own bytes; a reader of markup that accepts nothing but what pages are
 * made of. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/markup.h"
#include "support/cli/program.h"
#include "support/cli/report.h"
#include "support/cli/scene_text.h"

/* A row of a table: its title, with a unit if the scene says its units, then these numbers as
 * results are shown. */
static void check_row(const char *page, const char *title, const double *numbers, size_t count) {
    char row[512];
    const char *unit = !strstr(page, "<p>Units: m, kg, s;") ? ""
                       : strcmp(title, "Impulse") == 0      ? " (N s)"
                       : strncmp(title, "Velocity", 8) == 0 ? " (m/s)"
                                                            : "";
    size_t used = (size_t)snprintf(row, sizeof row, ">%s%s</th>", title, unit);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(row + used, sizeof row - used, "<td class=\"number\">%.7g</td>",
                                 numbers[i] + 0.0);
    }
    assert_true(used < sizeof row);
    check_contains(page, row);
}

/* As check_row(), with numbers of an array from the first on. */
static void check_array_row(const char *page, const char *title, const json_t *array, size_t first,
                            size_t count) {
    double numbers[8];
    assert_true(count <= 8 && first + count <= json_array_size(array));
    for (size_t i = 0; i < count; i++) {
        numbers[i] = json_number_value(json_array_get(array, first + i));
    }
    check_row(page, title, numbers, count);
}

/* Impulse and velocity of every contact; there are few, each with a table of its own. */
static void check_contacts(const char *page, const json_t *line, size_t rows) {
    const json_t *impulse = json_object_get(line, "impulse");
    const json_t *velocity = json_object_get(line, "contact_velocity");
    assert_int_equal(json_array_size(impulse) % rows, 0);
    for (size_t i = 0; i < json_array_size(impulse); i += rows) {
        check_array_row(page, "Impulse", impulse, i, rows);
        check_array_row(page, "Velocity after", velocity, i, rows);
    }
}

static void check_energy(const char *page, const json_t *energy) {
    static const struct {
        const char *key, *title;
    } rows[] = {{"before", "before"},
                {"after", "after"},
                {"change", "change"},
                {"friction_loss", "lost to friction"},
                {"normal_loss", "lost in the normal direction"}};
    char residual[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const json_t *amount = json_object_get(energy, rows[i].key);
        if (amount) { /* before and after only where the masses are known */
            double number = json_number_value(amount);
            check_row(page, rows[i].title, &number, 1);
        }
    }
    snprintf(residual, sizeof residual, "fails to close by</th><td class=\"number\">%.1e</td>",
             number_at(energy, "residual"));
    check_contains(page, residual);
}

/* The velocities of the bodies or of the mechanism, where the scene has any. */
static void check_motion(const char *page, const json_t *line) {
    const json_t *bodies = json_object_get(line, "bodies");
    for (size_t i = 0; i < json_array_size(bodies); i++) {
        const json_t *body = json_array_get(bodies, i);
        char title[64];
        snprintf(title, sizeof title, "%s after", text_at(body, "name"));
        if (strstr(page, title)) { /* not the floor */
            check_array_row(page, title, json_object_get(body, "velocity"), 0, 3);
            if (!strstr(page, "Angular velocities do not change.")) {
                check_array_row(page, title, json_object_get(body, "angular_velocity"), 0, 3);
            }
        }
    }
    const json_t *speeds = json_object_get(line, "velocity");
    for (size_t i = 0; i < json_array_size(speeds); i++) {
        char cells[64];
        snprintf(cells, sizeof cells, "<td class=\"number\">%.7g</td><td class=\"number\">",
                 json_number_value(json_array_get(speeds, i)));
        check_contains(page, cells); /* after, and then the change */
    }
}

/* The page carries the scene as it is in its file, and the answer as it was printed. */
static void check_carried(const char *page, const char *name, const json_t *line) {
    size_t size, carried_size;
    char marker[128], *scene = file_read(scene_path(name), &size);
    snprintf(marker, sizeof marker, "<a download=\"%s\"", name);
    char *carried = carried_file(page, marker, &carried_size);
    assert_int_equal(carried_size, size);
    assert_memory_equal(carried, scene, size);
    free(carried);
    free(scene);
    carried = carried_file(page, "<a download=\"result.json\"", &carried_size);
    json_t *answer = parse_line(carried);
    assert_true(json_equal(answer, line));
    json_decref(answer);
    free(carried);
}

/* Each picture is a whole SVG and is described. */
static void check_pictures(const char *page, int least) {
    int count = 0;
    for (const char *at = page; (at = strstr(at, "<img src=\"data:image/svg+xml")); at++, count++) {
        size_t size;
        char *svg = carried_file(at, "<img", &size);
        assert_int_equal(strncmp(svg, "<?xml", 5), 0);
        assert_non_null(strstr(svg, "</svg>"));
        const char *alt = strstr(at, "\" alt=\"");
        assert_true(alt && strcspn(alt + 7, "\"") > 40);
        free(svg);
    }
    assert_true(count >= least);
    count += count_of(page, "<figure class=\"bodies\">"); /* drawn in the page itself */
    assert_int_equal(count_of(page, "<figcaption>"), count);
}

/* No contact has pushed yet. */
static bool is_at_start(const json_t *event) {
    const json_t *impulses = json_object_get(event, "impulses");
    for (size_t i = 0; i < json_array_size(impulses); i++) {
        if (json_number_value(json_array_get(impulses, i)) != 0) {
            return false;
        }
    }
    return number_at(event, "normal_impulse") == 0;
}

/* Rows of the events' table: those for the start, and one per event but those by which contacts act
 * from the start. */
static void check_events(const char *page, const json_t *line, int start) {
    const json_t *events = json_object_get(line, "events");
    const char *table = strstr(page, "event</th>"), *end = table ? strstr(table, "</table>") : NULL;
    assert_true(table && end);
    int rows = 0, told = start;
    for (const char *at = table; (at = strstr(at, "<tr>")) && at < end; at++) {
        rows++;
    }
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        told += strcmp(text_at(event, "event"), "activation") != 0 || !is_at_start(event);
    }
    assert_int_equal(rows, told);
}

/* Solve a scene that comes with the project, with its page; json_decref() the answer. */
static json_t *solve(const char *name) {
    Run run = program_run(NULL, "solve", "--json", "--report", work_path("report"),
                          scene_path(name), NULL);
    assert_string_equal(run.err, "");
    return run_line(run);
}

static void test_pages_have_the_numbers_of_json(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t rows; /* per contact */
        const char *parts[3];
    } cases[] = {
        {"icosahedron_tetrahedron",
         3, /* contact space */
         {"<h1>Icosahedron on tetrahedron</h1>", "<p>Sequence: csr ",
          "compression ends, energy 0.00144983 stored"}},
        {"thrown_ball",
         3, /* bodies */
         {"<strong>ball</strong> has the velocity (16.3332, -0.713226, 5.25)", "ball hits floor",
          "20.42 % is lost: 16.56 % to friction, 3.86 % in the normal direction"}},
        {"pencil", 3, {"Along the surface", "stick ends: the contact slips", "stiffness ratio"}},
        {"double_pendulum",
         2, /* planar */
         {"|W_tn/W_tt| = 0.457219 &gt; 0.4", "u[1]", "Mass matrix"}},
        {"rod_newton",
         3,
         {"Warning: energy_gain: the newton law", "orientation", "grows by 4.39 %"}},
        {"ball_ball_table_plastic",
         3,
         {"States, as each begins", "S3 only 0", "ball hits lower ball"}},
        {"masse_shot", 3, {"Massé shot", "contacts 0 and 1 act from the start", "S2 only 1"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char scene[64], name[64];
        snprintf(scene, sizeof scene, "%s.json", cases[i].name);
        snprintf(name, sizeof name, "%s.html", cases[i].name);
        json_t *line = solve(scene);
        char *page = report_page(name);
        check_contacts(page, line, cases[i].rows);
        check_motion(page, line);
        check_energy(page, json_object_get(line, "energy"));
        check_events(page, line, 1);
        check_carried(page, scene, line);
        check_pictures(page, 2);
        for (int k = 0; k < 3; k++) {
            check_contains(page, cases[i].parts[k]);
        }
        free(page);
        json_decref(line);
    }
    assert_int_equal(report_file_count(),
                     sizeof cases / sizeof *cases); /* pages and nothing else */
}

/* A page begins with the outcome in plain words, and has a picture of the bodies and a link. */
static void test_begins_in_plain_words(void **state) {
    (void)state;
    json_decref(solve("thrown_ball.json"));
    char *page = report_page("thrown_ball.html");
    check_contains(page,
                   "</h1>\n<p><strong>Ball and floor meet at 7 m/s (normal speed) and part at "
                   "5.25 m/s, without slip. 79.6 % of the energy is left.</strong></p>");
    check_contains(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    check_contains(page, "<circle class=\"body\"");
    check_contains(page, "<path class=\"floor\"");
    check_contains(page, "<a href=\"lab.html#json=");
    free(page);
    json_decref(solve("rod_newton.json"));
    page = report_page("rod_newton.html");
    check_contains(page, "The law creates energy: 4.4 % more than before.</strong>");
    check_contains(page, "<polygon class=\"body\"");
    free(page);
}

/* A wall that moves is given with its motion, a floor that does not with its mass alone. */
static void test_immovable_bodies(void **state) {
    (void)state;
    static const char *const floors[] = {
        FLOOR, "{\"name\":\"floor\",\"mass\":\"infinite\",\"velocity\":[0.5,0,0]}"};
    static const char *const rows[] = {
        ">floor</th><td class=\"number\">infinite</td><td class=\"number\"></td>"
        "<td class=\"number\"></td><td class=\"number\"></td><td class=\"number\"></td></tr>",
        ">floor</th><td class=\"number\">infinite</td><td class=\"number\"></td>"
        "<td class=\"vector\">(0, 0, 0)</td><td class=\"vector\">(0.5, 0, 0)</td>"
        "<td class=\"vector\">(0, 0, 0)</td></tr>"};
    for (int i = 0; i < 2; i++) {
        char scene[1024];
        snprintf(scene, sizeof scene,
                 BODIES(BALL ",\"velocity\":[0,0,-1]},%s", PLACE ",\"bodies\":[0,1]"), floors[i]);
        Run run = program_run(NULL, "solve", "--report", work_path("report"),
                              work_text("floor.json", scene), NULL);
        assert_int_equal(run.status, 0);
        char *page = report_page("floor.html");
        check_contains(page, rows[i]);
        free(page);
        run_free(&run);
    }
}

/* More contacts than are reported in full: a row each, with the answer's normal impulse. */
static void test_many_contacts(void **state) {
    (void)state;
    json_t *line = solve("cradle_10.json");
    char *page = report_page("cradle_10.html");
    for (size_t i = 0; i < 9; i++) {
        char title[64];
        snprintf(title, sizeof title, "%zu: ball %zu %s ball %zu", i, i + 1,
                 i == 0 ? "hits" : "touches", i + 2);
        check_array_row(page, title, json_object_get(line, "impulse"), 3 * i + 2, 1);
    }
    check_contains(page, "8 of 9 contacts act from the start, 1 more later on");
    check_contains(page, "Angular velocities do not change.");
    check_events(page, line, 0); /* reported in the sentence above */
    free(page);
    json_decref(line);
}

/* More rows than a page has: the page says how many there are, and that the result is not on it.
 * 200 balls fall on the floor, each at a contact of its own, and can be drawn. */
static void test_long_tables_are_cut(void **state) {
    (void)state;
    enum { COUNT = 200 };
    char *text = NULL;
    size_t size;
    FILE *scene = open_memstream(&text, &size);
    assert_non_null(scene);
    fprintf(scene, "{\"carom\":1,\"model\":\"compliant\",\"bodies\":[" FLOOR);
    for (int i = 0; i < COUNT; i++) {
        fprintf(scene,
                ",{\"mass\":1,\"inertia\":[1,1,1],\"position\":[%d,0,1],\"velocity\":[0,0,-1]}",
                3 * i);
    }
    fprintf(scene, "],\"contacts\":[");
    for (int i = 0; i < COUNT; i++) {
        fprintf(scene,
                "%s{\"mu\":0,\"e\":1,\"bodies\":[\"body %d\",\"floor\"],\"point\":[%d,0,0],"
                "\"normal\":[0,0,1]}",
                i > 0 ? "," : "", i + 1, 3 * i);
    }
    fprintf(scene, "]}");
    fclose(scene);
    Run run = program_run(NULL, "solve", "--report", work_path("report"),
                          work_text("many.json", text), NULL);
    assert_int_equal(run.status, 0);
    char *page = report_page("many.html");
    check_contains(page, "... and 100 more contacts.");
    check_contains(page, "... and 101 more bodies."); /* the floor is one of those given */
    check_contains(page, "... and 100 more bodies."); /* but does not move */
    check_contains(page, "more events ...");
    check_contains(page, "<p>The result with all digits is too large to be carried by this page");
    assert_null(strstr(page, "result.json"));
    check_pictures(page, 4);
    free(page);
    free(text);
    run_free(&run);
}

/* Nothing in a scene is anything but text on its page. */
static void test_names_are_only_text(void **state) {
    (void)state;
    static const char scene[] =
        "{\"carom\":1,\"name\":\"</title><script>alert(1)</script>\","
        "\"description\":\"<img src=x onerror='alert(2)'> & \\u0001\\u0085 \\\"]]> -->\","
        "\"model\":\"rigid\",\"bodies\":["
        "{\"name\":\"\\\"><b>bold</b>\",\"mass\":2,\"inertia\":[1,1,1],\"position\":[0,0,1],"
        "\"velocity\":[1,0,-1]},{\"name\":\"\\uFFFE<floor>\",\"mass\":\"infinite\"}],"
        "\"contacts\":[{\"bodies\":[\"\\\"><b>bold</b>\",\"\\uFFFE<floor>\"]," PLACE "}]}";
    Run run = program_run(NULL, "solve", "--report", work_path("report"),
                          work_text("\"'<&> ä;.json", scene), NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    char *page = report_page("\"'<&> ä;.html");
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<b>"));
    assert_null(strstr(page, "<img src=x"));
    assert_null(strstr(page, "\xEF\xBF\xBE")); /* U+FFFE */
    check_contains(page, "<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>");
    check_contains(page, "<p>&lt;img src=x onerror='alert(2)'&gt; &amp; \uFFFD\uFFFD &quot;]]&gt;");
    check_contains(page, "&quot;&gt;&lt;b&gt;bold&lt;/b&gt; hits ?&lt;floor&gt;");
    check_contains(page, "<a download=\"&quot;'&lt;&amp;&gt; ä;.json\"");
    check_contains(page, "<pre>carom solve --report . '&quot;'\\''&lt;&amp;&gt; ä;.json'</pre>");
    free(page);
    run_free(&run);
}

/* How to do it again has all options that matter, and numbers that read back. */
static void test_the_command_is_told(void **state) {
    (void)state;
    const char *report = work_path("report");
    Run run = program_run(NULL, "solve", "--method", "euler", "--step", "0.001", "--as-printed",
                          "--stop-energy", "1e-4", "--report", report, scene_path("ball_spin.json"),
                          NULL);
    assert_int_equal(run.status, 0);
    char *page = report_page("ball_spin.html");
    check_contains(page, "<pre>carom solve --report . --method euler --step 0.001 "
                         "--stop-energy 0.0001 --as-printed ball_spin.json</pre>");
    check_contains(page, "They show the exact process, whatever the method of the numbers.");
    check_contains(page, "compliant, energetic restitution, method euler as printed");
    free(page);
    run_free(&run);
    /* a result that is not accurate enough has a page that says so */
    run = program_run(NULL, "solve", "--tolerance", "1e-300", "--report", report,
                      scene_path("pencil.json"), NULL);
    assert_int_equal(run.status, 1);
    page = report_page("pencil.html");
    check_contains(page, "<p class=\"warn\">Warning: not_converged: ");
    check_contains(page, " --tolerance 1e-300 pencil.json</pre>");
    free(page);
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_pages_have_the_numbers_of_json, report_remove),
        cmocka_unit_test_teardown(test_begins_in_plain_words, report_remove),
        cmocka_unit_test_teardown(test_immovable_bodies, report_remove),
        cmocka_unit_test_teardown(test_many_contacts, report_remove),
        cmocka_unit_test_teardown(test_long_tables_are_cut, report_remove),
        cmocka_unit_test_teardown(test_names_are_only_text, report_remove),
        cmocka_unit_test_teardown(test_the_command_is_told, report_remove),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
