/* The picture of the bodies at the impact, as part of the page. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_BODIES_H
#define CAROM_CLI_REPORT_PAGE_PAGE_BODIES_H

#include "report/page/page_parts.h"

/* A side view (a view from above if everything moves in a horizontal plane) with the velocities
 * before and after. Nothing for a scene without bodies, or with too many. */
void page_bodies(FILE *file, const ReportPage *page);

#endif
