/* carom batch: the command line. */
#include "commands/batch_command.h"

#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/document.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/batch_parts.h"
#include "batch/batch_run.h"
#include "batch/contact_rows.h"
#include "batch/crew.h"
#include "batch/scene_rows.h"
#include "batch/shard.h"
#include "batch/summary.h"
#include "batch/sweep.h"
#include "batch/throw_rows.h"
#include "batch/world_rows.h"
#include "commands/summary_options.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom batch [OPTIONS] [IN [OUT]]\n"
    "       carom batch --scene SCENE.json --grid PATH=FROM:TO:COUNT... [OUT]\n"
    "       carom batch --scene SCENE.json --sample N --over PATH=FROM:TO... [OUT]\n"
    "Solve one problem per row of a table (default: standard input to standard output).\n"
    "\n"
    "A table is CSV, or by the end of its name .npy (an array of records), .npz (an array for "
    "each\n"
    "column) or .h5 (a dataset for each column). Rows are single contacts, with columns in any "
    "order\n"
    "  w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n"
    "and optionally mu_static, stiffness_ratio, model, restitution (empty: the default). Without "
    "any of\n"
    "w12, w22, w23, vy contacts are planar: x is the tangent. In .npz and .h5 arrays W (N x 3 x 3 "
    "or\n"
    "N x 6; planar N x 2 x 2 or N x 3) and v (N x 3; planar N x 2) stand for their columns, and a "
    "single\n"
    "number for a column of it. Other columns are copied to the output, before its own:\n"
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
    "  --scene FILE       rows are this scene, with the numbers replaced that columns name by "
    "path,\n"
    "                     such as contacts[0].mu or bodies[0].velocity[2]; outputs then are "
    "velocity,\n"
    "                     impulse, contact_velocity, energy, error, sequence, status, message. "
    "A scene to\n"
    "                     simulate (one body and a plane): the first impact, with time, velocity, "
    "before,\n"
    "                     impulse, point, energy, sequence, status, message. A world: its first "
    "impact,\n"
    "                     with time, body, second, partner, velocity, position, energy, sequence, "
    "status,\n"
    "                     message\n"
    "  --grid PATH=FROM:TO:COUNT   rows of all combinations of such ranges, instead of IN\n"
    "  --sample N         N rows with numbers at random, instead of IN\n"
    "  --over PATH=FROM:TO   the range of one (PATH=normal:MEAN:SIGMA: normally distributed)\n"
    "  --design NAME      random, latin (Latin hypercube) or sobol (default random)\n"
    "  --seed N           of the random numbers (default 1)\n"
    "  --shard I/N        solve only blocks I, I + N, ... of 4096 rows; \"carom merge\" joins the "
    "outputs.\n"
    "                     auto: as mpirun, srun or a Slurm array started this process\n"
    "  --checkpoint ROWS  keep the work in parts of so many rows, in OUT.parts, until all are "
    "done\n"
    "  --resume           go on with the parts of a run that was broken off\n"
    "  --summary          means, quantiles and frequencies instead of rows\n"
    "  --plot FILE.svg    with --summary: also draw them, a grid over two numbers as maps (.svg, "
    ".png,\n"
    "                     .pdf); needs gnuplot\n"
    "  --threads N        threads to use, 1 to 1024 (default: all processors)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 all solved; 1 some rows were not; 2 bad columns, file or usage.\n";

typedef struct BatchOptions {
    long threads;
    const char *columns, *scene;
    Sweep sweep;
    int design;
    int summary, resume;
    SummaryPlan plan; /* of the summary */
    Shard shard;
    long part_rows; /* 0: no parts */
    char command[4096];
} BatchOptions;

/* Rows of a part where nobody says how many: a tenth of a second. */
enum { PART_ROWS = 32 * BATCH_BLOCK_ROWS };

/* Rows of a part: whole blocks. */
static int read_part_rows(const char *command, const char *text, void *target) {
    double rows;
    if (!text_to_number(text, &rows) || !(rows >= 1 && rows <= 1e12)) {
        return usage_fail(command, "--checkpoint: must be a number of rows, got \"%s\"", text);
    }
    *(long *)target = BATCH_BLOCK_ROWS * (long)ceil(rows / BATCH_BLOCK_ROWS);
    return 0;
}

