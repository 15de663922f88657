/* carom figures, from outside: the gallery it writes, and its messages when it cannot; and from
 * inside: when a printed and a computed value agree.
 *
 * Oracle of the values: test/reference/figures.json, which is a values.json that was looked at.
 * When figures are added or changed on purpose,
 *
 *   build/carom figures --out /tmp/f && cp /tmp/f/values.json test/reference/figures.json
 *
 * and look at the difference. The printed values themselves are compared by the program. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures/gallery.h"
#include "figures/sheet.h"
#include "support/check.h"
#include "support/cli/program.h"
#include "support/scale.h"

/* Relative, and absolute for values that are zero but for rounding. Measured: 0 between builds by
 * gcc and clang, optimised and sanitized; the rest is room for other mathematical libraries. */
#define DRIFT 1e-9
#define DRIFT_OF_ZERO 1e-12

/* Values that rounding can move farther: small differences of two impulses. */
static const struct {
    const char *figure, *part; /* of the name */
    double tolerance;
} loose[] = {{"jw-table1", ": error", 1e-6}};

static double tolerance_of(const char *figure, const char *name) {
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        if (strcmp(figure, loose[i].figure) == 0 && strstr(name, loose[i].part)) {
            return loose[i].tolerance;
        }
    }
    return DRIFT;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Is a value the same as the stored one? */
static bool same_value(const char *figure, const json_t *now, const json_t *stored) {
    static const char *const texts[] = {"group", "name", "printed", "verdict", "erratum"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(text_of(now, texts[i]), text_of(stored, texts[i])) != 0) {
            return false;
        }
    }
    const json_t *a = json_object_get(now, "computed"), *b = json_object_get(stored, "computed");
    if (!json_is_number(a) || !json_is_number(b)) {
        return json_equal(a, b);
    }
    double x = json_number_value(a), y = json_number_value(b);
    double allowed = fmax(tolerance_of(figure, text_of(stored, "name")) * fabs(y), DRIFT_OF_ZERO);
    return fabs(x - y) <= allowed;
}

/* How many values of a figure are not as stored; each is printed. */
static int count_drifts(const json_t *now, const json_t *stored) {
    const json_t *values = json_object_get(now, "values");
    const json_t *expected = json_object_get(stored, "values");
    size_t count = json_array_size(values), wanted = json_array_size(expected);
    int drifts = count != wanted;
    for (size_t i = 0; i < count && i < wanted; i++) {
        const json_t *a = json_array_get(values, i), *b = json_array_get(expected, i);
        if (!same_value(text_of(stored, "id"), a, b)) {
            char *is = json_dumps(a, JSON_COMPACT), *was = json_dumps(b, JSON_COMPACT);
            print_message("%s:\n  is  %s\n  was %s\n", text_of(stored, "id"), is, was);
            free(is);
            free(was);
            drifts++;
        }
    }
    return drifts;
}

static json_t *load(const char *path) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root) {
        fail_msg("%s: %s", path, error.text);
    }
    return root;
}

static json_t *load_reference(void) {
    return load(CAROM_SOURCE_DIR "/test/reference/figures.json");
}

static const json_t *find_figure(const json_t *root, const char *id) {
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(root, "figures"), i, figure) {
        if (strcmp(text_of(figure, "id"), id) == 0) {
            return figure;
        }
    }
    return NULL;
}

/* The elements that are open in a text of XML. */
typedef struct Open {
    char names[64][32];
    int depth;
} Open;

/* Behind the part, which must come. */
static const char *behind(const char *text, const char *part) {
    const char *found = strstr(text, part);
    assert_non_null(found);
    return found + strlen(part);
}

/* Reads one tag; returns the text behind it. */
static const char *read_tag(const char *text, Open *open) {
    bool closes = text[1] == '/';
    const char *name = text + 1 + closes, *end = name;
    size_t length = strcspn(name, " \t\n/>");
    assert_in_range(length, 1, sizeof open->names[0] - 1);
    for (char quote = 0; quote || *end != '>'; end++) {
        assert_true(*end != '\0' && *end != '<');
        quote = quote ? (*end == quote ? 0 : quote) : (*end == '"' || *end == '\'') ? *end : 0;
    }
    if (closes) {
        assert_true(open->depth > 0);
        char *last = open->names[--open->depth];
        assert_true(strlen(last) == length && strncmp(last, name, length) == 0);
    } else if (end[-1] != '/') {
        assert_in_range(open->depth, 0, 63);
        snprintf(open->names[open->depth++], sizeof open->names[0], "%.*s", (int)length, name);
    }
    return end + 1;
}

