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

/* Write index.html; data is a Gallery. The pictures are files beside the page. */
void gallery_page(FILE *file, const void *data);

#endif
