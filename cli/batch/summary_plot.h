/* A summary as a picture: the distribution of each column, or for a grid over two numbers its map.
 */
#ifndef CAROM_CLI_BATCH_SUMMARY_PLOT_H
#define CAROM_CLI_BATCH_SUMMARY_PLOT_H

#include "batch/summary.h"

/* Draw the picture of the summary's plan, of the first SUMMARY_PANELS columns. False: see error. */
enum { SUMMARY_PANELS = 12 };
bool summary_plot(const Summary *summary, Error *error);

#endif
