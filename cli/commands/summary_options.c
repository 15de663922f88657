/* The options of a summary. */
#include "commands/summary_options.h"

#include "io/command_line.h"
#include "picture/picture.h"

int summary_options_check(const char *command, int summary, const SummaryPlan *plan) {
    if (plan->plot && !summary) {
        return usage_fail(command, "--plot: only with --summary");
    }
    if (plan->plot && !picture_format(plan->plot)) {
        return usage_fail(command, "--plot: must end in .svg, .png or .pdf, got \"%s\"",
                          plan->plot);
    }
    return 0;
}
