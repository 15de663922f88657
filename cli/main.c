/* carom: the program. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <carom/carom.h>

#include "base/message.h"
#include "commands/aim_command.h"
#include "commands/batch_command.h"
#include "commands/figures_command.h"
#include "commands/fit_command.h"
#include "commands/lab_command.h"
#include "commands/measure_command.h"
#include "commands/merge_command.h"
#include "commands/plot_command.h"
#include "commands/roll_command.h"
#include "commands/simulate_command.h"
#include "commands/solve_command.h"
#include "io/command_line.h"

static const char help[] =
    "Usage: carom COMMAND [options] [files]\n"
    "Impacts of rigid bodies, computed exactly.\n"
    "\n"
    "  solve     solve scenes (JSON) and print the results\n"
    "  batch     solve many problems, one per row of a table, or over ranges of a scene\n"
    "  merge     join the outputs of batch's shards\n"
    "  fit       find coefficients from measured impacts (CSV)\n"
    "  measure   coefficients from bench measurements, with standard errors\n"
    "  aim       find the strike for a wanted outcome\n"
    "  plot      draw the process of a scene (SVG)\n"
    "  simulate  throw a body at a plane and follow it, bounce after bounce\n"
    "  roll      follow a ball on a table after an impact: it slides, rolls, rests\n"
    "  lab       write the laboratory: impacts to play with in a browser (HTML)\n"
    "  figures   compute the figures of the papers again, as a gallery (HTML)\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "\"carom COMMAND --help\" and the manual page, carom(1), have the details.\n";

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} commands[] = {{"solve", solve_main}, {"batch", batch_main},       {"merge", merge_main},
                {"fit", fit_main},     {"measure", measure_main},   {"aim", aim_main},
                {"plot", plot_main},   {"simulate", simulate_main}, {"roll", roll_main},
                {"lab", lab_main},     {"figures", figures_main}};

/* A standard stream that is closed would become the next file that is opened. In its place comes
 * one that can be neither read nor written, as the case may be. */
static void open_standard_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

int main(int argc, char **argv) {
    open_standard_streams();
    /* a closed pipe and a file that grows beyond its limit are reported as failed writes */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        fputs(help, stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        fputs(help, stdout);
        return output_finish() ? 0 : 2;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("carom %s\n", carom_version());
        return output_finish() ? 0 : 2;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].main(argc - 1, argv + 1);
        }
    }
    message_error("%s: unknown %s; see \"carom --help\"", argv[1],
                  argv[1][0] == '-' ? "option" : "command");
    return 2;
}
