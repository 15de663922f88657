/* The outcomes of a scene as text and as JSON. */
#ifndef CAROM_CLI_OUTCOMES_OUTCOMES_REPORT_H
#define CAROM_CLI_OUTCOMES_OUTCOMES_REPORT_H

#include <stdio.h>

#include "outcomes/outcomes.h"

/* Which cases each set has, in a sentence. */
Words outcomes_order_words(const Outcomes *outcomes);
Words outcomes_stiffness_words(const Outcomes *outcomes);

/* The scene, a table of ranges, and what is certain in words. Errors of the stream are left in it.
 */
void outcomes_text(FILE *file, const Outcomes *outcomes);

/* One line of JSON. False: out of memory. */
bool outcomes_json(FILE *file, const Outcomes *outcomes);

/* Compute and print: the whole of carom solve --outcomes for one scene. Returns the exit status. */
int outcomes_solve(const char *name, const Scene *scene, const OutcomesOptions *options, bool json);

#endif
