/* The parts of the validation. Each prints its tables and is skipped, with a word, if its data are
 * not in the directory. */
#ifndef CAROM_VALIDATION_PARTS_H
#define CAROM_VALIDATION_PARTS_H

#include <stdbool.h>
#include <stdio.h>

bool part_ellipse(const char *directory, FILE *data);
bool part_spheres(const char *directory);
bool part_cube(const char *path);
bool part_tosses(const char *path);

#endif
