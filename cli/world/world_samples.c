#include "world/world_samples.h"

#include <stdlib.h>

#include "base/error.h"
#include "io/progress.h"

/* Samples of all bodies between two lines of progress. */
enum { PROGRESS = 256 };

typedef struct Sampling {
    WorldSample sample;
    void *user;
    CaromPhase *phases; /* of the bodies, as seen last */
} Sampling;

static void see_body(Sampling *sampling, const CaromWorld *world, double time, int body) {
    CaromBody state;
    CaromMotion motion;
    carom_world_body(world, body, &state, NULL);
    carom_world_motion(world, body, &motion, NULL);
    sampling->phases[body] = motion.phase;
    sampling->sample(sampling->user, time, body, &state, motion.phase);
}

/* The visitor. */
static int see_event(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    Sampling *sampling = user;
    const CaromWorldImpact *impact = event->impact;
    for (int i = 0; impact && i < impact->body_count; i++) {
        int body = impact->bodies[i];
        if (body >= 0) {
            sampling->sample(sampling->user, event->time, body, &impact->before[i],
                             sampling->phases[body]);
            see_body(sampling, world, event->time, body);
        }
    }
    if (!impact) {
        see_body(sampling, world, event->time, event->body);
    }
    return 0;
}

bool world_samples(const WorldScene *scene, double end, double rate, WorldSample sample, void *user,
                   Error *error) {
    size_t count = (size_t)scene->setup.body_count;
    Sampling sampling = {sample, user, calloc(count, sizeof *sampling.phases)};
    CaromWorld *world = NULL;
    if (!sampling.phases || carom_world_create(&scene->setup, NULL, &world, NULL) < 0) {
        free(sampling.phases);
        return error_set(error, "out of memory");
    }
    CaromWorldRun run = {.visit = see_event, .user = &sampling};
    bool more = true;
    for (double index = 0; more && run.status >= 0; index++) {
        double time = index / rate;
        more = time < end;
        run.time = more ? time : end;
        if (run.time > 0) {
            carom_world_run(world, &run);
        }
        for (int i = 0; i < scene->setup.body_count; i++) {
            see_body(&sampling, world, run.time, i);
        }
        if (index == 0 && scene->shot >= 0) {
            carom_world_shoot(world, scene->shot, &scene->cue, &run);
        }
        if ((long)index % PROGRESS == 0) {
            progress_show("samples up to time %.4g of %.4g", run.time, end);
        }
    }
    progress_end();
    carom_world_destroy(world);
    free(sampling.phases);
    return true;
}
