/* What a figure has given: its values with a verdict on each, and its pictures. */
#ifndef CAROM_CLI_FIGURES_SHEET_H
#define CAROM_CLI_FIGURES_SHEET_H

#include <stddef.h>

#include "figures/figure.h"

typedef enum FigureVerdict {
    FIGURE_AGREES,
    FIGURE_ERRATUM,     /* differs, and it is known why */
    FIGURE_DIFFERS,     /* differs, and nobody knows why */
    FIGURE_NO_ERRATUM,  /* is said to be wrong, but agrees */
    FIGURE_NOT_PRINTED, /* nothing to compare with */
    FIGURE_MEASURED     /* depends on the machine */
} FigureVerdict;

/* Texts are owned; NULL where there is none. */
typedef struct FigureValue {
    char *group, *name, *printed, *erratum, *note;
    char *words;     /* computed, NULL: a number */
    double computed; /* otherwise */
    FigureVerdict verdict;
} FigureValue;

typedef struct FigurePicture {
    char *file; /* in the directory of the gallery: SVG */
    char *title, *description;
    int width, height;
} FigurePicture;

struct FigureSheet {
    const Figure *figure;
    const char *directory; /* where pictures go */
    bool png;              /* each picture as PNG, too */
    FigureValue *values;
    int value_count, value_room;
    FigurePicture *pictures;
    int picture_count, picture_room;
    char *group;  /* of the values to come */
    FILE *script; /* of the picture that is being drawn, the last one */
    bool failed;
    char failure[640]; /* why */
};

/* Make a figure, its pictures into directory. False: it failed, the sheet says why and has what
 * there was until then. figure_sheet_free() in both cases. figure and directory must live as long
 * as the sheet. */
bool figure_sheet_make(FigureSheet *sheet, const Figure *figure, const char *directory, bool png);

void figure_sheet_free(FigureSheet *sheet);

/* How many values have a verdict. */
int figure_sheet_count(const FigureSheet *sheet, FigureVerdict verdict);

/* "agrees", "erratum", ... */
const char *figure_verdict_name(FigureVerdict verdict);

/* Does a computed number agree with a printed one? False, too, if the text is not a number. */
bool figure_number_agrees(const char *printed, double computed);

#endif
