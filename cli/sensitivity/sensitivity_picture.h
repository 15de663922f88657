/* The sensitivity of an outcome as a bar chart. */
#ifndef CAROM_CLI_SENSITIVITY_SENSITIVITY_PICTURE_H
#define CAROM_CLI_SENSITIVITY_SENSITIVITY_PICTURE_H

#include <stdio.h>

#include "sensitivity/sensitivity.h"

/* Bars of per cent per per cent of the shown components by each number, part of a page. Numbers
 * that change nothing are left out; nothing is written if all do. */
void sensitivity_picture(FILE *file, const Sensitivity *sensitivity, const int *shown, int count);

#endif
