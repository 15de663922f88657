/* Numbers of a scene replaced in memory.
 *
 * Oracle: the same number replaced in the document, and the scene read again: the same bits in all
 * that the solver gets, and the same refusals. Every number of every scene in scenes/. */
#include "scene/scene_slot.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_read.h"
#include "support/check.h"

static int slots_found, refused;

static void check_bytes(const void *a, const void *b, size_t size, const char *path) {
    if (size > 0 && memcmp(a, b, size) != 0) {
        fail_msg("%s: another scene", path);
    }
}

/* All numbers of the problem, and the motion before it. */
static void check_same(const Scene *a, const Scene *b, const char *path) {
    size_t n = (size_t)a->contact_count, m = (size_t)scene_rows(a) * n;
    check_bytes(a->contacts, b->contacts, n * sizeof *a->contacts, path);
    check_bytes(a->inverse_inertia, b->inverse_inertia, m * m * sizeof(double), path);
    check_bytes(a->velocity, b->velocity, m * sizeof(double), path);
    check_bytes(a->bodies, b->bodies, (size_t)a->body_count * sizeof *a->bodies, path);
    check_bytes(a->system.speeds, b->system.speeds, (size_t)a->system.speed_count * sizeof(double),
                path);
}

static void check_number(json_t *document, const ScenePath *path, double number) {
    Error error;
    Scene scene = {0}, read = {0};
    SceneSlot slot;
    json_t *copy = json_deep_copy(document);
    assert_true(scene_from_json(document, &scene, &error));
    if (scene_slot_find(path, document, &scene, &slot)) {
        slots_found++;
        bool good = scene_slot_set(&slot, number, &scene) && scene_slots_complete(&scene);
        assert_true(scene_path_set(copy, path, number, &error));
        bool wanted = scene_from_json(copy, &read, &error);
        if (good != wanted) {
            fail_msg("%s = %g: %s", path->text, number, wanted ? "not refused" : error.text);
        }
        refused += !good;
        if (good) {
            check_same(&scene, &read, path->text);
        }
    }
    json_decref(copy);
    scene_free(&read);
    scene_free(&scene);
}

/* All numbers at or below a node, whose path is text. */
static void visit(json_t *document, json_t *node, const char *text) {
    char longer[SCENE_PATH_SIZE];
    const char *key;
    json_t *member;
    size_t i;
    Error error;
    ScenePath path;
    if (json_is_object(node)) {
        json_object_foreach(node, key, member) {
            snprintf(longer, sizeof longer, "%s%s%s", text, text[0] ? "." : "", key);
            visit(document, member, longer);
        }
    } else if (json_is_array(node)) {
        json_array_foreach(node, i, member) {
            snprintf(longer, sizeof longer, "%s[%zu]", text, i);
            visit(document, member, longer);
        }
    } else if (json_is_number(node) && scene_path_read(text, strlen(text), &path, &error)) {
        double x = json_number_value(node);
        check_number(document, &path, 0.9 * x + 0.01);
        check_number(document, &path, -1 - x);
    }
}

static void test_scenes(void **state) {
    (void)state;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/scenes");
    const struct dirent *entry;
    int count = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        char name[512];
        json_error_t why;
        Scene scene = {0};
        Error error;
        if (!strstr(entry->d_name, ".json")) {
            continue;
        }
        snprintf(name, sizeof name, "%s/scenes/%s", CAROM_SOURCE_DIR, entry->d_name);
        json_t *document = json_load_file(name, 0, &why);
        assert_non_null(document);
        if (scene_from_json(document, &scene, &error) && scene.contact_count < 20) {
            json_t *fixed = json_deep_copy(document); /* paths add defaults to the document */
            visit(document, fixed, "");
            json_decref(fixed);
            count++;
        }
        scene_free(&scene);
        json_decref(document);
    }
    closedir(folder);
    print_message("%d scenes, %d numbers with slots, %d of them refused\n", count, slots_found,
                  refused);
    assert_true(count > 10 && slots_found > 500 && refused > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
