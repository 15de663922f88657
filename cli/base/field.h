/* Reading JSON field by field. Error messages name the field by its path. */
#ifndef CAROM_CLI_BASE_FIELD_H
#define CAROM_CLI_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/* A place in a JSON document. Fields live on the stack and point to their parents; the path is
 * built only for an error message. */
typedef struct Field {
    json_t *value;              /* borrowed; NULL: the field is absent */
    const struct Field *parent; /* NULL: the document itself */
    const char *key;            /* name in the parent object; NULL: an element of an array */
    size_t index;               /* place in the parent array */
    Error *error;               /* the same for the whole document */
} Field;

/* The range of a number. */
typedef enum FieldRange {
    FIELD_ANY,          /* every finite number */
    FIELD_NOT_NEGATIVE, /* >= 0 */
    FIELD_POSITIVE,     /* > 0 */
    FIELD_FRACTION      /* in [0, 1] */
} FieldRange;

Field field_root(json_t *document, Error *error);
Field field_member(const Field *object, const char *key);
Field field_element(const Field *array, size_t index);

/* Write the error "path: text". Always returns false. */
__attribute__((format(printf, 2, 3))) bool field_fail(const Field *field, const char *format, ...);

/* As field_fail(): "path: must be WHAT, got ..." or "path: missing, must be WHAT". */
bool field_fail_type(const Field *field, const char *what);

/* The field is an object that has only known names (a list that ends with NULL). */
bool field_is_object(const Field *field, const char *what, const char *const *known);

/* The field is an array of 1 to most elements; *size is their number. */
bool field_is_list(const Field *field, const char *what, size_t most, size_t *size);

/* These write their output only on success, and fail if the field is absent. */
bool field_number(const Field *field, FieldRange range, double *number);
bool field_vector(const Field *field, size_t size, double *numbers);
bool field_matrix(const Field *field, size_t size, double *numbers); /* size x size, by rows */
bool field_string(const Field *field, const char **string);          /* borrowed */
bool field_choice(const Field *field, const char *const *names, int *choice);

/* The size x size matrix that was read from the field is symmetric: entries ij and ji agree to
 * 1e-9 of sqrt(|ii| |jj|). */
bool field_is_symmetric(const Field *field, size_t size, const double *matrix);

#endif