/* What is run, without the options that do not change the output, and the input's size and time. */
static void note_command(int argc, char **argv, const char *in_path, char *text, size_t size) {
    struct stat about = {0};
    size_t length = (size_t)snprintf(text, size, "carom " CAROM_VERSION " batch\n");
    for (int i = 1; i < argc && length < size; i++) {
        bool threads = strncmp(argv[i], "--threads", 9) == 0;
        if (threads || strcmp(argv[i], "--resume") == 0) {
            i += threads && argv[i][9] == '\0';
            continue;
        }
        length += (size_t)snprintf(text + length, size - length, "%s\n", argv[i]);
    }
    if (in_path && stat(in_path, &about) == 0 && length < size) {
        snprintf(text + length, size - length, "input of %lld bytes of %lld\n",
                 (long long)about.st_size, (long long)about.st_mtime);
    }
}

/* Read the command line. Returns -1: go on; else the exit status. */
static int read_options(int argc, char **argv, BatchOptions *given) {
    static const char *const designs[] = {"random", "latin", "sobol", NULL};
    Sweep *sweep = &given->sweep;
    const Option options[] = {
        {"threads", OPTION_INTEGER, .target = &given->threads, .low = 1, .high = 1024},
        {"columns", OPTION_TEXT, .target = &given->columns},
        {"scene", OPTION_TEXT, .target = &given->scene},
        {"grid", OPTION_READ, .target = sweep, .read = sweep_read_grid},
        {"over", OPTION_READ, .target = sweep, .read = sweep_read_over},
        {"sample", OPTION_READ, .target = sweep, .read = sweep_read_sample},
        {"design", OPTION_CHOICE, .target = &given->design, .names = designs},
        {"seed", OPTION_INTEGER, .target = &sweep->seed, .low = 0, .high = 1000000000},
        {"shard", OPTION_READ, .target = &given->shard, .read = shard_read},
        {"checkpoint", OPTION_READ, .target = &given->part_rows, .read = read_part_rows},
        {"resume", OPTION_FLAG, .target = &given->resume},
        {"summary", OPTION_FLAG, .target = &given->summary},
        {"plot", OPTION_FILE, .target = &given->plan.plot},
        {0}};
    int status = command_line_read("batch", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    status = sweep_check("batch", sweep);
    if (status) {
        return status;
    }
    if (given->resume && given->part_rows == 0) {
        given->part_rows = PART_ROWS;
    }
    if (given->summary && given->shard.count > 1) {
        return usage_fail("batch", "--summary: cannot be used with --shard; \"carom merge "
                                   "--summary\" takes shards");
    }
    status = summary_options_check("batch", given->summary, &given->plan);
    if (status) {
        return status;
    }
    if (sweep->count > 0 && !given->scene) {
        return usage_fail("batch", "--scene: is needed with --grid and --sample");
    }
    sweep->design = sweep->rows > 0 ? (SweepDesign)given->design : SWEEP_GRID;
    return -1;
}

/* The table and the rows. NULL in either: a message was printed. */
static void open_rows(const BatchOptions *given, json_t *document, const char *in_path,
                      BatchRun *run, BatchRows **rows) {
    Error error;
    bool made = given->sweep.count > 0;
    run->reader = made ? sweep_open(&given->sweep) : table_open(in_path, &error);
    *rows = NULL;
    if (!run->reader) {
        message_error("%s: %s", run->in_name, made ? "out of memory" : error.text);
        return;
    }
    const TableColumns *columns = &run->reader->columns;
    *rows = !document ? contact_rows_create(columns, given->columns, &error)
            : throw_rows_take(document)
                ? throw_rows_create(columns, document, made, given->columns, &error)
            : world_rows_take(document)
                ? world_rows_create(columns, document, made, given->columns, &error)
                : scene_rows_create(columns, document, made, given->columns, &error);
    if (!*rows) {
        message_error("%s: %s", run->in_name, error.text);
    }
}

/* The folder of the parts: the first process makes it, the others find it. good: nothing is wrong
 * so far. */
static bool open_parts(const BatchOptions *given, const char *out_path, bool good,
                       BatchRanks *ranks, BatchParts *parts) {
    Error error;
    for (int turn = 0; turn < (ranks ? 2 : 1); turn++) {
        bool mine = !ranks || (ranks->rank > 0) == (turn > 0);
        if (good && mine &&
            !batch_parts_open(out_path, !given->summary, given->command, given->resume || turn > 0,
                              parts, &error)) {
            message_error("%s", error.text);
            good = false;
        }
        good = ranks ? ranks->agree(ranks, good) : good;
    }
    return good;
}

static int run_command(const BatchOptions *given, json_t *document, const char *in_path,
                       const char *out_path, BatchRanks *ranks) {
    bool made = given->sweep.count > 0;
    BatchRun run = {.ranks = ranks,
                    .in_name = made      ? given->scene
                               : in_path ? in_path
                                         : "standard input",
                    .out_name = out_path ? out_path : "standard output",
                    .out_path = out_path,
                    .summary = given->summary ? &given->plan : NULL,
                    .threads = (int)given->threads,
                    .shard = given->shard.index,
                    .shards = given->shard.count,
                    .part_rows = (unsigned long long)given->part_rows};
    BatchRows *rows;
    BatchParts parts = {0};
    open_rows(given, document, in_path, &run, &rows);
    run.rows = rows;
    bool good = rows != NULL;
    if (given->part_rows > 0) {
        run.parts = &parts;
        good = open_parts(given, out_path, good, ranks, &parts);
    }
    int status = good ? batch_run(&run) : 2;
    batch_parts_close(&parts);
    if (rows) {
        rows->close(rows);
    }
    table_close(run.reader);
    return status;
}

/* IN and OUT, or OUT alone where the rows are made; NULL: a standard stream. Returns 0, or the exit
 * status after usage_fail(). */
static int read_paths(int argc, char **argv, const BatchOptions *given, const char *paths[2]) {
    int made = given->sweep.count > 0, count = argc - optind;
    if (count > 2 - made) {
        return usage_fail("batch", "%s: at most %s", argv[optind + 2 - made],
                          made ? "one file, OUT" : "two files, IN and OUT");
    }
    paths[0] = paths[1] = NULL;
    for (int i = 0; i < count; i++) {
        paths[i + made] = strcmp(argv[optind + i], "-") == 0 ? NULL : argv[optind + i];
    }
    if (given->part_rows > 0 && !paths[1]) {
        return usage_fail("batch", "%s: an OUT file is needed",
                          given->resume ? "--resume" : "--checkpoint");
    }
    int wrong = made ? 0 : used_files_note_input(paths[0] ? paths[0] : "-");
    return wrong || !given->scene ? wrong : used_files_note_input(given->scene);
}

/* What the picture of a summary is of. */
static void plan_summary(BatchOptions *given, const json_t *document, const char *in_path) {
    const char *name = json_string_value(json_object_get(document, "name"));
    const Sweep *sweep = &given->sweep;
    given->plan.heading = name ? name : given->scene ? given->scene : in_path ? in_path : "Summary";
    for (int i = 0; i < 2 && sweep->design == SWEEP_GRID && sweep->count == 2; i++) {
        const SweepAxis *axis = &sweep->axes[i];
        given->plan.axes[i] = (SummaryAxis){.name = scene_path_name(&axis->path),
                                            .from = axis->from,
                                            .to = axis->to,
                                            .geometric = scene_path_is_stiffness(&axis->path),
                                            .count = axis->count};
    }
}

/* Processes that were started together share the rows, which needs files that all of them see.
 * Returns 0, or the exit status after usage_fail(). */
static int join_processes(BatchOptions *given, const char *const paths[2], BatchRanks **ranks) {
    Error error;
    if (!batch_ranks_started() || given->shard.automatic) {
        return 0;
    }
    if (!paths[1] || (given->sweep.count == 0 && !paths[0])) {
        return usage_fail("batch", "several processes need IN and OUT to be files");
    }
    *ranks = batch_ranks_open(&error);
    if (!*ranks) {
        message_error("%s", error.text);
        return 2;
    }
    given->part_rows = given->part_rows > 0 ? given->part_rows : PART_ROWS;
    given->threads = given->threads > 0 ? given->threads : 1;
    return 0;
}

int batch_main(int argc, char **argv) {
    BatchOptions given = {.sweep = {.seed = 1}, .shard = {.index = 0, .count = 1}};
    const char *paths[2];
    BatchRanks *ranks = NULL;
    int status = read_options(argc, argv, &given);
    if (status >= 0) {
        return status;
    }
    status = read_paths(argc, argv, &given, paths);
    if (status) {
        return status;
    }
    json_t *document = NULL;
    Error error;
    if (given.scene && !(document = document_read_file(given.scene, &error))) {
        message_error("%s: %s", given.scene, error.text);
        return 2;
    }
    plan_summary(&given, document, paths[0]);
    status = join_processes(&given, paths, &ranks);
    given.threads = given.threads > 0 ? given.threads : crew_processors();
    note_command(argc, argv, paths[0], given.command, sizeof given.command);
    status = status ? status : run_command(&given, document, paths[0], paths[1], ranks);
    if (ranks) {
        ranks->close(ranks);
    }
    json_decref(document);
    return status;
}
