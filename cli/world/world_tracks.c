#include "world/world_tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/hull.h"
#include "world/world_samples.h"

/* Points of the path of a body, if there are few bodies. */
enum { SAMPLES = 1000 };

static void add_point(void *user, double time, int body, const CaromBody *state, CaromPhase phase) {
    WorldTracks *tracks = user;
    (void)time;
    (void)phase;
    if (tracks->count == tracks->room) {
        size_t room = tracks->room > 0 ? 2 * tracks->room : 1024;
        void *points = realloc(tracks->points, room * sizeof *tracks->points);
        tracks->points = points ? points : tracks->points;
        void *bodies = realloc(tracks->bodies, room * sizeof *tracks->bodies);
        tracks->bodies = bodies ? bodies : tracks->bodies;
        tracks->no_memory = tracks->no_memory || !points || !bodies;
        tracks->room = tracks->no_memory ? tracks->room : room;
    }
    if (!tracks->no_memory) {
        memcpy(tracks->points[tracks->count], state->position, sizeof *tracks->points);
        tracks->bodies[tracks->count++] = body;
    }
}

bool world_tracks_follow(const WorldScene *scene, const WorldRecord *record, WorldTracks *tracks,
                         Error *error) {
    double samples = fmax(50, fmin(SAMPLES, 1e5 / scene->setup.body_count));
    double rate = record->time > 0 ? samples / record->time : 1;
    return world_samples(scene, record->time, rate, add_point, tracks, error) &&
           (!tracks->no_memory || error_set(error, "out of memory"));
}

void world_tracks_write(const WorldTracks *tracks, int body, FILE *script) {
    fprintf(script, "$path%d << END\n", body);
    for (size_t i = 0; i < tracks->count; i++) {
        if (tracks->bodies[i] == body) {
            const double *x = tracks->points[i];
            fprintf(script, "%.9g %.9g %.9g\n", x[0], x[1], x[2]);
        }
    }
    fputs("END\n", script);
}

/* A point of a body in world axes: position + r + 2 u x (u x r + w r), of the quaternion w, u. */
static void place_point(const CaromBody *body, const double r[3], double at[3]) {
    const double *q = body->orientation, *u = q + 1;
    double c[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = u[j] * r[k] - u[k] * r[j] + q[0] * r[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        at[i] = body->position[i] + r[i] + 2 * (u[j] * c[k] - u[k] * c[j]);
    }
}

bool world_outlines_write(const WorldScene *scene, const WorldRecord *record, int end, int up,
                          FILE *script) {
    double(*corners)[2] = calloc(3 * CAROM_WORLD_VERTICES + 3, sizeof *corners);
    if (!corners) {
        return false;
    }
    fprintf(script, "$shapes%d%c << END\nNaN NaN\n", end, "xyz"[up]);
    for (int i = scene->ball_count; i < scene->setup.body_count; i++) {
        const CaromShape *shape = &scene->bodies[i].shape;
        const CaromBody *state = end ? &record->states[i] : &scene->bodies[i].body;
        for (int k = 0; k < shape->vertex_count; k++) {
            double at[3];
            place_point(state, &shape->vertices[3 * (size_t)k], at);
            corners[k][0] = at[0];
            corners[k][1] = at[up];
        }
        int size = convex_hull(corners, shape->vertex_count, corners + shape->vertex_count);
        for (int k = 0; k <= size; k++) {
            fprintf(script, "%.9g %.9g\n", corners[k % size][0], corners[k % size][1]);
        }
        fputc('\n', script);
    }
    fputs("END\n", script);
    free(corners);
    return true;
}

void world_tracks_free(WorldTracks *tracks) {
    free(tracks->points);
    free(tracks->bodies);
    *tracks = (WorldTracks){0};
}
