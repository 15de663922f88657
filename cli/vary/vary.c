/* carom solve --vary: solve a scene over a range of one of its numbers, or of two. */
#include "vary/vary.h"

#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/message.h"
#include "base/text.h"
#include "report/json/json_report.h"
#include "report/text/scene_text.h"
#include "report/words/scene_words.h"
#include "scene/scene_read.h"
#include "vary/vary_map.h"
#include "vary/vary_table.h"

/* Most columns of the names of two bodies in a title. */
enum { PAIR_WIDTH = 36 };

bool vary_scene(json_t *document, const VaryRange *ranges, int count, const double *values,
                Scene *scene, Error *error) {
    json_t *copy = json_deep_copy(document);
    bool good = copy ? true : error_set(error, "out of memory");
    *scene = (Scene){0};
    for (int i = 0; i < count && good; i++) {
        good = scene_path_set(copy, &ranges[i].path, values[i], error);
    }
    good = good && scene_from_json(copy, scene, error);
    json_decref(copy);
    if (!good) {
        scene_free(scene);
    }
    return good;
}

bool vary_check(json_t *document, const Vary *vary, Error *error) {
    for (int i = 0; i < vary->count; i++) {
        const VaryRange *range = &vary->ranges[i];
        const double ends[2] = {range->from, range->to};
        for (int k = 0; k < 2; k++) {
            Scene scene;
            Error reason;
            if (!vary_scene(document, range, 1, &ends[k], &scene, &reason)) {
                return error_set(error, "--vary: %s", reason.text);
            }
            scene_free(&scene);
        }
    }
    return true;
}

static bool print_line(const Scene *scene, const Solution *solution, const VaryRange *ranges,
                       int count, const double *values) {
    json_t *line = report_json(scene, solution), *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = json_object();
        const ScenePath *path = &ranges[i].path;
        if (path->short_name[0]) {
            int contact = 0;
            sscanf(path->text, "contacts[%d]", &contact);
            json_object_set_new(object, "parameter", json_string(path->short_name));
            json_object_set_new(object, "contact", json_integer(contact));
        } else {
            json_object_set_new(object, "parameter", json_string(path->text));
        }
        json_object_set_new(object, "value", json_write_number(values[i]));
        json_array_append_new(list, object);
    }
    json_object_set(line, "vary", count == 1 ? json_array_get(list, 0) : list);
    json_decref(list);
    return json_write_line(stdout, line);
}

/* Why the first value was not solved; the table has only its status. */
static void print_failure(const char *name, const VaryRange *ranges, int count,
                          const double *values, CaromStatus status, const char *message) {
    Words place = {""};
    for (int i = 0; i < count; i++) {
        words_add(&place, "%s%s = %g", i > 0 ? ", " : "", ranges[i].path.text, values[i]);
    }
    message_error("%s: --vary: %s: %s: %s", name, place.text, carom_status_string(status), message);
}

/* Where the results go. */
typedef struct Sink {
    const char *name;
    const CaromOptions *options;
    const VaryRange *ranges;
    int count;
    VaryTable *table; /* or */
    VaryMap *map;     /* or neither: JSON */
    int worst;        /* exit status so far; -1: out of memory */
} Sink;

/* Solve for one value of each range. */
static void solve_values(json_t *document, const double *values, Sink *sink) {
    Scene scene;
    Solution solution = {0};
    Error error;
    if (!vary_scene(document, sink->ranges, sink->count, values, &scene, &error)) {
        solution.result.status = CAROM_INVALID_INPUT;
        solution.result.message = error.text;
    } else if (!solution_compute(&scene, sink->options, &solution)) {
        scene_free(&scene);
        sink->worst = -1;
        return;
    }
    const CaromResult *result = &solution.result;
    int status = solution_exit_status(result->status);
    bool good = true;
    if (status != 0 && sink->worst == 0) {
        print_failure(sink->name, sink->ranges, sink->count, values, result->status,
                      result->message);
    }
    if (sink->table) {
        vary_table_add(sink->table, &scene, values[0], &solution);
    } else if (sink->map) {
        good = vary_map_add(sink->map, &scene, values, &solution);
    } else {
        good = print_line(&scene, &solution, sink->ranges, sink->count, values);
    }
    solution_free(&solution);
    scene_free(&scene);
    sink->worst = !good ? -1 : status > sink->worst ? status : sink->worst;
}

