/* carom batch: the command line. */
#include "commands/batch_command.h"

#include <getopt.h>
#include <string.h>

#include "batch/batch_run.h"
#include "batch/crew.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom batch [--threads N] [--columns A,B,...] [IN [OUT]]\n"
    "Solve one single-contact problem per row (default: standard input to standard output).\n"
    "\n"
    "A table is CSV, or by the end of its name .npy (an array of records), .npz (an array for "
    "each\n"
    "column) or .h5 (a dataset for each column). Its columns, in any order:\n"
    "  w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n"
    "and optionally mu_static, stiffness_ratio, model, restitution (empty: the default). In .npz "
    "and\n"
    ".h5 arrays W (N x 3 x 3 or N x 6) and v (N x 3) stand for their columns, and a single number "
    "for\n"
    "a column of it. Other columns are copied to the output, before its own:\n"
    "  ix,iy,iz,vx,vy,vz,sequence,status\n"
    "with the fewest digits that read back as the same number. A row that is not solved has nan "
    "for\n"
    "its numbers, and its status says why.\n"
    "\n"
    "  --columns A,B,...  other outputs: impulse, velocity, sequence, status, energy (the "
    "account),\n"
    "                     error, events, message, derivatives, kink_distance, or single ones: iz, "
    "vx,\n"
    "                     energy_change, d_iz_d_mu\n"
    "  --threads N        threads to use, 1 to 1024 (default: all processors)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 all solved; 1 some rows were not; 2 bad columns, file or usage.\n";

int batch_main(int argc, char **argv) {
    long threads = crew_processors();
    const char *columns = BATCH_DEFAULT_COLUMNS;
    const Option options[] = {
        {"threads", OPTION_INTEGER, .target = &threads, .low = 1, .high = 1024},
        {"columns", OPTION_TEXT, .target = &columns},
        {0}};
    int status = command_line_read("batch", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (argc - optind > 2) {
        return usage_fail("batch", "%s: at most two files, IN and OUT", argv[optind + 2]);
    }
    BatchOutput output;
    Error error;
    if (!batch_output_read(columns, &output, &error)) {
        return usage_fail("batch", "--columns: %s", error.text);
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
    return batch_run(paths[0], paths[1], &output, (int)threads);
}
