/* What happened in a world: its events, and every piece of motion of every body. */
#ifndef CAROM_CLI_WORLD_WORLD_RECORD_H
#define CAROM_CLI_WORLD_WORLD_RECORD_H

#include "world/world_scene.h"

/* A contact of an impact. */
typedef struct WorldHit {
    CaromTouching touching;
    double point[3];
    double impulse[3]; /* on the first body, world axes */
    double approach;   /* normal speed; negative: it opens */
} WorldHit;

typedef struct WorldHappening {
    CaromWorldEventKind kind;
    double time;
    int body, plane; /* as in CaromWorldEvent */
    int hit_count;   /* contacts of an impact */
    WorldHit *hits;
    CaromStatus status;
    CaromEnergy energy;
    char sequence[CAROM_SEQUENCE_SIZE];
} WorldHappening;

typedef struct WorldPiece {
    int body;
    CaromMotion motion;
} WorldPiece;

/* Owns its arrays. */
typedef struct WorldRecord {
    WorldHappening *events;
    size_t event_count, event_room;
    WorldPiece *pieces; /* in order of their times; the first body_count are the start */
    size_t piece_count, piece_room;
    CaromMotion *last;    /* of each body, at the end */
    CaromBody *states;    /* likewise; with the orientation of convex bodies */
    long gains;           /* impacts whose law gained energy */
    double before, after; /* kinetic and potential energy together */
    double time;
    CaromWorldRun run;
    bool no_memory;
} WorldRecord;

/* Run the world. False: out of memory. Otherwise see record->run. */
bool world_record_run(const WorldScene *scene, WorldRecord *record);

void world_record_free(WorldRecord *record);

/* An end in words. */
const char *world_end_words(CaromWorldEnd end);

#endif
