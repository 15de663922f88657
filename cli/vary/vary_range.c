/* Ranges of one or two numbers of a scene. */
#include "vary/vary_range.h"

#include <string.h>

#include "base/text.h"
#include "io/command_line.h"

const char *vary_name(const VaryRange *range) {
    return scene_path_name(&range->path);
}

double vary_value(const VaryRange *range, int index) {
    return scene_path_between(&range->path, range->from, range->to,
                              (double)index / (range->count - 1));
}

/* One end of the range. */
static int read_end(const char *command, const char *text, size_t length, const VaryRange *range,
                    const char *which, double *end) {
    int shown = (int)(length < 64 ? length : 64);
    if (!text_span_to_number(text, length, end)) {
        return usage_fail(command, "--vary: %s: %s must be a number, got \"%.*s\"",
                          vary_name(range), which, shown, text);
    }
    if (scene_path_is_stiffness(&range->path) && !(*end > 0)) {
        return usage_fail(command, "--vary: %s: must be > 0, got %.*s", vary_name(range), shown,
                          text);
    }
    return 0;
}

/* FROM:TO:COUNT */
static int read_range(const char *command, const char *text, VaryRange *range) {
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second) {
        return usage_fail(command, "--vary: %s: the range must be FROM:TO:COUNT, got \"%s\"",
                          vary_name(range), text);
    }
    int wrong = read_end(command, text, (size_t)(first - text), range, "FROM", &range->from);
    if (!wrong) {
        wrong = read_end(command, first + 1, (size_t)(second - first - 1), range, "TO", &range->to);
    }
    if (wrong) {
        return wrong;
    }
    long count;
    if (!text_to_integer(second + 1, 2, VARY_COUNT_MAX, &count)) {
        return usage_fail(command, "--vary: %s: COUNT must be 2 to %d, got \"%s\"",
                          vary_name(range), VARY_COUNT_MAX, second + 1);
    }
    if (range->from == range->to) {
        return usage_fail(command, "--vary: %s: FROM and TO must be different", vary_name(range));
    }
    range->count = (int)count;
    return 0;
}

int vary_read(const char *command, const char *text, void *target) {
    Vary *vary = target;
    const char *equals = strchr(text, '=');
    Error error;
    if (vary->count == 2) {
        return usage_fail(command, "--vary: given three times, takes one or two ranges");
    }
    if (!equals) {
        return usage_fail(command, "--vary: must be PATH=FROM:TO:COUNT, got \"%s\"", text);
    }
    VaryRange *range = &vary->ranges[vary->count];
    if (!scene_path_read(text, (size_t)(equals - text), &range->path, &error)) {
        return usage_fail(command, "--vary: %s", error.text);
    }
    int wrong = read_range(command, equals + 1, range);
    if (wrong) {
        return wrong;
    }
    vary->count++;
    if (vary->count == 2 && strcmp(vary->ranges[0].path.text, range->path.text) == 0) {
        return usage_fail(command, "--vary: %s: given twice", vary_name(range));
    }
    if (vary->count == 2 && (long)vary->ranges[0].count * range->count > VARY_MAP_MAX) {
        return usage_fail(command, "--vary: a map has at most %d points, got %d times %d",
                          VARY_MAP_MAX, vary->ranges[0].count, range->count);
    }
    return 0;
}
