#include "commands/simulate_mechanism.h"

#include "base/document.h"
#include "report/json/json_report.h"

#ifdef CAROM_HAS_MECHANISM

#include "base/message.h"
#include "mechanism/mechanism_plot.h"
#include "mechanism/mechanism_report.h"

/* Most samples; the table then has 2 GB. */
#define SAMPLES_MAX 1e7

static int report(const char *path, const MechanismScene *scene, const MechanismRun *run,
                  const FollowOptions *settings) {
    const char *name = document_name(path);
    const CaromMechanismSummary *summary = &run->summary;
    Error error;
    if (summary->status == CAROM_INVALID_INPUT) {
        return report_failure(name, summary->status, summary->message, settings->json);
    }
    if (!settings->json) {
        mechanism_text(stdout, scene, run);
    } else if (!mechanism_json(stdout, run)) {
        message_error("%s: out of memory", name);
        return 2;
    }
    if (summary->status < 0) {
        message_error("%s: %s: at time %g: %s", name, carom_status_string(summary->status),
                      summary->time, summary->message);
    }
    if ((settings->trajectory && !mechanism_csv(settings->trajectory, run, &error)) ||
        (settings->plot && !mechanism_plot(settings->plot, path, scene, run, &error))) {
        message_error("%s: %s", name, error.text);
        return 2;
    }
    return summary->status < 0;
}

int simulate_mechanism(const char *path, json_t *document, long bounces,
                       const FollowOptions *settings) {
    const char *name = document_name(path);
    MechanismScene scene;
    Error error;
    if (bounces > 0) {
        return usage_fail("simulate", "--bounces: not for a mechanism; --time ends it");
    }
    if (settings->options.method != CAROM_METHOD_EXACT) {
        return usage_fail("simulate",
                          "--method: impacts of a mechanism are planar, in closed form");
    }
    if (!mechanism_scene_read(document, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    scene.time = settings->time > 0 ? settings->time : scene.time;
    int status;
    MechanismRun run = {0};
    if (settings->rate * scene.time > SAMPLES_MAX) {
        status = usage_fail("simulate", "--rate: %g is too high for a time of %g, at most %g",
                            settings->rate, scene.time, SAMPLES_MAX / scene.time);
    } else if (!mechanism_run(&scene, settings->rate, &run)) {
        status = report_failure(name, CAROM_INVALID_INPUT, "out of memory", settings->json);
    } else {
        status = report(path, &scene, &run, settings);
    }
    mechanism_run_free(&run);
    mechanism_scene_free(&scene);
    return status;
}

#else

int simulate_mechanism(const char *path, json_t *document, long bounces,
                       const FollowOptions *settings) {
    (void)document;
    (void)bounces;
    return report_failure(document_name(path), CAROM_INVALID_INPUT,
                          "mechanism: this program was built without SUNDIALS, which mechanisms "
                          "need (Debian: libsundials-dev)",
                          settings->json);
}

#endif
