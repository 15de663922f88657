#include "commands/roll_command.h"

#include <getopt.h>
#include <stdio.h>

#include "base/document.h"
#include "base/message.h"
#include "commands/solver_options.h"
#include "io/command_line.h"
#include "io/used_files.h"
#include "picture/picture.h"
#include "report/json/json_report.h"
#include "roll/roll_plot.h"
#include "roll/roll_report.h"
#include "scene/scene_read.h"

static const char help[] =
    "Usage: carom roll [options] SCENE.json\n"
    "Solve the scene's impact (\"-\": standard input), then follow one of its bodies, a ball on a\n"
    "horizontal table, z up: it slides on a parabola, rolls straight on, and rests. The scene's\n"
    "field \"roll\" names the body and has radius, mu_slide, mu_roll and gravity.\n"
    "\n"
    "  --time T           end at time T after the impact (default: when the ball rests)\n"
    "  --json             one line of JSON instead of text\n"
    "  -o, --trajectory FILE.csv\n"
    "                     also write the path, sampled\n"
    "  --rate R           samples of the path per unit of time, at most 10000000 in all\n"
    "                     (default: 1000 in all)\n"
    "  --plot FILE.svg    also draw it from above (.svg, .png, .pdf); needs "
    "gnuplot\n" SOLVER_OPTIONS_HELP "  --help             print this\n"
    "\n"
    "Exit status: 0 done; 1 the impact could not be solved; 2 bad input or usage.\n";

typedef struct Settings {
    CaromOptions options;
    int json;
    double time;            /* 0: until the ball rests */
    const char *trajectory; /* NULL: none */
    double rate;            /* 0: the default */
    const char *plot;       /* NULL: none */
} Settings;

/* Check the options together. Returns 0 or the exit status. */
static int check_settings(Settings *settings, int files) {
    if (files != 1) {
        return files == 0 ? usage_fail("roll", "no scene given")
                          : usage_fail("roll", "takes one scene, got %d", files);
    }
    int wrong = solver_options_check("roll", &settings->options);
    if (wrong) {
        return wrong;
    }
    if (settings->rate > 0 && !settings->trajectory) {
        return usage_fail("roll", "--rate: only with --trajectory");
    }
    if (settings->plot && !picture_format(settings->plot)) {
        return usage_fail("roll", "--plot: must end in .svg, .png or .pdf, got \"%s\"",
                          settings->plot);
    }
    return 0;
}

static int write_files(const char *name, const char *path, const RollRun *run,
                       const Settings *settings) {
    Error error;
    if (settings->trajectory && !roll_csv(settings->trajectory, run, settings->rate, &error)) {
        message_error("%s: %s", name, error.text);
        return 2;
    }
    if (settings->plot && !roll_plot(settings->plot, path, run, &error)) {
        message_error("%s: --plot: %s", name, error.text);
        return 2;
    }
    return 0;
}

static int report_run(const char *name, const char *path, const Scene *scene,
                      const Solution *solution, const Settings *settings) {
    const CaromResult *result = &solution->result;
    const char *message;
    RollRun run;
    if (result->status < 0) {
        return report_failure(name, result->status, result->message, settings->json);
    }
    if (roll_run(scene, solution, settings->time, &run, &message) < 0) {
        return report_failure(name, CAROM_INVALID_INPUT, message, settings->json);
    }
    if (!settings->json) {
        roll_text(stdout, solution, &run);
    } else if (!roll_json(stdout, solution, &run)) {
        message_error("%s: out of memory", name);
        return 2;
    }
    return write_files(name, path, &run, settings);
}

static int follow_scene(const char *path, const Settings *settings) {
    const char *name = document_name(path);
    Scene scene;
    Solution solution = {0};
    Error error;
    if (!scene_read_file(path, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    int status = scene.roll.body < 0
                     ? report_failure(name, CAROM_INVALID_INPUT,
                                      "roll: missing, must be an object with \"body\", \"radius\", "
                                      "\"mu_slide\", \"mu_roll\" and \"gravity\"",
                                      settings->json)
                 : solution_compute(&scene, &settings->options, &solution)
                     ? report_run(name, path, &scene, &solution, settings)
                     : report_failure(name, CAROM_INVALID_INPUT, "out of memory", settings->json);
    solution_free(&solution);
    scene_free(&scene);
    return status;
}

int roll_main(int argc, char **argv) {
    Settings settings = {.options = carom_options_default()};
    const Option options[] = {
        {"json", OPTION_FLAG, .target = &settings.json},
        {"time", OPTION_POSITIVE, .target = &settings.time},
        {"trajectory", OPTION_TEXT, .target = &settings.trajectory, .letter = 'o'},
        {"rate", OPTION_POSITIVE, .target = &settings.rate},
        {"plot", OPTION_TEXT, .target = &settings.plot},
        SOLVER_OPTIONS(settings.options),
        {0}};
    int status = command_line_read("roll", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    int wrong = check_settings(&settings, argc - optind);
    if (wrong) {
        return wrong;
    }
    wrong = used_files_note_inputs(argv + optind, 1);
    if (wrong) {
        return wrong;
    }
    status = follow_scene(argv[optind], &settings);
    return output_finish() ? status : 2;
}
