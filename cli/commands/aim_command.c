/* carom aim: the command line. */
#include "commands/aim_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/command_line.h"

static const char help[] =
    "Usage: carom aim [--json] SCENE.json\n"
    "Find the strike for a wanted outcome (\"-\": standard input): the scene's field \"aim\" says\n"
    "which of its numbers are free, and what is wanted after the impact.\n"
    "\n"
    "  \"aim\": {\"free\": {\"bodies[0].velocity[0]\": [-5, 5], ...},\n"
    "          \"wanted\": [{\"velocity\": \"bodies[0].velocity[2]\", \"value\": 3,\n"
    "                      \"tolerance\": 0.01}, ...]}\n"
    "\n"
    "Wishes: velocity (a path) and value; direction (a body) and value [x,y,z]; landing (a body),\n"
    "value [x,y], height (default 0) and gravity (default 9.81), after free flight; rest [x,y] or\n"
    "passes [x,y], the path of the ball of the scene's \"roll\"; each with its tolerance.\n"
    "\n"
    "  --json   one line of JSON instead of text\n"
    "  --help   print this\n"
    "\n"
    "Exit status: 0 there is a solution; 1 there is none; 2 bad input or usage.\n";

#ifdef CAROM_HAS_FIT

#include <stdlib.h>

#include "aim/aim_report.h"
#include "base/document.h"
#include "io/used_files.h"
#include "report/json/json_report.h"

static int aim_at(const char *path, bool json) {
    const char *name = document_name(path);
    Error error;
    json_t *document = document_read_file(path, &error);
    AimRun *run = calloc(1, sizeof *run);
    bool good = document && run && aim_read(document, run, &error) && aim_search(run, &error);
    int status = 2;
    if (!good) {
        status =
            report_failure(name, CAROM_INVALID_INPUT, run ? error.text : "out of memory", json);
    } else if (!json) {
        aim_report_text(stdout, name, run);
        status = run->count > 0 ? 0 : 1;
    } else {
        status = !aim_report_json(stdout, run) ? 2 : run->count > 0 ? 0 : 1;
    }
    if (run) {
        aim_free(run);
    }
    free(run);
    json_decref(document);
    return status;
}

int aim_main(int argc, char **argv) {
    int json = 0;
    const Option options[] = {{"json", OPTION_FLAG, .target = &json}, {0}};
    int status = command_line_read("aim", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (argc - optind != 1) {
        return usage_fail("aim", "takes one scene, got %d", argc - optind);
    }
    status = used_files_note_inputs(argv + optind, 1);
    if (status == 0) {
        status = aim_at(argv[optind], json != 0);
    }
    return output_finish() ? status : 2;
}

#else

int aim_main(int argc, char **argv) {
    const Option options[] = {{0}};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return command_line_read("aim", help, options, argc, argv);
    }
    message_error("aim: this program was built without cminpack; install it (Debian: "
                  "libcminpack-dev) and build again");
    return 2;
}

#endif
