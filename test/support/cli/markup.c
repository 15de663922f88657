#include "support/cli/markup.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { DEPTH_MAX = 16, NAME_SIZE = 16 };

static const char elements[] = " html head meta title style body main footer h1 h2 h3 p a div "
                               "table caption thead tbody tr th td figure img figcaption pre "
                               "details summary span strong code svg circle polygon path text ";
static const char attributes[] = " lang xmlns charset name content scope class tabindex src alt "
                                 "href download role aria-label viewBox cx cy r d points x y "
                                 "text-anchor ";

/* A name at the start of a text, which must be one of the list; returns the text behind it. */
static const char *read_name(const char *text, const char *list, char name[NAME_SIZE]) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] == '-' && length > 0)) {
        length++;
    }
    char word[NAME_SIZE + 2];
    if (length == 0 || length >= NAME_SIZE) {
        fail_msg("no name: %.60s", text);
    }
    memcpy(name, text, length);
    name[length] = '\0';
    snprintf(word, sizeof word, " %s ", name);
    if (!strstr(list, word)) {
        fail_msg("unexpected name: %.60s", text);
    }
    return text + length;
}

/* An entity; answers its last character. */
static const char *read_entity(const char *text) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(text, known[i], strlen(known[i])) == 0) {
            return text + strlen(known[i]) - 1;
        }
    }
    fail_msg("no entity: %.60s", text);
    return NULL;
}

/* The attributes of an element; answers at its / or >. */
static const char *read_attributes(const char *text) {
    char name[NAME_SIZE];
    while (*text == ' ') {
        text = read_name(text + 1, attributes, name);
        if (strncmp(text, "=\"", 2) != 0) {
            fail_msg("no value: %.60s", text);
        }
        for (text += 2; *text != '"'; text++) {
            if (*text == '<' || *text == '\0') {
                fail_msg("in the value of %s: %.60s", name, text);
            }
            text = *text == '&' ? read_entity(text) : text;
        }
        text++;
    }
    return text;
}

/* Elements that are open. */
typedef struct Stack {
    char names[DEPTH_MAX][NAME_SIZE];
    int depth;
} Stack;

/* An element's begin or end; answers its >. */
static const char *read_tag(const char *text, Stack *stack) {
    char name[NAME_SIZE];
    if (text[1] == '/') {
        const char *end = read_name(text + 2, elements, name);
        assert_true(stack->depth > 0 && *end == '>');
        assert_string_equal(name, stack->names[--stack->depth]);
        return end;
    }
    const char *end = read_attributes(read_name(text + 1, elements, name));
    if (*end == '/') {
        end++;
    } else {
        assert_true(stack->depth < DEPTH_MAX);
        strcpy(stack->names[stack->depth++], name);
    }
    if (*end != '>') {
        fail_msg("no end: %.60s", text);
    }
    return end;
}

/* UTF-8 without control characters. */
static void check_characters(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        int more = *c < 0x80 ? 0 : *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : 1;
        bool control =
            (*c < ' ' && *c != '\n' && *c != '\t') || *c == 127 || (*c == 0xC2 && c[1] < 0xA0);
        if (control || (*c >= 0x80 && *c < 0xC2) || *c > 0xF4) {
            fail_msg("character %02x before: %.60s", *c, (const char *)c + 1);
        }
        for (; more > 0; more--) {
            assert_int_equal(*++c & 0xC0, 0x80);
        }
    }
}

void check_markup(const char *page) {
    static const char start[] = "<!DOCTYPE html>\n<html ";
    Stack stack = {.depth = 0};
    assert_int_equal(strncmp(page, start, strlen(start)), 0);
    check_characters(page);
    const char *text = page + strlen("<!DOCTYPE html>\n");
    do {
        if (*text == '<') {
            text = read_tag(text, &stack);
        } else if (*text == '&') {
            text = read_entity(text);
        } else if (*text == '>' || *text == '\0') {
            fail_msg("stray, or the end, in %s: %.60s", stack.names[stack.depth - 1], text);
        }
        text++;
    } while (stack.depth > 0);
    assert_string_equal(text, "\n");
}

static int digit(char letter) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : -1;
}

char *carried_file(const char *page, const char *behind, size_t *size) {
    const char *at = strstr(page, behind);
    at = at ? strstr(at, ";base64,") : NULL;
    assert_non_null(at);
    at += strlen(";base64,");
    size_t length = strcspn(at, "\""), used = 0;
    char *bytes = malloc(length + 1);
    assert_non_null(bytes);
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        unsigned word = 0;
        int count = 0;
        for (size_t k = 0; k < 4; k++) {
            int value = digit(at[i + k]);
            assert_true(value >= 0 || (at[i + k] == '=' && i + 4 == length && k >= 2));
            word = word << 6 | (unsigned)(value < 0 ? 0 : value);
            count += value >= 0;
        }
        for (int k = 0; k + 1 < count; k++) {
            bytes[used++] = (char)(word >> (16 - 8 * k) & 255);
        }
    }
    bytes[used] = '\0';
    *size = used;
    return bytes;
}

int count_of(const char *text, const char *part) {
    int count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}
