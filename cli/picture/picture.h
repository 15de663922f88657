/* Pictures that gnuplot draws: their formats, their bytes, and their place as files. */
#ifndef CAROM_CLI_PICTURE_H
#define CAROM_CLI_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A kind of file. White ground everywhere: the picture reads the same on light and dark pages and
 * in print. */
typedef struct PictureFormat {
    const char *extension;
    double point; /* size of a point, so that it is the same part of the picture everywhere */
    const char *device, *settings; /* what the terminal says before and behind the size */
    double unit;                   /* of that size, per pixel of the SVG */
    const char *unit_name;
    double font; /* size of the text, in the terminal's own measure */
} PictureFormat;

/* The format by the path's ending: .svg, .png or .pdf; NULL: none of them. */
const PictureFormat *picture_format(const char *path);

/* The terminal of gnuplot for a picture of this size, in pixels of the SVG: a PNG has 1.5 times as
 * many, a PDF an inch for 120. Text and lines keep their size. */
void picture_terminal(const PictureFormat *format, int width, int height, char *text, size_t size);

/* What stands over a picture: the scene's name, or where it has none (NULL, or "") that of its file
 * ("-": standard input); as one line, cut to what fits. */
void picture_heading(const char *name, const char *path, char *heading, size_t size);

/* Let gnuplot draw the commands of script, and give an SVG its title and description. Answers the
 * bytes of the file, which end with a zero; free() them. NULL: why (size > 0) is the reason. */
char *picture_draw(const PictureFormat *format, FILE *script, const char *title,
                   const char *description, size_t *length, char *why, size_t size);

typedef enum PictureStatus {
    PICTURE_WRITTEN,
    PICTURE_NOT_DRAWN,  /* gnuplot failed, or drew something else */
    PICTURE_NOT_WRITTEN /* drawn or not, there can be no such file */
} PictureStatus;

/* As picture_draw(), into a file at path, which has a format; a file that was there before is
 * untouched by a failure. The reason is without the path. */
PictureStatus picture_write(const char *path, FILE *script, const char *title,
                            const char *description, char *why, size_t size);

#endif
