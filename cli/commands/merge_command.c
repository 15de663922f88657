/* carom merge: the command line. */
#include "commands/merge_command.h"

#include <getopt.h>

#include "batch/merge_run.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom merge OUT SHARD...\n"
    "Join the tables that \"carom batch --shard I/N\" wrote, in the order of I from 1 to N, to the "
    "table\n"
    "that one run would have written.\n"
    "\n"
    "  --help   print this\n"
    "\n"
    "Exit status: 0 joined; 2 a file cannot be read or written, or is not one of the shards.\n";

int merge_main(int argc, char **argv) {
    const Option options[] = {{0}};
    int status = command_line_read("merge", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (argc - optind < 2) {
        return usage_fail("merge", "OUT and at least one SHARD are needed");
    }
    char **shards = argv + optind + 1;
    int count = argc - optind - 1, wrong = used_files_note_inputs(shards, count);
    return wrong ? wrong : merge_run(argv[optind], shards, count);
}
