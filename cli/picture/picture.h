/* Pictures drawn by gnuplot, as SVG, PNG or PDF. */
#ifndef CAROM_CLI_PICTURE_PICTURE_H
#define CAROM_CLI_PICTURE_PICTURE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* A file format. The background is white: pictures look the same on light and dark pages. */
typedef struct PictureFormat {
    const char *extension;
    double point; /* size of a point, the same part of the picture in every format */
    const char *device, *settings; /* the parts of "set terminal" before and after the size */
    double unit;                   /* of the size, per pixel of the SVG */
    const char *unit_name;
    double font; /* size of the text, in the terminal's unit */
} PictureFormat;

/* The format by the extension of a path: .svg, .png or .pdf; NULL: none of them. */
const PictureFormat *picture_format(const char *path);

/* Write the gnuplot commands that every picture starts with: encoding and terminal. The size is in
 * pixels of the SVG: a PNG has 1.5 times as many, a PDF an inch for 120. */
void picture_begin(const PictureFormat *format, int width, int height, FILE *script);

/* The heading of a picture: the scene's name, or if it has none (NULL or "") the name of its file
 * ("-": standard input); one line, cut to fit. */
void picture_heading(const char *name, const char *path, char *heading, size_t size);

/* Draw the commands of script; an SVG gets a title and a description in words. Returns the bytes of
 * the picture and a final zero; free() them. NULL: see *error. */
char *picture_draw(const PictureFormat *format, FILE *script, const char *title,
                   const char *description, size_t *length, Error *error);

/* As picture_draw(), into a file at path, which must have a format. A failure leaves the old file.
 */
bool picture_write(const char *path, FILE *script, const char *title, const char *description,
                   Error *error);

#endif
