/* HTML: the frame of a page, text, tables, pictures.
 *
 * A page carries its style and has no scripts. It adapts to light and dark, paper and phones, and
 * is also well-formed XML. Text may be anything: markup and control characters in it are escaped.
 * Errors of a stream are left in the stream. */
#ifndef CAROM_CLI_IO_HTML_H
#define CAROM_CLI_IO_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Everything before the first heading. */
void html_page_begin(FILE *file, const char *title);

/* The footer, and the end. */
void html_page_end(FILE *file);

/* Text, also as the value of an attribute in double quotes. */
void html_text(FILE *file, const char *text);

/* Text between two pieces of markup. */
void html_between(FILE *file, const char *open, const char *text, const char *close);

/* An element <tag>text</tag>; tag is a name such as h2, p, td, pre. */
void html_element(FILE *file, const char *tag, const char *text);

/* Prefix of the title of a column with words, HTML_WORDS "note"; other columns have numbers. */
#define HTML_WORDS "\t"

/* A table, scrollable if it is too wide. The first column has the rows' titles; its own title may
 * be
 * "". caption NULL: none. */
void html_table_begin(FILE *file, const char *caption, const char *const *columns, int count);
void html_table_end(FILE *file);

/* A row: begin with its title, write a cell for each further column, end. */
void html_row_begin(FILE *file, const char *title);
void html_row_end(FILE *file);

/* A cell with words, with a number of some significant digits, with a number given as text. */
void html_cell(FILE *file, const char *text);
void html_cell_number(FILE *file, double number, int digits);
void html_cell_number_text(FILE *file, const char *text);

/* A cell with several numbers, "(1, 0, -2.5)", which may be broken into lines. */
void html_cell_vector(FILE *file, const double *numbers, int count, int digits);

/* A picture: source is an address relative to the page, alt describes the picture in words; caption
 * NULL: none. */
void html_picture(FILE *file, const char *source, const char *alt, const char *caption);

/* As html_picture() for an SVG file that becomes part of the page. */
void html_picture_embed(FILE *file, const char *svg, size_t size, const char *alt,
                        const char *caption);

/* The address of a file that is part of the page. */
void html_data_address(FILE *file, const char *type, const char *bytes, size_t size);

/* The address of a file beside the page. */
void html_file_address(FILE *file, const char *name);

#endif
