/* Pictures as files: gnuplot draws into a temporary file beside the output, which becomes the
 * output only when it is complete. A file that was there before is untouched by a failure. */
#ifndef CAROM_CLI_PICTURE_H
#define CAROM_CLI_PICTURE_H

#include <stddef.h>
#include <stdio.h>

/* A kind of file. White ground everywhere: the picture reads the same on light and dark pages and
 * in print. */
typedef struct PictureFormat {
    const char *extension;
    const char *terminal; /* of gnuplot, with its settings */
    double point; /* size of a point, so that it is the same part of the picture everywhere */
} PictureFormat;

/* The format by the path's ending: .svg, .png or .pdf; NULL: none of them. */
const PictureFormat *picture_format(const char *path);

typedef enum PictureStatus {
    PICTURE_WRITTEN,
    PICTURE_NOT_OPENED, /* there can be no temporary file beside the output */
    PICTURE_NOT_DRAWN,  /* gnuplot failed, or drew something else */
    PICTURE_NOT_KEPT    /* drawn, but it could not take its place */
} PictureStatus;

/* Let gnuplot draw the commands of script into a file at path, which has a format, and give an SVG
 * its title and description. On failure why (size > 0) is the reason, without the path. */
PictureStatus picture_write(const char *path, FILE *script, const char *title,
                            const char *description, char *why, size_t size);

#endif
