/* Text that is shown: every character, and bytes that are none. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 90210, LAST = 0x10FFFF };

/* Write a code point as UTF-8. */
static void encode(long code, char text[5]) {
    unsigned char *c = (unsigned char *)text;
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xC0, 0xE0, 0xF0};
    memset(text, 0, 5);
    c[0] = (unsigned char)(first[more] | (unsigned)(code >> (6 * more)));
    for (int i = 1; i <= more; i++) {
        c[i] = (unsigned char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    }
}

/* What a terminal obeys: C0 and C1 controls and DEL, ends of lines, and all characters with the
 * property Bidi_Control. */
static bool is_dangerous(long code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void test_every_character(void **state) {
    (void)state;
    int kept = 0;
    for (long code = 1; code <= LAST; code++) {
        char text[5], plain[5];
        encode(code, text);
        memcpy(plain, text, sizeof plain);
        text_make_plain(plain);
        bool surrogate = code >= 0xD800 && code <= 0xDFFF, same = strcmp(text, plain) == 0;
        if (surrogate) {
            assert_string_equal(plain, "???");
        } else if (is_dangerous(code)) {
            assert_string_equal(plain, "?");
        } else if (!same) {
            assert_string_equal(plain, "?");
        }
        kept += same;
    }
    assert_true(kept > LAST - 0x800 - 400); /* few others are refused */
    char letters[] = "Kugel ü, шар, 球, ∅";
    text_make_plain(letters);
    assert_string_equal(letters, "Kugel ü, шар, 球, ∅");
}

/* Any bytes become UTF-8 without dangerous characters; doing it again changes nothing. */
static void test_any_bytes(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        Random random = random_start(SEED, i);
        char bytes[65], again[65], code[5];
        for (int k = 0; k < 64; k++) {
            unsigned byte = (unsigned)(256 * random_uniform(&random));
            bytes[k] = (char)(byte ? byte : 1);
        }
        bytes[64] = '\0';
        if (i % 2 == 0) { /* a dangerous character at any place, cut or whole */
            encode((long)(LAST * random_uniform(&random)) % (i % 4 ? 0x2070 : LAST), code);
            memcpy(bytes + (int)(60 * random_uniform(&random)), code, strlen(code));
        }
        text_make_plain(bytes);
        memcpy(again, bytes, sizeof again);
        text_make_plain(again);
        assert_string_equal(again, bytes);
        bool shown;
        size_t length;
        for (const char *c = bytes; (length = text_character(c, &shown)) > 0; c += length) {
            assert_true(shown);
            assert_true(length > 1 || (*c >= 0x20 && *c < 0x7F));
        }
    }
}

/* An error message is plain, however it is cut. */
static void test_errors(void **state) {
    (void)state;
    char name[3001] = "";
    for (int i = 0; i < 1000; i++) {
        strcat(name, i % 7 == 0 ? "\x1b[2" : "\xE2\x82\xAC"); /* euro */
    }
    for (int cut = 0; cut < 4; cut++) {
        Error error;
        assert_false(error_set(&error, "%.*s%s", cut, "abcd", name));
        assert_null(strchr(error.text, '\x1b'));
        char same[sizeof error.text];
        strcpy(same, error.text);
        text_make_plain(same);
        assert_string_equal(same, error.text);
    }
}

/* A message keeps its end, which is the reason. */
static void test_long_errors(void **state) {
    (void)state;
    static char name[100001];
    for (size_t length = 900; length <= 100000; length += length < 1100 ? 1 : 9973) {
        memset(name, 'n', length);
        name[length] = '\0';
        Error error;
        error_set(&error, "begin %s: the reason", name);
        assert_true(strlen(error.text) < sizeof error.text);
        assert_true(strncmp(error.text, "begin nnn", 9) == 0);
        const char *end = error.text + strlen(error.text) - 14;
        assert_string_equal(end, "nn: the reason");
        bool whole = length + 6 + 12 < sizeof error.text;
        assert_true((strstr(error.text, " ... ") == NULL) == whole);
    }
}

static void test_utf16(void **state) {
    (void)state;
    assert_true(text_is_utf16("\xFF\xFE{", 3) && text_is_utf16("\xFE\xFF", 2));
    assert_true(text_is_utf16("{\0\n\0", 4) && text_is_utf16("\0{\0\n", 4));
    assert_false(text_is_utf16("{\n", 2) || text_is_utf16("{\0}\n", 4) ||
                 text_is_utf16("\0\0", 2) || text_is_utf16("", 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_character), cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_errors),          cmocka_unit_test(test_long_errors),
        cmocka_unit_test(test_utf16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
