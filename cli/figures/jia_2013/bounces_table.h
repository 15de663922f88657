/* Table 1 and Fig. 13 of [J]: eight bounces of the ball. */
#ifndef CAROM_CLI_J_BOUNCES_TABLE_H
#define CAROM_CLI_J_BOUNCES_TABLE_H

#include "figures/sheet.h"

FigureMake j_table_1, j_figure_13;

#endif
