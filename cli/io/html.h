/* The frame of the program's HTML pages: what a page begins and ends with, text, tables, pictures,
 * and its place as a file.
 *
 * A page is one file that needs no other (its style is in it; no scripts), reads well in light and
 * in dark, on paper and on a phone, and is well-formed XML as well. Text may be anything: what HTML
 * or a terminal would take for more than text is made harmless. Errors of a stream are left in the
 * stream. */
#ifndef CAROM_CLI_HTML_H
#define CAROM_CLI_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Everything up to the page's first heading, which the caller writes. */
void html_page_begin(FILE *file, const char *title);

/* The last line, which says what made the page, and the end. */
void html_page_end(FILE *file);

/* Text, also as the value of an attribute in double quotes. */
void html_text(FILE *file, const char *text);

/* Text as a whole element, <tag>text</tag>; tag is a bare name such as h2, p, td, pre. */
void html_element(FILE *file, const char *tag, const char *text);

/* What the title of a column of words begins with, HTML_WORDS "note"; other columns are taken for
 * numbers. */
#define HTML_WORDS "\t"

/* A table that can be scrolled where it is too wide. The first column has the rows' titles, and its
 * own title may be "". caption NULL: none. */
void html_table_begin(FILE *file, const char *caption, const char *const *columns, int count);
void html_table_end(FILE *file);

/* A row: begin with its title, then one cell per column behind it, then end. */
void html_row_begin(FILE *file, const char *title);
void html_row_end(FILE *file);

/* A cell of words, of a number with so many significant digits, of a number as a text. */
void html_cell(FILE *file, const char *text);
void html_cell_number(FILE *file, double number, int digits);
void html_cell_number_text(FILE *file, const char *text);

/* A cell of several numbers, (1, 0, -2.5), on several lines where there is no room. */
void html_cell_vector(FILE *file, const double *numbers, int count, int digits);

/* A picture: source is an address relative to the page, alt says what is to be seen, for those who
 * cannot see it; caption NULL: none. */
void html_picture(FILE *file, const char *source, const char *alt, const char *caption);

/* As html_picture(), with the picture itself, an SVG file, made part of the page. */
void html_picture_embed(FILE *file, const char *svg, size_t size, const char *alt,
                        const char *caption);

/* The address of a file that is part of the page, for a link or a picture. */
void html_data_address(FILE *file, const char *type, const char *bytes, size_t size);

/* The address of a file beside the page, for a link. */
void html_file_address(FILE *file, const char *name);

/* Write a page; data is what html_write() was given. */
typedef void HtmlPage(FILE *file, const void *data);

/* Let page write into a temporary file beside path, which takes its place when it is complete; a
 * file that was there before is untouched by a failure. False: why (size > 0) is the reason,
 * without the path. */
bool html_write(const char *path, HtmlPage *page, const void *data, char *why, size_t size);

/* Make a directory, and those above it, unless it is there. False: why is as above. */
bool html_make_directory(const char *path, char *why, size_t size);

#endif
