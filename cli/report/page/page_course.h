/* The part of a scene's page about the course of the impact. */
#ifndef CAROM_CLI_PAGE_COURSE_H
#define CAROM_CLI_PAGE_COURSE_H

#include "report/page/page_parts.h"

/* The events and the states. */
void page_course(FILE *file, const ReportPage *page);

#endif
