/* carom plot: the process of one impact as a picture. */
#include <stdio.h>
#include <string.h>

#include "io/commands.h"
#include "picture/picture.h"
#include "plot/plot_draw.h"
#include "report/report.h"

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
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 1 the scene could not be solved; 2 bad input or usage.\n";

typedef struct Settings {
    bool help;
    const char *scene;
    const char *output;
    const char *kind; /* NULL: the scene's default */
} Settings;

static int check_settings(int argc, char **argv, Settings *settings) {
    if (argc - optind != 1) {
        return argc == optind ? usage_fail("plot", "no scene given")
                              : usage_fail("plot", "takes one scene, got %d", argc - optind);
    }
    if (!settings->output) {
        return usage_fail("plot", "-o: where to write the picture is missing");
    }
    settings->scene = argv[optind];
    if (!picture_format(settings->output)) {
        return usage_fail("plot", "-o: must end in .svg, .png or .pdf, got \"%s\"",
                          settings->output);
    }
    return 0;
}

static bool is_kind(const char *name) {
    static const char *const names[] = {"hodograph", "impulse", "states", "velocity", "energy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* One option; 0, or the exit status if it is wrong. */
static int read_option(int option, char **argv, void *into) {
    Settings *settings = into;
    if (option == 'h') {
        settings->help = true;
    } else if (option == 'o') {
        settings->output = optarg;
    } else if (option != 'k') {
        return usage_fail_option("plot", option, argv);
    } else if (!is_kind(settings->kind = optarg)) {
        return usage_fail(
            "plot", "--kind: must be hodograph, impulse, states, velocity or energy, got \"%s\"",
            optarg);
    }
    return 0;
}

static int read_settings(int argc, char **argv, Settings *settings) {
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"kind", required_argument, NULL, 'k'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *settings = (Settings){0};
    int wrong = usage_read_options(argc, argv, ":ho:", options, read_option, settings);
    return wrong || settings->help ? wrong : check_settings(argc, argv, settings);
}

int plot_main(int argc, char **argv) {
    Settings settings;
    int wrong = read_settings(argc, argv, &settings);
    if (wrong) {
        return wrong;
    }
    if (settings.help) {
        return usage_help(help);
    }
    const char *name = scene_file_name(settings.scene);
    Scene scene;
    SceneError error;
    if (!scene_read_file(settings.scene, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, false);
    }
    char why[2048];
    int status =
        plot_draw_status(&scene, settings.scene, settings.kind, settings.output, why, sizeof why);
    if (status != 0) {
        fprintf(stderr, "carom: %s: %s\n", name, why);
    }
    scene_free(&scene);
    return status;
}
