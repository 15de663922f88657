/* The field of a JSON text to which a byte belongs. The parser reports syntax errors (NaN, 1e999, a
 * duplicate name) by line and column only. */
#include "base/json_place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 8 }; /* a scene needs 4 */

typedef struct Level {
    bool is_object;
    bool in_value;   /* of an object: after the colon */
    const char *key; /* of an object: the last name, without quotes */
    int key_length;
    size_t index; /* of an array */
} Level;

/* Position after the string that starts at the quote at i. */
static size_t skip_string(const char *text, size_t i, size_t position) {
    for (i++; i < position && text[i] != '"'; i++) {
        i += text[i] == '\\';
    }
    return i < position ? i + 1 : position;
}

static void write_path(const Level *levels, int depth, JsonPlace *place) {
    size_t used = 0;
    for (int k = 1; k <= depth && used < sizeof place->path; k++) {
        char *end = place->path + used;
        size_t room = sizeof place->path - used;
        int length = 0;
        if (!levels[k].is_object) {
            length = snprintf(end, room, "[%zu]", levels[k].index);
        } else if (levels[k].key) {
            length = snprintf(end, room, "%s%.*s", used ? "." : "",
                              levels[k].key_length < 64 ? levels[k].key_length : 64, levels[k].key);
        }
        used += (size_t)length;
    }
}

JsonPlace json_place_find(const char *text, size_t position) {
    JsonPlace place = {.path = "", .value = position};
    Level levels[DEPTH_MAX + 1] = {{0}}; /* levels[0]: around the document */
    int depth = 0;
    bool at_value = true; /* the next thing that is not blank starts a value */
    for (size_t i = 0; i < position;) {
        Level *level = &levels[depth];
        char c = text[i];
        bool blank = strchr(" \t\r\n", c) && c;
        if (at_value && !blank) {
            place.value = i;
            at_value = false;
        }
        if (c == '"') {
            size_t end = skip_string(text, i, position);
            if (level->is_object && !level->in_value) {
                level->key = text + i + 1;
                level->key_length = end - i >= 2 ? (int)(end - i - 2) : 0;
            }
            i = end;
            continue;
        }
        if (c == '{' || c == '[') {
            if (depth == DEPTH_MAX) {
                return place;
            }
            levels[++depth] = (Level){.is_object = c == '{'};
            at_value = c == '[';
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        } else if (c == ',') {
            level->index++;
            level->in_value = false;
            at_value = !level->is_object;
        } else if (c == ':') {
            level->in_value = true;
            at_value = true;
        }
        i++;
    }
    write_path(levels, depth, &place);
    if (at_value) {
        place.value = position;
    }
    return place;
}
