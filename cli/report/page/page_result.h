/* The parts of a scene's page about the result. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_RESULT_H
#define CAROM_CLI_REPORT_PAGE_PAGE_RESULT_H

#include "report/page/page_parts.h"

/* The events and the states; velocities before and after, impulses; the energy account. */
void page_course(FILE *file, const ReportPage *page);
void page_motion(FILE *file, const ReportPage *page);
void page_energy(FILE *file, const ReportPage *page);

#endif
