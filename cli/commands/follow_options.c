#include "commands/follow_options.h"

#include <getopt.h>

#include "io/used_files.h"
#include "picture/picture.h"

int follow_options_check(const char *command, FollowOptions *follow, int argc, char **argv) {
    int files = argc - optind;
    if (files != 1) {
        return files == 0 ? usage_fail(command, "no scene given")
                          : usage_fail(command, "takes one scene, got %d", files);
    }
    int wrong = solver_options_check(command, &follow->options);
    if (wrong) {
        return wrong;
    }
    if (follow->rate > 0 && !follow->trajectory) {
        return usage_fail(command, "--rate: only with --trajectory");
    }
    if (follow->plot && !picture_format(follow->plot)) {
        return usage_fail(command, "--plot: must end in .svg, .png or .pdf, got \"%s\"",
                          follow->plot);
    }
    return used_files_note_inputs(argv + optind, 1);
}
