/* carom simulate: a body thrown at a plane, bounce after bounce. */
#include "commands/simulate_command.h"

#include <getopt.h>
#include <stdio.h>

#include "base/document.h"
#include "base/message.h"
#include "commands/follow_options.h"
#include "commands/simulate_mechanism.h"
#include "commands/simulate_world.h"
#include "report/json/json_report.h"
#include "simulate/simulate_csv.h"
#include "simulate/simulate_plot.h"
#include "simulate/simulate_report.h"

static const char help[] =
    "Usage: carom simulate [options] SCENE.json\n"
    "Throw the scene's body at its plane (\"-\": standard input) and follow it, flight after\n"
    "impact, and print each bounce. Scenes with \"world\" have many bodies, which are followed\n"
    "until they rest; those with \"mechanism\" a mechanism.\n"
    "\n"
    "  --time T           end at time T, instead of the scene's\n"
    "  --bounces N        end after N bounces, 1 to 100000, instead of the scene's (1000)\n"
    "  --plot FILE.svg    also draw it, from the side and from above (.svg, .png, .pdf);\n"
    "                     needs gnuplot\n" FOLLOW_OPTIONS_HELP "\n"
    "It also ends when the body rests, and when it does not come back to the plane. Bounces have\n"
    "died out when it leaves the plane at no more than a millionth (\"rest\") of the hardest\n"
    "approach so far, and gravity brings it back as soon as such a speed allows; from then on it\n"
    "stays in contact, slides, rolls or tips over.\n"
    "\n"
    "Exit status: 0 done; 1 an impact could not be solved; 2 bad input or usage.\n";

static int write_files(const char *name, const char *path, const SimulateScene *scene,
                       const SimulateRun *run, const FollowOptions *settings) {
    Error error;
    if (settings->trajectory &&
        !simulate_csv(settings->trajectory, scene, run, settings->rate, &error)) {
        message_error("%s: %s", name, error.text);
        return 2;
    }
    if (settings->plot && !simulate_plot(settings->plot, path, scene, run, &error)) {
        message_error("%s: --plot: %s", name, error.text);
        return 2;
    }
    return 0;
}

static int report_run(const char *name, const char *path, const SimulateScene *scene,
                      const SimulateRun *run, const FollowOptions *settings) {
    /* a scene whose first impact is refused has nothing to show */
    if (run->status == CAROM_INVALID_INPUT && run->impact_count == 0) {
        return report_failure(name, CAROM_INVALID_INPUT, run->message, settings->json);
    }
    if (!settings->json) {
        simulate_text(stdout, scene, &settings->options, run);
    } else if (!simulate_json(stdout, scene, run)) {
        message_error("%s: out of memory", name);
        return 2;
    }
    if (run->status < 0) {
        message_error("%s: %s: after %d bounces: %s", name, carom_status_string(run->status),
                      run->impact_count, run->message);
    }
    int status = write_files(name, path, scene, run, settings);
    return status ? status : run->status < 0;
}

static int simulate_body(const char *path, json_t *document, long bounces,
                         const FollowOptions *settings) {
    const char *name = document_name(path);
    SimulateScene scene;
    Error error;
    if (!simulate_scene_from_json(document, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    scene.time = settings->time > 0 ? settings->time : scene.time;
    scene.bounces = bounces > 0 ? bounces : scene.bounces;
    SimulateRun run;
    int status = simulate_run(&scene, &settings->options, &run)
                     ? report_run(name, path, &scene, &run, settings)
                     : report_failure(name, CAROM_INVALID_INPUT, "out of memory", settings->json);
    simulate_run_free(&run);
    simulate_scene_free(&scene);
    return status;
}

static int simulate_scene(const char *path, long bounces, const FollowOptions *settings) {
    Error error;
    json_t *document = document_read_file(path, &error);
    if (!document) {
        return report_failure(document_name(path), CAROM_INVALID_INPUT, error.text, settings->json);
    }
    int status = json_object_get(document, "mechanism")
                     ? simulate_mechanism(path, document, bounces, settings)
                 : json_object_get(document, "world")
                     ? simulate_world(path, document, bounces, settings)
                     : simulate_body(path, document, bounces, settings);
    json_decref(document);
    return status;
}

int simulate_main(int argc, char **argv) {
    FollowOptions settings = {.options = carom_options_default()};
    long bounces = 0; /* the scene's */
    const Option options[] = {
        FOLLOW_OPTIONS(settings),
        {"bounces", OPTION_INTEGER, .target = &bounces, .low = 1, .high = SIMULATE_BOUNCES_MAX},
        {0}};
    int status = command_line_read("simulate", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    int wrong = follow_options_check("simulate", &settings, argc, argv);
    if (wrong) {
        return wrong;
    }
    status = simulate_scene(argv[optind], bounces, &settings);
    return output_finish() ? status : 2;
}
