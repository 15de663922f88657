/* carom plot: the process of one impact as a picture. */
#include "commands/plot_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "io/command_line.h"
#include "outcomes/outcomes_plot.h"
#include "picture/picture.h"
#include "plot/plot.h"
#include "report/json/json_report.h"
#include "scene/scene_read.h"

static const char help[] =
    "Usage: carom plot SCENE.json -o FILE.svg [options]\n"
    "Draw the process of a scene (\"-\": standard input) with gnuplot, as SVG, PNG or PDF by the\n"
    "file's name.\n"
    "\n"
    "  -o, --output FILE  where to write: .svg, .png or .pdf\n"
    "  --kind KIND        what to draw:\n"
    "    hodograph  the sliding velocity in the tangent plane, the invariant directions and the\n"
    "               events; of a planar scene the tangential and the normal velocity; of several\n"
    "               contacts a curve for each with friction. Default for one contact\n"
    "    impulse    the impulse curve with plane of compression, line of sticking and friction\n"
    "               cone; of two contacts their normal impulses, the lines of compression and the\n"
    "               bounding ellipse (the default); of more the normal impulses as they grow\n"
    "    states     several contacts: which act when, compressing, restituting or held together.\n"
    "               Default for more than two\n"
    "    velocity   contact velocities against the normal impulse\n"
    "    energy     kinetic energy, and what is stored and lost, against the normal impulse\n"
    "    outcomes   several contacts: the outcomes over orders of impacts and over stiffness\n"
    "               ratios, in the two most uncertain components (see carom solve --outcomes)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 1 the scene could not be solved; 2 bad input or usage.\n";

/* kind NULL: the scene's default. */
static int draw(const char *path, const char *kind, const char *output) {
    const char *name = document_name(path);
    Scene scene;
    Error error;
    if (!scene_read_file(path, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, false);
    }
    int status = kind && strcmp(kind, "outcomes") == 0
                     ? outcomes_draw(&scene, path, output, &error)
                     : plot_draw(&scene, path, kind, output, &error);
    if (status != 0) {
        fprintf(stderr, "carom: %s: %s\n", name, error.text);
    }
    scene_free(&scene);
    return status;
}

int plot_main(int argc, char **argv) {
    const char *output = NULL;
    int kind = -1;
    const Option options[] = {{"output", OPTION_TEXT, .target = &output, .letter = 'o'},
                              {"kind", OPTION_CHOICE, .target = &kind, .names = plot_kind_names},
                              {0}};
    int status = command_line_read("plot", help, options, argc, argv), files = argc - optind;
    if (status >= 0) {
        return status;
    }
    if (files != 1) {
        return files == 0 ? usage_fail("plot", "no scene given")
                          : usage_fail("plot", "takes one scene, got %d", files);
    }
    if (!output) {
        return usage_fail("plot", "-o: where to write the picture is missing");
    }
    if (!picture_format(output)) {
        return usage_fail("plot", "-o: must end in .svg, .png or .pdf, got \"%s\"", output);
    }
    return draw(argv[optind], kind < 0 ? NULL : plot_kind_names[kind], output);
}
