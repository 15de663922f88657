/* The parts of a report for people, and what they share. Each part but the heading begins with an
 * empty line. */
#ifndef CAROM_CLI_REPORT_PARTS_H
#define CAROM_CLI_REPORT_PARTS_H

#include <stdio.h>

#include "report/words/report_words.h"

/* What the scene is like; vary.c begins its tables with it as well. */
void report_scene(FILE *file, const Scene *scene, CaromMethod method, bool as_printed);

/* What happens: the events, and with several contacts the states. */
void report_course(FILE *file, const Scene *scene, const Solution *solution);
void report_course_several(FILE *file, const Scene *scene, const Solution *solution);

/* Impulse and velocity of every contact; then what moves, before and after. */
void report_contacts(FILE *file, const Scene *scene, const Solution *solution);
void report_motion(FILE *file, const Scene *scene, const Solution *solution);

/* The energy account. */
void report_energy(FILE *file, const Scene *scene, const Solution *solution);

#endif
