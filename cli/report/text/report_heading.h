/* The first lines of a report for people: what the scene is, and how impacts are solved in it. */
#ifndef CAROM_CLI_REPORT_HEADING_H
#define CAROM_CLI_REPORT_HEADING_H

#include <stdbool.h>
#include <stdio.h>

#include "scene/scene.h"

/* The scene's name and description in lines of 78 columns, and the line of its model. */
void report_heading(FILE *file, const Scene *scene, CaromMethod method, bool as_printed);

/* A contact's coefficients behind a title, the line left open. */
void report_contact(FILE *file, const char *title, const Scene *scene, int contact);

#endif
