#include "cube_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>
#include <carom/measure.h>

/* Frames of what lies between two flights at most: the cube that stays down longer (60 ms) rocks or
 * slides. */
enum { BETWEEN_MOST = 8, CORNERS = CUBE_CORNERS };

/* In flight means that all corners are at least so far above the table. */
#define CLEAR 0.001

/* Impacts of whose change impulses at the corners leave more than this part: something else acted.
 */
#define UNEXPLAINED_MOST 0.2

void cube_corner(const double q[4], int i, double *corner) {
    const double x = i & 1 ? CUBE_HALF : -CUBE_HALF, y = i & 2 ? CUBE_HALF : -CUBE_HALF,
                 z = i & 4 ? CUBE_HALF : -CUBE_HALF;
    double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double u[3] = {q[1], q[2], q[3]}, v[3] = {x, y, z};
    double dot = u[0] * x + u[1] * y + u[2] * z, square = q[0] * q[0] - (n - q[0] * q[0]);
    for (int k = 0; k < 3; k++) {
        double cross = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        corner[k] = (square * v[k] + 2 * dot * u[k] + 2 * q[0] * cross) / n;
    }
}

unsigned cube_touching(const CaromTrackPoint *p) {
    unsigned bits = 0;
    for (int i = 0; i < CORNERS; i++) {
        double corner[3];
        cube_corner(p->orientation, i, corner);
        bits |= p->position[2] + corner[2] <= CLEAR ? 1U << i : 0;
    }
    return bits;
}

CaromBody cube_body(const CaromTrackPoint *point, const CaromTrackTumble *tumble) {
    CaromBody body = carom_body_default();
    double length = 0;
    body.mass = CUBE_MASS;
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = CUBE_INERTIA;
        body.position[k] = point->position[k];
        body.velocity[k] = tumble->velocity[k].value;
        body.angular_velocity[k] = tumble->angular_velocity[k].value;
    }
    for (int k = 0; k < 4; k++) {
        length = hypot(length, point->orientation[k]);
    }
    for (int k = 0; k < 4; k++) {
        body.orientation[k] = point->orientation[k] / length;
    }
    return body;
}

/* From z up to y up: a quarter turn about x. */
static void turn(const double from[3], double *to) {
    to[0] = from[0];
    to[1] = from[2];
    to[2] = -from[1];
}

/* The corners that touched, lowest first: it is the one that touches. All are taken at the height
 * of the table, where they are when they act. */
static void add_points(const CaromBody *body, unsigned corners, Impact *impact) {
    double heights[POINTS_MAX];
    for (int i = 0; i < CORNERS; i++) {
        double corner[3];
        if (!(corners >> i & 1) || impact->count == POINTS_MAX) {
            continue;
        }
        cube_corner(body->orientation, i, corner);
        int at = impact->count++;
        for (; at > 0 && heights[at - 1] > corner[2]; at--) {
            heights[at] = heights[at - 1];
            memcpy(impact->r[at], impact->r[at - 1], sizeof impact->r[at]);
        }
        heights[at] = corner[2];
        turn(corner, impact->r[at]);
    }
    for (int i = 0; i < impact->count; i++) {
        impact->r[i][1] = -body->position[2];
    }
}

/* The impact between the flights that begin at frames first and from: from touch on, without to. */
static bool extract(const CubeTrack *toss, int first, int touch, int from, int to, Impact *impact) {
    static const double gravity[3] = {0, 0, -CUBE_GRAVITY}, inertia[3] = {1, 1, 1};
    static const CaromPlane floor = {{0, 0, 0}, {0, 0, 1}};
    double corners[3 * CORNERS];
    const double upright[4] = {1, 0, 0, 0};
    CaromTrackTumble before, after;
    CaromTouch found;
    unsigned touched = 0;
    for (int i = 0; i < CORNERS; i++) {
        cube_corner(upright, i, &corners[3 * i]);
    }
    const CaromShape shape = carom_shape_vertices(corners, CORNERS);
    const CaromTrackPoint *last = &toss->frames[touch - 1];
    first = touch - first > CUBE_FLIGHT_MOST ? touch - CUBE_FLIGHT_MOST : first;
    to = to - from > CUBE_FLIGHT_MOST ? from + CUBE_FLIGHT_MOST : to;
    if (carom_measure_tumble(toss->frames + first, touch - first, gravity, inertia, last->time,
                             &before, NULL) < 0) {
        return false;
    }
    CaromBody body = cube_body(last, &before);
    if (carom_flight_touch(&body, gravity, &shape, &floor, 0.1, &found, NULL) < 0 || !found.found ||
        carom_measure_tumble(toss->frames + from, to - from, gravity, inertia,
                             last->time + found.time, &after, NULL) < 0) {
        return false;
    }
    for (int i = touch; i < from; i++) {
        touched |= cube_touching(&toss->frames[i]);
    }
    *impact = (Impact){.mass = CUBE_MASS, .gyration = sqrt(CUBE_INERTIA / CUBE_MASS)};
    add_points(&found.body, touched | 1U << found.vertex, impact);
    turn(found.body.velocity, impact->before);
    turn(found.body.angular_velocity, impact->before + 3);
    const double v[3] = {after.velocity[0].value, after.velocity[1].value, after.velocity[2].value};
    const double w[3] = {after.angular_velocity[0].value, after.angular_velocity[1].value,
                         after.angular_velocity[2].value};
    turn(v, impact->measured);
    turn(w, impact->measured + 3);
    return true;
}

typedef struct Found {
    Set *set;
    CubeCounts *counts;
} Found;

/* All impacts of a toss. */
static void split(void *user, const CubeTrack *toss) {
    Found *found = user;
    Set *set = found->set;
    CubeCounts *counts = found->counts;
    int n = toss->count, first = 0;
    while (first < n) {
        int touch = first, from, to;
        while (touch < n && !cube_touching(&toss->frames[touch])) {
            touch++;
        }
        from = touch;
        while (from < n && cube_touching(&toss->frames[from])) {
            from++;
        }
        to = from;
        while (to < n && !cube_touching(&toss->frames[to])) {
            to++;
        }
        Impact *impact = &set->impacts[set->count];
        if (touch - first >= CUBE_FLIGHT_LEAST && to - from >= CUBE_FLIGHT_LEAST &&
            from - touch <= BETWEEN_MOST && set->count < IMPACTS_MAX &&
            extract(toss, first, touch, from, to, impact)) {
            counts->impacts++;
            set->count += impact_unexplained(impact) <= UNEXPLAINED_MOST;
        }
        first = from > first ? from : n;
    }
    counts->tosses++;
    counts->kept = set->count;
}

void cube_track_read(FILE *file, Set *set, CubeCounts *counts) {
    Found found = {set, counts};
    cube_track_visit(file, split, &found);
}

void cube_track_visit(FILE *file, CubeVisit *visit, void *user) {
    static CubeTrack toss;
    char line[1024];
    int number = -1;
    bool more = true;
    while (more) {
        CaromTrackPoint p;
        int of = -1;
        more = fgets(line, sizeof line, file) != NULL;
        bool good =
            more && sscanf(line, "%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &of, &p.time, &p.position[0],
                           &p.position[1], &p.position[2], &p.orientation[0], &p.orientation[1],
                           &p.orientation[2], &p.orientation[3]) == 9;
        if ((!more || (good && of != number)) && toss.count > 0) {
            visit(user, &toss);
            toss.count = 0;
        }
        if (good && toss.count < CUBE_FRAMES_MAX) {
            toss.frames[toss.count++] = p;
        }
        number = good ? of : number;
    }
}
