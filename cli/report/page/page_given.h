/* The part of a scene's page about the scene itself. */
#ifndef CAROM_CLI_REPORT_PAGE_PAGE_GIVEN_H
#define CAROM_CLI_REPORT_PAGE_PAGE_GIVEN_H

#include "report/page/page_parts.h"

/* The contacts, and the bodies, the mechanism or the matrices. */
void page_given(FILE *file, const ReportPage *page);

#endif