static void solve_range(json_t *document, Sink *sink) {
    for (int i = 0; i < sink->ranges[0].count && sink->worst >= 0 && !ferror(stdout); i++) {
        double value = vary_value(&sink->ranges[0], i);
        solve_values(document, &value, sink);
    }
}

/* The second range is the inner loop. */
static void solve_map(json_t *document, Sink *sink) {
    for (int i = 0; i < sink->ranges[0].count && sink->worst >= 0 && !ferror(stdout); i++) {
        for (int k = 0; k < sink->ranges[1].count && sink->worst >= 0; k++) {
            double values[2] = {vary_value(&sink->ranges[0], i), vary_value(&sink->ranges[1], k)};
            solve_values(document, values, sink);
        }
    }
}

static void print_block_title(const Scene *scene, const VaryRange *range, int contact) {
    printf("\n%s from %g to %g", vary_name(range), range->from, range->to);
    if (range->path.short_name[0] && scene->contact_count > 1) {
        Words pair = report_pair(scene, contact);
        text_fit(pair.text, PAIR_WIDTH);
        printf(" at contact %d%s%s%s, the others as given", contact, pair.text[0] ? " (" : "",
               pair.text, pair.text[0] ? ")" : "");
    }
    putchar('\n');
}

/* The table of one range. */
static void print_block(const Scene *scene, json_t *document, int contact, Sink *sink) {
    VaryTable table;
    if (!vary_table_create(scene, sink->ranges[0].count, &table)) {
        sink->worst = -1;
    } else {
        sink->table = &table;
        solve_range(document, sink);
    }
    if (sink->worst >= 0) {
        print_block_title(scene, &sink->ranges[0], contact);
        vary_table_print(stdout, &table, vary_name(&sink->ranges[0]));
    }
    vary_table_free(&table);
}

/* A short name without an index: each contact in turn. */
static void solve_contacts(const Scene *scene, json_t *document, bool json, VaryRange *range,
                           Sink *sink) {
    bool each = range->path.any_contact;
    for (int i = 0; i < (each ? scene->contact_count : 1) && sink->worst >= 0; i++) {
        if (each) {
            snprintf(range->path.text, sizeof range->path.text, "contacts[%d].%s", i,
                     range->path.short_name);
        }
        if (json) {
            solve_range(document, sink);
        } else {
            int contact = i;
            sscanf(range->path.text, "contacts[%d]", &contact);
            print_block(scene, document, contact, sink);
        }
    }
}

int vary_fill_map(const char *name, json_t *document, VaryMap *map) {
    const CaromOptions options = carom_options_default();
    Sink sink = {.name = name,
                 .options = &options,
                 .ranges = map->vary->ranges,
                 .count = map->vary->count,
                 .map = map};
    solve_map(document, &sink);
    return sink.worst;
}

static void print_map(const Scene *scene, const Vary *vary, json_t *document, Sink *sink) {
    VaryMap map;
    Error error;
    if (vary_map_create(scene, vary, stdout, "", &map, &error)) {
        sink->map = &map;
        solve_map(document, sink);
    } else {
        sink->worst = -1;
    }
    vary_map_free(&map);
}

int vary_solve(const char *name, json_t *document, const CaromOptions *options, const Vary *vary,
               bool json) {
    Scene scene;
    Error error;
    if (!vary_check(document, vary, &error) ||
        !vary_scene(document, NULL, 0, NULL, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, json);
    }
    Sink sink = {.name = name, .options = options, .ranges = vary->ranges, .count = vary->count};
    if (vary->count == 2 && json) {
        solve_map(document, &sink);
    } else if (vary->count == 2) {
        print_map(&scene, vary, document, &sink);
    } else {
        if (!json) {
            report_scene(stdout, &scene, options->method, options->scheme.as_printed);
        }
        VaryRange range = vary->ranges[0];
        sink.ranges = &range;
        solve_contacts(&scene, document, json, &range, &sink);
    }
    scene_free(&scene);
    return sink.worst < 0 ? report_failure(name, CAROM_INVALID_INPUT, "out of memory", json)
                          : sink.worst;
}
