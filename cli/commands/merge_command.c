/* carom merge: the command line. */
#include "commands/merge_command.h"

#include <getopt.h>
#include <string.h>

#include "batch/merge_run.h"
#include "commands/summary_options.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom merge OUT SHARD...\n"
    "       carom merge --summary OUT SHARD...\n"
    "Join the tables that \"carom batch --shard I/N\" wrote, in the order of I from 1 to N, to the "
    "table\n"
    "that one run would have written.\n"
    "\n"
    "  --summary        means, quantiles and frequencies of all rows instead (OUT -: standard "
    "output)\n"
    "  --plot FILE.svg  with --summary: also draw them (.svg, .png, .pdf); needs gnuplot\n"
    "  --help           print this\n"
    "\n"
    "Exit status: 0 joined; 2 a file cannot be read or written, or is not one of the shards.\n";

int merge_main(int argc, char **argv) {
    int summary = 0;
    SummaryPlan plan = {.heading = "Summary"};
    const Option options[] = {{"summary", OPTION_FLAG, .target = &summary},
                              {"plot", OPTION_FILE, .target = &plan.plot},
                              {0}};
    int status = command_line_read("merge", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (argc - optind < 2) {
        return usage_fail("merge", "OUT and at least one SHARD are needed");
    }
    const char *out_path = argv[optind];
    char **shards = argv + optind + 1;
    int count = argc - optind - 1, wrong = used_files_note_inputs(shards, count);
    wrong = wrong ? wrong : summary_options_check("merge", summary, &plan);
    if (summary && strcmp(out_path, "-") == 0) {
        out_path = NULL;
    }
    return wrong ? wrong : merge_run(out_path, summary ? &plan : NULL, shards, count);
}
