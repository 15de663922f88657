/* The page of a solved scene (HTML): one file with its pictures and the scene itself. */
#ifndef CAROM_CLI_REPORT_PAGE_H
#define CAROM_CLI_REPORT_PAGE_H

#include "report/page/page_pictures.h"

/* Write the page with its pictures to a file at path. A failure leaves the old file. False: *error
 * is the reason without the path. */
bool report_page_write(const ReportPage *page, const PagePictures *pictures, const char *path,
                       Error *error);

#endif