/* Elements open and close in order, and & begins nothing but entities. */
static void check_xml(const char *text) {
    Open open = {.depth = 0};
    while (*text) {
        if (strncmp(text, "<!--", 4) == 0) {
            text = behind(text, "-->");
        } else if (strncmp(text, "<![CDATA[", 9) == 0) {
            text = behind(text, "]]>");
        } else if (strncmp(text, "<?", 2) == 0 || strncmp(text, "<!", 2) == 0) {
            text = behind(text, ">");
        } else if (*text == '<') {
            text = read_tag(text, &open);
        } else if (*text == '&') {
            size_t length = strspn(text + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");
            assert_int_equal(text[1 + length], ';');
            text += length;
        } else {
            text++;
        }
    }
    assert_int_equal(open.depth, 0);
}

static char *read_gallery(const char *file) {
    char name[256];
    size_t size;
    snprintf(name, sizeof name, "gallery/%s", file);
    char *text = file_read(work_path(name), &size);
    assert_true(size > 0);
    return text;
}

/* A picture is an SVG with a description, without NaN. */
static void check_picture(const char *file) {
    char *svg = read_gallery(file);
    check_xml(svg);
    check_contains(svg, "<svg ");
    check_contains(svg, "role=\"img\"");
    check_contains(svg, "<path");
    assert_null(strstr(svg, "nan,"));
    assert_null(strstr(svg, "inf,"));
    free(svg);
}

/* Everything that the page points to is there: a place on the page, or a file beside it. */
static void check_links(const char *page, const char *attribute) {
    for (const char *at = page; (at = strstr(at, attribute));) {
        char target[128], place[160];
        at += strlen(attribute);
        size_t length = strcspn(at, "\"");
        assert_in_range(length, 1, sizeof target - 1);
        snprintf(target, sizeof target, "%.*s", (int)length, at);
        if (target[0] == '#') {
            snprintf(place, sizeof place, " id=\"%s\"", target + 1);
            check_contains(page, place);
        } else {
            free(read_gallery(target));
        }
    }
}

/* Values with a verdict, in values.json. */
static int count_verdict(const json_t *values, const char *verdict) {
    int count = 0;
    size_t i, k;
    json_t *figure, *value;
    json_array_foreach(json_object_get(values, "figures"), i, figure) {
        json_array_foreach(json_object_get(figure, "values"), k, value) {
            count += strcmp(text_of(value, "verdict"), verdict) == 0;
        }
    }
    return count;
}

/* The numbers of the sentence that counts the values are those of values.json. */
static void check_summary(const char *page, const json_t *values) {
    int figures, agree, steps, setting, errata;
    const char *sentence = strstr(page, " figures and tables. Of the printed values ");
    assert_non_null(sentence);
    while (sentence[-1] != '>') {
        sentence--;
    }
    assert_int_equal(sscanf(sentence,
                            "%d figures and tables. Of the printed values %d agree. %d have the "
                            "error of the paper's own steps, %d depend on a tolerance or a step "
                            "that is not printed, and %d differ",
                            &figures, &agree, &steps, &setting, &errata),
                     5);
    assert_int_equal(figures, json_array_size(json_object_get(values, "figures")));
    assert_int_equal(agree, count_verdict(values, "agrees"));
    assert_int_equal(steps + setting + errata, count_verdict(values, "erratum"));
}

static void check_page(const json_t *values) {
    char *page = read_gallery("index.html");
    check_xml(page);
    check_summary(page, values);
    check_links(page, " href=\"");
    check_links(page, " src=\"");
    size_t i, k;
    json_t *figure, *picture;
    json_array_foreach(json_object_get(values, "figures"), i, figure) {
        char part[256];
        snprintf(part, sizeof part, "<section id=\"%s\"", text_of(figure, "id"));
        check_contains(page, part);
        json_array_foreach(json_object_get(figure, "pictures"), k, picture) {
            snprintf(part, sizeof part, "src=\"%s\" alt=\"", json_string_value(picture));
            check_contains(page, part);
            check_picture(json_string_value(picture));
        }
    }
    free(page);
}

/* Every test has the directory for itself; at the end it is gone. */
static int remove_gallery(void **state) {
    (void)state;
    directory_remove(work_path("gallery"));
    return 0;
}

static void check_good(Run run) {
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    check_contains(run.out, "0 not as expected");
    run_free(&run);
}

/* The whole gallery; in a slow build a part of it. */
static void test_gallery(void **state) {
    (void)state;
    const char *directory = work_path("gallery");
    bool whole = scaled(10) >= 10;
    check_good(whole ? program_run(NULL, "figures", "--out", directory, (char *)NULL)
                     : program_run(NULL, "figures", "--out", directory, "--only", "jw-4a", "--only",
                                   "jw-8", "--only", "m-2.8", "--only", "m-3.1", (char *)NULL));
    json_t *values = load(work_path("gallery/values.json")), *stored = load_reference(), *figure;
    size_t i, count = json_array_size(json_object_get(values, "figures"));
    assert_int_equal(count, whole ? json_array_size(json_object_get(stored, "figures")) : 4);
    int drifts = 0;
    json_array_foreach(json_object_get(values, "figures"), i, figure) {
        const json_t *reference = find_figure(stored, text_of(figure, "id"));
        assert_non_null(reference);
        drifts += count_drifts(figure, reference);
    }
    assert_int_equal(drifts, 0);
    check_page(values);
    json_decref(values);
    json_decref(stored);
}

/* The comparison sees a number that has moved, a verdict, and a value that is gone. */
static void test_drift_is_seen(void **state) {
    (void)state;
    json_t *stored = load_reference();
    const json_t *figure = find_figure(stored, "jw-4a");
    json_t *copy = json_deep_copy(figure), *values = json_object_get(copy, "values");
    json_t *value = json_array_get(values, 1);
    double computed = json_number_value(json_object_get(value, "computed"));
    assert_int_equal(count_drifts(copy, figure), 0);
    json_object_set_new(value, "computed", json_real(computed * (1 + 2e-9)));
    assert_int_equal(count_drifts(copy, figure), 1);
    json_object_set_new(value, "computed", json_real(computed));
    json_object_set_new(value, "verdict", json_string("erratum"));
    assert_int_equal(count_drifts(copy, figure), 1);
    json_object_set_new(value, "verdict", json_string("agrees"));
    json_array_remove(values, json_array_size(values) - 1);
    assert_int_equal(count_drifts(copy, figure), 1);
    json_decref(copy);
    json_decref(stored);
}

/* PNG beside the SVG, and no other files. */
static void test_png(void **state) {
    (void)state;
    check_good(program_run(NULL, "figures", "--out", work_path("gallery"), "--only", "m-2.2",
                           "--png", (char *)NULL));
    char *png = read_gallery("m-2.2.png");
    assert_int_equal(memcmp(png, "\x89PNG", 4), 0);
    free(png);
    assert_int_not_equal(access(work_path("gallery/jw-4a.svg"), F_OK), 0);
}

static void test_list(void **state) {
    (void)state;
    Run run = program_run(NULL, "figures", "--list", (char *)NULL);
    assert_int_equal(run.status, 0);
    json_t *stored = load_reference(), *figure;
    size_t i;
    const char *line = run.out;
    json_array_foreach(json_object_get(stored, "figures"), i, figure) {
        const char *id = text_of(figure, "id");
        assert_non_null(line);
        assert_int_equal(strncmp(line, id, strlen(id)), 0);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
    json_decref(stored);
    run_free(&run);
}

static void check_fails(Run run, const char *part) {
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    check_contains(run.err, part);
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    run_free(&run);
}

static void test_wrong_use(void **state) {
    (void)state;
    check_fails(program_run(NULL, "figures", "--only", "jw-99", (char *)NULL),
                "carom: figures: --only: no figure \"jw-99\"; --list names them");
    check_fails(program_run(NULL, "figures", "scene.json", (char *)NULL), "takes no file");
    check_fails(program_run(NULL, "figures", "--out", "", (char *)NULL), "--out");
    check_fails(program_run(NULL, "figures", "--out", (char *)NULL), "a value is missing");
    check_fails(program_run(NULL, "figures", "--bad", (char *)NULL), "unknown option");
    check_fails(program_run(NULL, "figures", "--out", work_text("file", ""), "--only", "m-2.2",
                            (char *)NULL),
                "is not a directory");
    check_output(program_run(NULL, "figures", "--help", (char *)NULL), "--only ID");
}

static void test_without_gnuplot(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    Run run = program_run(NULL, "figures", "--out", work_path("gallery"), (char *)NULL);
    setenv("PATH", path, 1);
    free(path);
    check_fails(run, "gnuplot is not installed");
}

/* One unit of the last printed digit, and no more. */
static void test_agreement(void **state) {
    (void)state;
    assert_true(figure_number_agrees("0.0436", 0.0436313));
    assert_true(figure_number_agrees("0.0436", 0.0435));
    assert_false(figure_number_agrees("0.0436", 0.04349));
    assert_true(figure_number_agrees("-3", -2.0));
    assert_false(figure_number_agrees("-3", -1.999));
    assert_true(figure_number_agrees("6.05e-5", 6.059e-5));
    assert_false(figure_number_agrees("6.05e-5", 6.07e-5));
    assert_true(figure_number_agrees("1.10", 1.11));
    assert_false(figure_number_agrees("1.10", 1.112));
    assert_false(figure_number_agrees("about 3", 3));
    assert_false(figure_number_agrees("", 0));
    assert_false(figure_number_agrees("0.5", NAN));
}

static bool make_verdicts(FigureSheet *sheet) {
    figure_value(sheet, "right", "0.5", 0.52, NULL, NULL);
    figure_value(sheet, "wrong, known", "0.5", 0.7, "why", NULL);
    figure_value(sheet, "wrong", "0.5", 0.7, NULL, NULL);
    figure_value(sheet, "right after all", "0.5", 0.52, "why", NULL);
    figure_value(sheet, "new", NULL, 0.7, NULL, NULL);
    figure_measured(sheet, "time", "0.5", 0.7, NULL);
    figure_count(sheet, "count", "2", 2, NULL, NULL);
    figure_count(sheet, "another count", "2", 3, NULL, NULL);
    figure_words(sheet, "words", "csr", "csr", NULL, NULL);
    figure_words(sheet, "other words", "clr", "cr", "why", NULL);
    return true;
}

static bool make_nothing(FigureSheet *sheet) {
    return figure_fail(sheet, "no %s", "way");
}

static bool make_nan(FigureSheet *sheet) {
    figure_value(sheet, "it", NULL, NAN, NULL, NULL);
    return true;
}

static void test_verdicts(void **state) {
    (void)state;
    static const FigureVerdict expected[] = {
        FIGURE_AGREES,   FIGURE_ERRATUM, FIGURE_DIFFERS, FIGURE_NO_ERRATUM, FIGURE_NOT_PRINTED,
        FIGURE_MEASURED, FIGURE_AGREES,  FIGURE_DIFFERS, FIGURE_AGREES,     FIGURE_ERRATUM};
    const Figure figure = {.id = "x", .make = make_verdicts};
    FigureSheet sheet;
    assert_true(figure_sheet_make(&sheet, NULL, &figure, "/nonexistent", false));
    assert_int_equal(sheet.value_count, sizeof expected / sizeof *expected);
    for (int i = 0; i < sheet.value_count; i++) {
        assert_int_equal(sheet.values[i].verdict, expected[i]);
    }
    assert_int_equal(figure_sheet_count(&sheet, FIGURE_DIFFERS), 2);
    figure_sheet_free(&sheet);
    const Figure nothing = {.id = "x", .make = make_nothing}, nan = {.id = "x", .make = make_nan};
    assert_false(figure_sheet_make(&sheet, NULL, &nothing, "/nonexistent", false));
    assert_string_equal(sheet.failure, "no way");
    figure_sheet_free(&sheet);
    assert_false(figure_sheet_make(&sheet, NULL, &nan, "/nonexistent", false));
    figure_sheet_free(&sheet);
}

static bool make_reasons(FigureSheet *sheet) {
    figure_value(sheet, "right", "0.5", 0.52, NULL, NULL);
    figure_value(sheet, "wrong", "0.5", 0.7, "why", NULL);
    figure_value(sheet, "wrong too", "0.5", 0.7, "why else", NULL);
    figure_value(sheet, "steps", "0.5", 0.7, FIGURE_STEPS "why", NULL);
    figure_value(sheet, "more steps", "0.5", 0.7, FIGURE_STEPS "why", NULL);
    figure_value(sheet, "steps again", "0.5", 0.7, FIGURE_STEPS "why", NULL);
    figure_value(sheet, "setting", "0.5", 0.7, FIGURE_SETTING "why", NULL);
    figure_value(sheet, "steps that agree", "0.5", 0.52, FIGURE_STEPS "why", NULL);
    figure_value(sheet, "new", NULL, 0.7, NULL, NULL);
    return true;
}

/* Errata are counted apart from errors of the steps and from what is not printed. */
static void test_counts(void **state) {
    (void)state;
    const Figure figure = {.id = "x", .make = make_reasons}, bad = {.id = "y", .make = make_nan};
    FigureSheet sheets[2];
    assert_true(figure_sheet_make(&sheets[0], NULL, &figure, "/nonexistent", false));
    assert_false(figure_sheet_make(&sheets[1], NULL, &bad, "/nonexistent", false));
    GalleryCounts counts = gallery_count(&(Gallery){sheets, 2});
    assert_int_equal(counts.agree, 1);
    assert_int_equal(counts.reasons[FIGURE_REASON_ERRATUM], 2);
    assert_int_equal(counts.reasons[FIGURE_REASON_STEPS], 3);
    assert_int_equal(counts.reasons[FIGURE_REASON_SETTING], 1);
    assert_int_equal(counts.unexpected, 1);
    assert_int_equal(counts.failed, 1);
    figure_sheet_free(&sheets[0]);
    figure_sheet_free(&sheets[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_gallery, remove_gallery),
                                       cmocka_unit_test(test_drift_is_seen),
                                       cmocka_unit_test_teardown(test_png, remove_gallery),
                                       cmocka_unit_test(test_list),
                                       cmocka_unit_test_teardown(test_wrong_use, remove_gallery),
                                       cmocka_unit_test(test_without_gnuplot),
                                       cmocka_unit_test(test_agreement),
                                       cmocka_unit_test(test_verdicts),
                                       cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
