/* The figures as a page, and their values as a file for programs. */
#ifndef CAROM_CLI_FIGURES_GALLERY_H
#define CAROM_CLI_FIGURES_GALLERY_H

#include <stdio.h>

#include "figures/sheet.h"

/* The figures that were made, by paper, each paper's in its order. */
typedef struct Gallery {
    const FigureSheet *sheets;
    int count;
} Gallery;

/* Write index.html; data is a Gallery. The pictures are linked, beside the page. */
void gallery_page(FILE *file, const void *data);

/* Write values.json; data is a Gallery. Numbers with 17 significant digits; what depends on the
 * machine is left out, so that the file is the same everywhere but for rounding. */
void gallery_values(FILE *file, const void *data);

#endif
