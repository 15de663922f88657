/* carom batch: the command line. */
#include "commands/batch_command.h"

#include <getopt.h>
#include <string.h>

#include "batch/batch_run.h"
#include "batch/crew.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom batch [--threads N] [IN.csv [OUT.csv]]\n"
    "Solve one single-contact problem per row (default: standard input to standard output).\n"
    "\n"
    "Input: a header row, in any order of columns,\n"
    "  w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n"
    "and optionally mu_static, stiffness_ratio, model, restitution (empty: the default).\n"
    "Output, in the same order of rows, with 17 significant digits:\n"
    "  ix,iy,iz,vx,vy,vz,sequence,status\n"
    "A row that is not solved has nan for its numbers, and its status says why.\n"
    "\n"
    "  --threads N   threads to use, 1 to 1024 (default: all processors)\n"
    "  --help        print this\n"
    "\n"
    "Exit status: 0 all solved; 1 some rows were not; 2 bad header, file or usage.\n";

int batch_main(int argc, char **argv) {
    long threads = crew_processors();
    const Option options[] = {
        {"threads", OPTION_INTEGER, .target = &threads, .low = 1, .high = 1024}, {0}};
    int status = command_line_read("batch", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (argc - optind > 2) {
        return usage_fail("batch", "%s: at most two files, IN.csv and OUT.csv", argv[optind + 2]);
    }
    char standard[] = "-", *input = optind < argc ? argv[optind] : standard;
    int wrong = used_files_note_inputs(&input, 1);
    if (wrong) {
        return wrong;
    }
    const char *paths[2] = {NULL, NULL};
    for (int i = 0; i < argc - optind; i++) {
        paths[i] = strcmp(argv[optind + i], "-") == 0 ? NULL : argv[optind + i];
    }
    return batch_run(paths[0], paths[1], (int)threads);
}
