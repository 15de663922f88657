/* Fuzz target: arbitrary bytes to the reader of worlds; accepted ones run if they have only balls.
 * (The steps of a convex body in lasting contact are no events; a million of them is the bound.)
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused scene has a message in plain text
 * and owns nothing; a run ends for a known reason after at most the events asked for, with times in
 * order; unless an impact failed all bodies are finite, and no impact of the default models gains
 * energy beyond its account. */
#include <math.h>
#include <stdint.h>

#include "base/document.h"
#include "fuzz_reader.h"
#include "world/world_record.h"

/* Most events, and most balls of a world that is run: an impact of many contacts takes long under
 * the sanitizers. */
enum { EVENTS = 40, BALLS = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int motion_is_finite(const CaromMotion *motion) {
    int good = 1;
    for (int k = 0; k < 3; k++) {
        good = good && isfinite(motion->position[k]) && isfinite(motion->velocity[k]) &&
               isfinite(motion->angular_velocity[k]);
    }
    return good;
}

static void check_record(const WorldScene *scene, const WorldRecord *record) {
    double time = 0;
    require((record->run.end == CAROM_WORLD_END_FAILED) == (record->run.status < 0) ||
                record->run.status == CAROM_NOT_APPROACHING,
            "only a failure has a bad status");
    require(record->run.status >= 0 || record->run.message[0], "a failure needs a message");
    /* an impact may be followed by landings of its balls */
    require(record->event_count <= (size_t)(EVENTS + 1 + 2 * scene->setup.body_count),
            "more events than asked for");
    for (size_t i = 0; i < record->event_count; i++) {
        const WorldHappening *event = &record->events[i];
        require(event->time >= time, "time goes back");
        require(event->body >= 0 && event->body < scene->setup.body_count, "no such body");
        time = event->time;
    }
    for (int i = 0; i < scene->setup.body_count && record->run.status >= 0; i++) {
        require(motion_is_finite(&record->last[i]) || !(record->time < 1e100),
                "a body is not finite");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    WorldScene scene;
    WorldRecord record;
    Error error;
    json_t *document = document_read_memory((const char *)data, size, &error);
    if (!document) {
        return 0;
    }
    if (!world_scene_read(document, &scene, &error)) {
        require(!scene.bodies && !scene.names && !scene.vertices && !scene.materials &&
                    !scene.surfaces,
                "a refused scene must own nothing");
        check_refusal(&scene.scene, &error);
    } else {
        scene.events = EVENTS;
        if (scene.ball_count == scene.setup.body_count && scene.ball_count <= BALLS &&
            world_record_run(&scene, &record)) {
            check_record(&scene, &record);
            world_record_free(&record);
        }
        world_scene_free(&scene);
    }
    json_decref(document);
    return 0;
}
