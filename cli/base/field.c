/* Reading JSON field by field. */
#include "base/field.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

Field field_root(json_t *document, Error *error) {
    return (Field){.value = document, .error = error};
}

Field field_member(const Field *object, const char *key) {
    json_t *value = json_object_get(object->value, key);
    return (Field){.value = value, .parent = object, .key = key, .error = object->error};
}

Field field_element(const Field *array, size_t index) {
    json_t *value = json_array_get(array->value, index);
    return (Field){.value = value, .parent = array, .index = index, .error = array->error};
}

/* Write the field's path; returns its length. */
static size_t write_path(const Field *field, char *path, size_t size) {
    if (!field->parent) {
        path[0] = '\0';
        return 0;
    }
    size_t used = write_path(field->parent, path, size);
    int length = field->key
                     ? snprintf(path + used, size - used, "%s%.64s", used ? "." : "", field->key)
                     : snprintf(path + used, size - used, "[%zu]", field->index);
    used += (size_t)length;
    return used < size ? used : size - 1;
}

bool field_fail(const Field *field, const char *format, ...) {
    char text[512], path[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_path(field, path, sizeof path);
    return error_set(field->error, "%s%s%s", path, field->parent ? ": " : "", text);
}

/* A value in a few words. */
static Words describe(const json_t *value) {
    static const char *const types[] = {[JSON_OBJECT] = "an object",
                                        [JSON_ARRAY] = "an array",
                                        [JSON_TRUE] = "true",
                                        [JSON_FALSE] = "false",
                                        [JSON_NULL] = "null"};
    if (json_is_string(value)) {
        return words_of("\"%.40s\"", json_string_value(value));
    }
    return json_is_number(value) ? text_number(json_number_value(value))
                                 : words_of("%s", types[json_typeof(value)]);
}

bool field_fail_type(const Field *field, const char *what) {
    if (!field->value) {
        return field_fail(field, "missing, must be %s", what);
    }
    return field_fail(field, "must be %s, got %s", what, describe(field->value).text);
}

static bool fail_unknown(const Field *field, const char *const *known) {
    const char *nearest = NULL;
    int best = 3; /* more than two letters away is another word */
    for (; *known; known++) {
        int distance = text_distance(field->key, *known);
        if (distance < best && distance < (int)strlen(*known)) {
            best = distance;
            nearest = *known;
        }
    }
    return nearest ? field_fail(field, "unknown field; did you mean \"%s\"?", nearest)
                   : field_fail(field, "unknown field");
}

bool field_is_object(const Field *field, const char *what, const char *const *known) {
    if (!json_is_object(field->value)) {
        return field_fail_type(field, what);
    }
    const char *key;
    json_t *value;
    json_object_foreach(field->value, key, value) {
        const char *const *name = known;
        while (*name && strcmp(*name, key) != 0) {
            name++;
        }
        if (!*name) {
            Field unknown = field_member(field, key);
            return fail_unknown(&unknown, known);
        }
    }
    return true;
}

bool field_is_list(const Field *field, const char *what, size_t most, size_t *size) {
    if (!json_is_array(field->value)) {
        return field_fail_type(field, what);
    }
    *size = json_array_size(field->value);
    if (*size < 1 || *size > most) {
        return field_fail(field, "must have 1 to %zu elements, got %zu", most, *size);
    }
    return true;
}

bool field_number(const Field *field, FieldRange range, double *number) {
    static const char *const what[] = {"a number", "a number >= 0", "a number > 0",
                                       "a number in [0, 1]"};
    double x = json_number_value(field->value); /* 0 if it is not a number */
    bool fits =
        json_is_number(field->value) && isfinite(x) &&
        (range == FIELD_ANY || (range == FIELD_NOT_NEGATIVE && x >= 0) ||
         (range == FIELD_POSITIVE && x > 0) || (range == FIELD_FRACTION && x >= 0 && x <= 1));
    if (!fits) {
        return field_fail_type(field, what[range]);
    }
    *number = x;
    return true;
}

/* The field is an array of this size; what and parts name it and its elements. */
static bool has_size(const Field *field, size_t size, const char *what, const char *parts) {
    size_t actual = json_array_size(field->value);
    if (!json_is_array(field->value)) {
        return field_fail_type(field, what);
    }
    return actual == size || field_fail(field, "must have %zu %s, got %zu", size, parts, actual);
}

bool field_vector(const Field *field, size_t size, double *numbers) {
    bool good = has_size(field, size, words_of("an array of %zu numbers", size).text, "numbers");
    for (size_t i = 0; good && i < size; i++) {
        Field element = field_element(field, i);
        good = field_number(&element, FIELD_ANY, &numbers[i]);
    }
    return good;
}

bool field_matrix(const Field *field, size_t size, double *numbers) {
    Words what = words_of("an array of %zu rows of %zu numbers", size, size);
    bool good = has_size(field, size, what.text, "rows");
    for (size_t i = 0; good && i < size; i++) {
        Field row = field_element(field, i);
        good = field_vector(&row, size, &numbers[i * size]);
    }
    return good;
}

bool field_string(const Field *field, const char **string) {
    if (!json_is_string(field->value)) {
        return field_fail_type(field, "a string");
    }
    *string = json_string_value(field->value);
    return true;
}

bool field_choice(const Field *field, const char *const *names, int *choice) {
    const char *given = json_string_value(field->value); /* NULL if it is not a string */
    Words what = {""};
    for (int i = 0; names[i]; i++) {
        if (given && strcmp(given, names[i]) == 0) {
            *choice = i;
            return true;
        }
        words_add(&what, "%s\"%s\"", i ? " or " : "", names[i]);
    }
    return field_fail_type(field, what.text);
}

bool field_is_symmetric(const Field *field, size_t size, const double *matrix) {
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < i; j++) {
            double lower = matrix[i * size + j], upper = matrix[j * size + i];
            double scale = sqrt(fabs(matrix[i * size + i])) * sqrt(fabs(matrix[j * size + j]));
            if (!(fabs(lower - upper) <= 1e-9 * scale)) {
                return field_fail(field, "must be symmetric: [%zu][%zu] is %s, [%zu][%zu] is %s", j,
                                  i, text_number(upper).text, i, j, text_number(lower).text);
            }
        }
    }
    return true;
}
