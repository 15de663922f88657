#include "world/world_record.h"

#include <stdlib.h>
#include <string.h>

#include "io/progress.h"

/* Events between two lines of progress. */
enum { PROGRESS = 1000 };

/* Room for one more element of an array that grows. */
static bool make_room(void **array, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    size_t wanted = *room > 0 ? 2 * *room : 256;
    void *larger = realloc(*array, wanted * size);
    if (!larger) {
        return false;
    }
    *array = larger;
    *room = wanted;
    return true;
}

static bool add_piece(WorldRecord *record, const CaromWorld *world, int body) {
    void *pieces = record->pieces;
    if (!make_room(&pieces, record->piece_count, &record->piece_room, sizeof *record->pieces)) {
        return false;
    }
    record->pieces = pieces;
    WorldPiece *piece = &record->pieces[record->piece_count++];
    piece->body = body;
    carom_world_motion(world, body, &piece->motion, NULL);
    return true;
}

static bool add_hits(WorldHappening *event, const CaromWorldImpact *impact) {
    event->hits = calloc((size_t)impact->contact_count, sizeof *event->hits);
    if (!event->hits) {
        return false;
    }
    event->hit_count = impact->contact_count;
    event->status = impact->result->status;
    event->energy = impact->result->energy;
    memcpy(event->sequence, impact->result->sequence, sizeof event->sequence);
    for (int i = 0; i < impact->contact_count; i++) {
        WorldHit *hit = &event->hits[i];
        double frame[9];
        hit->touching = impact->touching[i];
        hit->approach = -impact->problem->velocity[3 * i + 2];
        memcpy(hit->point, impact->sites[i].point, sizeof hit->point);
        carom_site_frame(&impact->sites[i], frame, NULL);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) {
                hit->impulse[k] += impact->result->impulse[3 * i + j] * frame[3 * j + k];
            }
        }
    }
    return true;
}

/* The visitor: keep the event, and the new pieces of motion. */
static int record_event(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    WorldRecord *record = user;
    void *events = record->events;
    bool good =
        make_room(&events, record->event_count, &record->event_room, sizeof *record->events);
    record->events = events;
    if (good) {
        WorldHappening *kept = &record->events[record->event_count++];
        *kept = (WorldHappening){
            .kind = event->kind, .time = event->time, .body = event->body, .plane = event->plane};
        good = !event->impact || add_hits(kept, event->impact);
        record->gains += kept->status == CAROM_ENERGY_GAIN;
    }
    for (int i = 0; good && event->impact && i < event->impact->body_count; i++) {
        int body = event->impact->bodies[i];
        good = body < 0 || add_piece(record, world, body);
    }
    if (good && !event->impact) {
        good = add_piece(record, world, event->body);
    }
    if (record->event_count % PROGRESS == 0) {
        progress_show("time %.4g, %zu events", event->time, record->event_count);
    }
    record->no_memory = !good;
    return !good;
}

static double total_energy(const CaromWorld *world) {
    double kinetic, potential;
    carom_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

bool world_record_run(const WorldScene *scene, WorldRecord *record) {
    CaromWorld *world;
    int count = scene->setup.body_count;
    *record = (WorldRecord){.last = calloc((size_t)count, sizeof *record->last),
                            .states = calloc((size_t)count, sizeof *record->states)};
    if (!record->last || !record->states ||
        carom_world_create(&scene->setup, NULL, &world, NULL) < 0) {
        return false;
    }
    for (int i = 0; i < count && !record->no_memory; i++) {
        record->no_memory = !add_piece(record, world, i);
    }
    record->before = total_energy(world);
    record->run = (CaromWorldRun){
        .time = scene->time, .events = scene->events, .visit = record_event, .user = record};
    if (!record->no_memory && scene->shot >= 0) {
        carom_world_shoot(world, scene->shot, &scene->cue, &record->run);
        const double *v = scene->cue.velocity;
        record->before += scene->cue.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
    }
    if (!record->no_memory && record->run.status >= 0) {
        carom_world_run(world, &record->run);
    }
    progress_end();
    record->time = carom_world_time(world);
    record->after = total_energy(world);
    for (int i = 0; i < count; i++) {
        carom_world_motion(world, i, &record->last[i], NULL);
        carom_motion_advance(&record->last[i], record->time);
        carom_world_body(world, i, &record->states[i], NULL);
    }
    carom_world_destroy(world);
    return !record->no_memory;
}

void world_record_free(WorldRecord *record) {
    for (size_t i = 0; i < record->event_count; i++) {
        free(record->events[i].hits);
    }
    free(record->events);
    free(record->pieces);
    free(record->last);
    free(record->states);
    *record = (WorldRecord){0};
}

const char *world_end_words(CaromWorldEnd end) {
    static const char *const words[] = {"the time is over",
                                        "everything rests",
                                        "nothing will happen any more, though some bodies move",
                                        "as many events as asked for",
                                        "stopped",
                                        "too many impacts at one time",
                                        "an impact or a motion could not be computed"};
    return words[end];
}
