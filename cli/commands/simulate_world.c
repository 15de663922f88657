#include "commands/simulate_world.h"

#include "base/document.h"
#include "base/message.h"
#include "report/json/json_report.h"
#include "world/world_csv.h"
#include "world/world_plot.h"
#include "world/world_report.h"

static int report(const char *path, const WorldScene *scene, const WorldRecord *record,
                  const FollowOptions *settings) {
    const char *name = document_name(path);
    const CaromWorldRun *run = &record->run;
    Error error;
    if (run->status < 0 && record->event_count == 0) {
        return report_failure(name, run->status, run->message, settings->json);
    }
    if (!settings->json) {
        world_text(stdout, scene, record);
    } else if (!world_json(stdout, scene, record)) {
        message_error("%s: out of memory", name);
        return 2;
    }
    if (run->status < 0) {
        message_error("%s: %s: at time %g: %s", name, carom_status_string(run->status),
                      record->time, run->message);
    }
    if ((settings->trajectory &&
         !world_csv(settings->trajectory, scene, record, settings->rate, &error)) ||
        (settings->plot && !world_plot(settings->plot, path, scene, record, &error))) {
        message_error("%s: %s", name, error.text);
        return 2;
    }
    return run->status < 0;
}

int simulate_world(const char *path, json_t *document, long bounces,
                   const FollowOptions *settings) {
    const char *name = document_name(path);
    WorldScene scene;
    WorldRecord record;
    Error error;
    if (bounces > 0) {
        return usage_fail("simulate", "--bounces: not for a world; --time ends it");
    }
    if (settings->options.method != CAROM_METHOD_EXACT) {
        return usage_fail("simulate", "--method: impacts of a world are solved by exact");
    }
    if (!world_scene_read(document, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    scene.time = settings->time > 0 ? settings->time : scene.time;
    int status = world_record_run(&scene, &record)
                     ? report(path, &scene, &record, settings)
                     : report_failure(name, CAROM_INVALID_INPUT, "out of memory", settings->json);
    world_record_free(&record);
    world_scene_free(&scene);
    return status;
}
