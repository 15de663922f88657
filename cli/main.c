/* carom: the program. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

#include "commands/batch_command.h"
#include "commands/figures_command.h"
#include "commands/lab_command.h"
#include "commands/plot_command.h"
#include "commands/simulate_command.h"
#include "commands/solve_command.h"
#include "io/command_line.h"

static const char help[] =
    "Usage: carom COMMAND [options] [files]\n"
    "Impacts of rigid bodies, computed exactly.\n"
    "\n"
    "  solve     solve scenes (JSON) and print the results\n"
    "  batch     solve many single-contact problems, one per row (CSV)\n"
    "  plot      draw the process of a scene (SVG)\n"
    "  simulate  throw a body at a plane and follow it, bounce after bounce\n"
    "  lab       write the laboratory: impacts to play with in a browser (HTML)\n"
    "  figures   compute the figures of the papers again, as a gallery (HTML)\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "\"carom COMMAND --help\" and the manual page, carom(1), have the details.\n";

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} commands[] = {{"solve", solve_main},       {"batch", batch_main}, {"plot", plot_main},
                {"simulate", simulate_main}, {"lab", lab_main},     {"figures", figures_main}};

int main(int argc, char **argv) {
    /* a closed pipe is reported as a failed write */
    signal(SIGPIPE, SIG_IGN);
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
    fprintf(stderr, "carom: %s: unknown %s; see \"carom --help\"\n", argv[1],
            argv[1][0] == '-' ? "option" : "command");
    return 2;
}
