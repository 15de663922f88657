/* The first lines of a report: the scene, and how its impacts are solved. */
#ifndef CAROM_CLI_REPORT_TEXT_SCENE_TEXT_H
#define CAROM_CLI_REPORT_TEXT_SCENE_TEXT_H

#include <stdio.h>

#include "scene/scene.h"

/* The scene's name and description in lines of 78 columns, and the line of its model. */
void report_heading(FILE *file, const Scene *scene, CaromMethod method, bool as_printed);

/* A contact's coefficients after a title, without the end of the line. */
void report_contact(FILE *file, const char *title, const Scene *scene, int contact);

/* The heading and all contacts. */
void report_scene(FILE *file, const Scene *scene, CaromMethod method, bool as_printed);

#endif
