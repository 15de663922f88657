/* Bars in place of pictures, for a result without a process. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_BARS_H
#define CAROM_CLI_REPORT_PAGE_PAGE_BARS_H

#include "report/page/page_parts.h"

/* Why there is no process to draw, and bars of the impulses and of the speeds before and after at
 * the contacts. */
void page_bars(FILE *file, const ReportPage *page);

#endif
