/* A JSON document. */
#include "base/document.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/json_place.h"
#include "base/text.h"

/* As error_set(), but returns NULL. */
#define FAIL(...) (error_set(error, __VA_ARGS__), NULL)

const char *document_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path[0] ? path : "\"\"";
}

/* Length of the word or number at the start of a text. */
static size_t token_length(const char *text, size_t size) {
    size_t length = 0;
    while (length < size && text[length] != '\0' &&
           (isalnum((unsigned char)text[length]) || strchr("+-.", text[length]))) {
        length++;
    }
    return length;
}

/* NaN or infinity, which JSON does not have. */
static bool is_not_finite(const char *token, size_t length) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    size_t sign = length > 0 && (token[0] == '-' || token[0] == '+');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (length - sign == strlen(words[i]) &&
            strncasecmp(token + sign, words[i], length - sign) == 0) {
            return true;
        }
    }
    return false;
}

/* Report a syntax error by field and by line. */
static json_t *fail_syntax(const char *bytes, size_t size, const json_error_t *fault,
                           Error *error) {
    size_t position = fault->position > 0 ? (size_t)fault->position : 0;
    JsonPlace place = json_place_find(bytes, position < size ? position : size);
    const char *colon = place.path[0] ? ": " : "";
    const char *token = bytes + place.value;
    size_t length = token_length(token, size - place.value);
    if (json_error_code(fault) == json_error_numeric_overflow || is_not_finite(token, length)) {
        return FAIL("%s%smust be a finite number, got %.*s (line %d, column %d)", place.path, colon,
                    (int)(length < 24 ? length : 24), token, fault->line, fault->column);
    }
    if (json_error_code(fault) == json_error_null_character) {
        return FAIL("%s%sa text must not have \\u0000 (line %d, column %d)", place.path, colon,
                    fault->line, fault->column);
    }
    return FAIL("%s%snot valid JSON: %s (line %d, column %d)", place.path, colon, fault->text,
                fault->line, fault->column);
}

/* Files that users confuse with a scene; NULL: it is none of them. */
static const char *other_format(const char *bytes, size_t size) {
    const char *end = memchr(bytes, '\n', size);
    size_t line = end ? (size_t)(end - bytes) : size;
    if (text_is_utf16(bytes, size)) {
        return "is UTF-16 text, must be UTF-8";
    }
    for (size_t i = 0; bytes[0] != '{' && i + 3 < line; i++) {
        if (memcmp(bytes + i, "w11", 3) == 0) {
            return "is a table of impacts (CSV), not a scene: \"carom batch\" takes it";
        }
    }
    return NULL;
}

json_t *document_read_memory(const char *bytes, size_t size, Error *error) {
    *error = (Error){""};
    if (size > DOCUMENT_BYTES_MAX) {
        return FAIL("larger than %zu MB", DOCUMENT_BYTES_MAX >> 20);
    }
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        bytes += 3;
        size -= 3;
    }
    size_t blank = 0;
    while (blank < size && isspace((unsigned char)bytes[blank])) {
        blank++;
    }
    if (blank == size) {
        return FAIL("empty: there is no scene in it");
    }
    const char *other = other_format(bytes + blank, size - blank);
    if (other) {
        return FAIL("%s", other);
    }
    json_error_t fault;
    json_t *document = json_loadb(
        bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &fault);
    return document ? document : fail_syntax(bytes, size, &fault, error);
}

/* The bytes of a stream with a final zero; NULL: see *error. */
static char *read_all(FILE *file, size_t *size, Error *error) {
    size_t capacity = (size_t)1 << 16;
    char *bytes = NULL;
    *size = 0;
    for (;;) {
        char *larger = realloc(bytes, capacity + 1);
        if (!larger) {
            free(bytes);
            return FAIL("out of memory");
        }
        bytes = larger;
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity || *size > DOCUMENT_BYTES_MAX) {
            break;
        }
        capacity = 2 * capacity;
    }
    if (ferror(file)) {
        free(bytes);
        return FAIL("cannot be read: %s", strerror(errno));
    }
    bytes[*size] = '\0';
    return bytes;
}

char *document_read_bytes(const char *path, size_t *size, Error *error) {
    *error = (Error){""};
    *size = 0;
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        return FAIL("cannot be opened: %s", strerror(errno));
    }
    struct stat about;
    char *bytes = NULL;
    if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
        error_set(error, "is a directory, not a scene");
    } else {
        bytes = read_all(file, size, error);
    }
    if (!standard) {
        fclose(file);
    }
    return bytes;
}

json_t *document_read_file(const char *path, Error *error) {
    size_t size;
    char *bytes = document_read_bytes(path, &size, error);
    json_t *document = bytes ? document_read_memory(bytes, size, error) : NULL;
    free(bytes);
    return document;
}
