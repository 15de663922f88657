#include "commands/roll_command.h"

#include <getopt.h>
#include <stdio.h>

#include "base/document.h"
#include "base/message.h"
#include "commands/follow_options.h"
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
    "  --plot FILE.svg    also draw it from above (.svg, .png, .pdf); needs "
    "gnuplot\n" FOLLOW_OPTIONS_HELP "\n"
    "Exit status: 0 done; 1 the impact could not be solved; 2 bad input or usage.\n";

static int write_files(const char *name, const char *path, const RollRun *run,
                       const FollowOptions *settings) {
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
                      const Solution *solution, const FollowOptions *settings) {
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

static int follow_scene(const char *path, const FollowOptions *settings) {
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
    FollowOptions settings = {.options = carom_options_default()};
    const Option options[] = {FOLLOW_OPTIONS(settings), {0}};
    int status = command_line_read("roll", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    int wrong = follow_options_check("roll", &settings, argc, argv);
    if (wrong) {
        return wrong;
    }
    status = follow_scene(argv[optind], &settings);
    return output_finish() ? status : 2;
}
