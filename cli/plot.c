/* carom plot: the process of one impact as a picture. */
#include "plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "gnuplot.h"
#include "picture.h"
#include "plot_run.h"
#include "report.h"
#include "text.h"

static const char help[] =
    "Usage: carom plot SCENE.json -o FILE.svg [options]\n"
    "Draw the process of a scene with one contact (\"-\": standard input).\n"
    "The picture is SVG, PNG or PDF by the file's name. Needs gnuplot.\n"
    "\n"
    "  -o, --output FILE  where to write: .svg, .png or .pdf\n"
    "  --kind KIND        hodograph (default): the sliding velocity in the tangent plane,\n"
    "                       the invariant directions and the events; of a planar scene\n"
    "                       the tangential and the normal velocity\n"
    "                     energy: what is stored and lost, against the normal impulse\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 1 the scene could not be solved; 2 bad input or usage.\n";

typedef struct Kind {
    const char *name;
    const char *title;
    PlotDraw *draw;
} Kind;

static const Kind kinds[] = {{"hodograph", "hodograph", plot_hodograph},
                             {"energy", "energy", plot_energy}};

typedef struct Settings {
    bool help;
    const char *scene;
    const char *output;
    const Kind *kind;
    const PictureFormat *format;
} Settings;

static const Kind *find_kind(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static int check_settings(int argc, char **argv, Settings *settings) {
    if (argc - optind != 1) {
        return argc == optind ? usage_fail("plot", "no scene given")
                              : usage_fail("plot", "takes one scene, got %d", argc - optind);
    }
    if (!settings->output) {
        return usage_fail("plot", "-o: where to write the picture is missing");
    }
    settings->scene = argv[optind];
    settings->format = picture_format(settings->output);
    if (!settings->format) {
        return usage_fail("plot", "-o: must end in .svg, .png or .pdf, got \"%s\"",
                          settings->output);
    }
    return 0;
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
    } else if (!(settings->kind = find_kind(optarg))) {
        return usage_fail("plot", "--kind: must be hodograph or energy, got \"%s\"", optarg);
    }
    return 0;
}

static int read_settings(int argc, char **argv, Settings *settings) {
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"kind", required_argument, NULL, 'k'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *settings = (Settings){.kind = &kinds[0]};
    int wrong = usage_read_options(argc, argv, ":ho:", options, read_option, settings);
    return wrong || settings->help ? wrong : check_settings(argc, argv, settings);
}

/* The scene's name, or else the file's, cut to what fits over the picture. */
static void make_heading(const Scene *scene, const char *path, char *heading, size_t size) {
    enum { COLUMNS_MAX = 56 };
    const char *slash = strrchr(path, '/');
    const char *base = strcmp(path, "-") == 0 ? "Scene" : slash ? slash + 1 : path;
    snprintf(heading, size, "%s", scene->name && scene->name[0] ? scene->name : base);
    text_make_plain(heading);
    int columns = 0;
    for (char *c = heading; *c; c++) {
        columns += ((unsigned char)*c & 0xC0) != 0x80;
        if (columns > COLUMNS_MAX) {
            snprintf(c, size - (size_t)(c - heading), "...");
            break;
        }
    }
}

/* Coefficients and outcome in one line; five digits are enough to tell pictures apart. */
static void make_subheading(const Scene *scene, const PlotRun *run, char *text, size_t size) {
    char mu_static[48] = "";
    const CaromContact *contact = &scene->contacts[0];
    if (contact->mu_static > contact->mu) {
        snprintf(mu_static, sizeof mu_static, " (static %.5g)", contact->mu_static);
    }
    char kind[64];
    if (scene->model == CAROM_COMPLIANT) {
        snprintf(kind, sizeof kind, "stiffness ratio %.5g", contact->stiffness_ratio);
    } else {
        snprintf(kind, sizeof kind, "%s restitution", scene_law_name(scene->law));
    }
    snprintf(text, size, "μ = %.5g%s, e = %.5g, %s; sequence %s%s", contact->mu, mu_static,
             contact->e, kind, run->result.sequence,
             run->result.status == CAROM_ENERGY_GAIN ? "; gains energy" : "");
}

static void write_preamble(const Settings *settings, const char *heading, const char *subheading,
                           FILE *script) {
    /* fixed margins: a square of 0.81 of the width in every format, the legend below it */
    fprintf(
        script,
        "set encoding utf8\nset terminal %s\npoint = %g\nset border 31 lw 0.8\nset tics nomirror\n"
        "set lmargin at screen 0.145\nset rmargin at screen 0.955\n"
        "set bmargin at screen 0.2219\nset tmargin at screen 0.9\n"
        "set key at screen 0.1,0.145 top left vertical Left reverse maxrows 4 spacing 1.25 "
        "samplen 4 width 3\n"
        "set title ",
        settings->format->terminal, settings->format->point);
    gnuplot_text(script, heading);
    fprintf(script, " . ': %s' . \"\\n\" . ", settings->kind->title);
    gnuplot_text(script, subheading);
    fputs(" noenhanced\n", script);
}

typedef struct Picture {
    const Settings *settings;
    char heading[512], subheading[512];
    char *description; /* owned */
} Picture;

static int write_picture(const Picture *picture, FILE *script) {
    const char *output = picture->settings->output;
    char title[1100], why[1024];
    snprintf(title, sizeof title, "%s: %s. %s", picture->heading, picture->settings->kind->title,
             picture->subheading);
    switch (picture_write(output, script, title, picture->description, why, sizeof why)) {
    case PICTURE_WRITTEN:
        return 0;
    case PICTURE_NOT_OPENED:
        fprintf(stderr, "carom: %s: cannot be written: %s\n", output, why);
        break;
    case PICTURE_NOT_DRAWN:
        fprintf(stderr, "carom: plot: %s\n", why);
        break;
    case PICTURE_NOT_KEPT:
        fprintf(stderr, "carom: plot: %s: cannot be written: %s\n", output, why);
        break;
    }
    return 2;
}

static int draw(const Settings *settings, const Scene *scene, const PlotRun *run) {
    Picture picture = {.settings = settings};
    make_heading(scene, settings->scene, picture.heading, sizeof picture.heading);
    make_subheading(scene, run, picture.subheading, sizeof picture.subheading);
    size_t length;
    FILE *script = tmpfile(), *description = open_memstream(&picture.description, &length);
    int status = 2;
    if (script && description) {
        write_preamble(settings, picture.heading, picture.subheading, script);
        settings->kind->draw(run, script, description);
        fflush(description);
        status = write_picture(&picture, script);
    } else {
        fprintf(stderr, "carom: plot: temporary file: %s\n", strerror(errno));
    }
    if (script) {
        fclose(script);
    }
    if (description) {
        fclose(description);
    }
    free(picture.description);
    return status;
}

static int plot_scene(const Settings *settings, const char *name, const Scene *scene) {
    if (scene->contact_count != 1) {
        fprintf(stderr, "carom: %s: contacts: only one contact can be drawn, the scene has %d\n",
                name, scene->contact_count);
        return 2;
    }
    if (scene->law == CAROM_MONO_STIFFNESS) {
        fprintf(stderr, "carom: %s: restitution: mono_stiffness cannot be drawn\n", name);
        return 2;
    }
    PlotRun run;
    CaromStatus solved = plot_run_make(scene, &run);
    if (solved < 0) {
        return report_failure(name, solved, run.result.message, false);
    }
    int status = draw(settings, scene, &run);
    plot_run_free(&run);
    return status;
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
    int status = plot_scene(&settings, name, &scene);
    scene_free(&scene);
    return status;
}
