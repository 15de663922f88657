/* carom plot: the process of one impact as a picture. */
#include "commands/plot_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "base/message.h"
#include "io/command_line.h"
#include "io/used_files.h"
#include "outcomes/outcomes_plot.h"
#include "picture/picture.h"
#include "plot/plot.h"
#include "report/json/json_report.h"
#include "scene/scene_read.h"
#include "vary/vary_map_plot.h"

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
    "    map        the outcome over the ranges of two numbers of the scene, given by --vary\n"
    "  --vary PATH=FROM:TO:COUNT\n"
    "                     a range of a map, as carom solve takes it; give it twice\n"
    "  --show PATH        the colours of a map: a velocity after the impact, by its path in the\n"
    "                     scene (bodies[0].velocity[2], system.velocity[1], contact_velocity[0]);\n"
    "                     default: the loss of kinetic energy in per cent\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 1 the scene could not be solved; 2 bad input or usage.\n";

/* A map of two ranges. */
static int draw_map(const char *path, const Vary *vary, const char *shown, const char *output) {
    Error error;
    json_t *document = document_read_file(path, &error);
    int status =
        document ? vary_map_draw(document, vary, shown ? shown : "", path, output, &error) : 2;
    if (status != 0) {
        message_error("%s: %s", document_name(path), error.text);
    }
    json_decref(document);
    return status;
}

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
        message_error("%s: %s", name, error.text);
    }
    scene_free(&scene);
    return status;
}

int plot_main(int argc, char **argv) {
    const char *output = NULL, *shown = NULL;
    int kind = -1;
    Vary vary = {0};
    const Option options[] = {{"output", OPTION_TEXT, .target = &output, .letter = 'o'},
                              {"kind", OPTION_CHOICE, .target = &kind, .names = plot_kind_names},
                              {"vary", OPTION_READ, .target = &vary, .read = vary_read},
                              {"show", OPTION_TEXT, .target = &shown},
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
    bool map = kind >= 0 && strcmp(plot_kind_names[kind], "map") == 0;
    if (map != (vary.count > 0) || (map && vary.count != 2)) {
        return map ? usage_fail("plot", "--vary: --kind map needs two ranges, got %d", vary.count)
                   : usage_fail("plot", "--vary: only with --kind map");
    }
    if (shown && !map) {
        return usage_fail("plot", "--show: only with --kind map");
    }
    int wrong = used_files_note_inputs(argv + optind, 1);
    if (wrong) {
        return wrong;
    }
    return map ? draw_map(argv[optind], &vary, shown, output)
               : draw(argv[optind], kind < 0 ? NULL : plot_kind_names[kind], output);
}
