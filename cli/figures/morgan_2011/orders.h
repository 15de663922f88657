/* Figure 2.8 of [M]: orders of calculation. */
#ifndef CAROM_CLI_FIGURES_MORGAN_2011_ORDERS_H
#define CAROM_CLI_FIGURES_MORGAN_2011_ORDERS_H

#include "figures/sheet.h"

FigureMake m_orders;

#endif
