/* Reading the program's HTML pages in a test; unexpected content fails the test. */
#ifndef CAROM_TEST_CLI_MARKUP_H
#define CAROM_TEST_CLI_MARKUP_H

#include <stddef.h>

/* The page is well-formed: elements open and close in order, attributes are quoted, nothing is
 * left of a character that has a meaning, all is UTF-8 without control characters. It has no
 * elements and attributes but those that pages are made of, so nothing can be smuggled in. */
void check_markup(const char *page);

/* The bytes of the file that the page carries behind the first occurrence of a text, with a final
 * zero; free() them. */
char *carried_file(const char *page, const char *behind, size_t *size);

/* How often a part occurs. */
int count_of(const char *text, const char *part);

#endif
