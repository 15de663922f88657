/* The figures as a page. */
#ifndef CAROM_CLI_FIGURES_GALLERY_H
#define CAROM_CLI_FIGURES_GALLERY_H

#include <stdio.h>

#include "figures/sheet.h"

/* The sheets of all figures, those of a paper together. */
typedef struct Gallery {
    const FigureSheet *sheets;
    int count;
} Gallery;

/* How the printed values of all figures compare, and how many figures could not be made. */
typedef struct GalleryCounts {
    int agree;
    int reasons[FIGURE_REASONS]; /* those that differ, by the known reason */
    int unexpected;              /* differ without one, or agree in spite of one */
    int failed;
} GalleryCounts;
GalleryCounts gallery_count(const Gallery *gallery);

/* Write index.html; data is a Gallery. The pictures are files beside the page. */
void gallery_page(FILE *file, const void *data);

#endif
