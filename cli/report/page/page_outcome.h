/* The parts of a scene's page about the outcome. */
#ifndef CAROM_CLI_PAGE_OUTCOME_H
#define CAROM_CLI_PAGE_OUTCOME_H

#include "report/page/page_parts.h"

/* Velocities before and after, impulses; and the energy account. */
void page_motion(FILE *file, const ReportPage *page);
void page_energy(FILE *file, const ReportPage *page);

#endif
