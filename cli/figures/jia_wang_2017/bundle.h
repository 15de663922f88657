/* Figs. 6 and 8 of [JW]: bundles of hodographs. */
#ifndef CAROM_CLI_JW_BUNDLE_H
#define CAROM_CLI_JW_BUNDLE_H

#include "figures/sheet.h"

FigureMake jw_bundle;

#endif
