/* Pieces of a simulated motion. */
#include "simulate/simulate_piece.h"

#include <math.h>
#include <stdlib.h>

/* Room for one more element of an array that grows. */
static bool make_room(void **array, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    size_t wanted = *room > 0 ? 2 * *room : 64;
    void *larger = realloc(*array, wanted * size);
    if (!larger) {
        return false;
    }
    *array = larger;
    *room = wanted;
    return true;
}

bool simulate_node_add(SimulateRun *run, double time, const CaromBody *body) {
    void *nodes = run->nodes;
    if (!make_room(&nodes, run->node_count, &run->node_room, sizeof *run->nodes)) {
        return false;
    }
    run->nodes = nodes;
    run->nodes[run->node_count++] = (SimulateNode){time, *body};
    run->pieces[run->piece_count - 1].node_count++;
    simulate_piece_end(run, time, body);
    return true;
}

SimulatePiece *simulate_piece_add(SimulateRun *run, CaromPhase phase, double time,
                                  const CaromBody *body) {
    void *pieces = run->pieces;
    if (!make_room(&pieces, run->piece_count, &run->piece_room, sizeof *run->pieces)) {
        return NULL;
    }
    run->pieces = pieces;
    SimulatePiece *piece = &run->pieces[run->piece_count++];
    *piece = (SimulatePiece){.phase = phase,
                             .from = time,
                             .to = time,
                             .first = *body,
                             .last = *body,
                             .bounces = run->impact_count,
                             .first_node = run->node_count};
    return phase == CAROM_PHASE_FLIGHT || simulate_node_add(run, time, body) ? piece : NULL;
}

void simulate_piece_end(SimulateRun *run, double time, const CaromBody *body) {
    SimulatePiece *piece = &run->pieces[run->piece_count - 1];
    piece->to = time;
    piece->last = *body;
}

SimulateCursor simulate_cursor(const SimulatePiece *piece) {
    return (SimulateCursor){.piece = piece, .time = piece->from, .body = piece->first};
}

/* The derivative of an orientation, omega in world axes: (0, omega) o q/2. */
static void orientation_rate(const CaromBody *body, double rate[4]) {
    const double *w = body->angular_velocity, *q = body->orientation;
    rate[0] = -(w[0] * q[1] + w[1] * q[2] + w[2] * q[3]) / 2;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rate[i + 1] = (w[i] * q[0] + w[j] * q[k + 1] - w[k] * q[j + 1]) / 2;
    }
}

/* Hermite's cubic at s of 0 to 1, from values and derivatives times the step at its ends. */
static double hermite(double s, double a, double da, double b, double db) {
    double r = 1 - s;
    return r * r * ((1 + 2 * s) * a + s * da) + s * s * ((1 + 2 * r) * b - r * db);
}

static void interpolate(const SimulateNode *a, const SimulateNode *b, double time,
                        CaromBody *body) {
    double h = b->time - a->time, s = h > 0 ? (time - a->time) / h : 0, length = 0;
    double rate_a[4], rate_b[4];
    *body = a->body;
    for (int i = 0; i < 3; i++) {
        const CaromBody *p = &a->body, *q = &b->body;
        body->position[i] =
            hermite(s, p->position[i], h * p->velocity[i], q->position[i], h * q->velocity[i]);
        body->velocity[i] += s * (q->velocity[i] - p->velocity[i]);
        body->angular_velocity[i] += s * (q->angular_velocity[i] - p->angular_velocity[i]);
    }
    orientation_rate(&a->body, rate_a);
    orientation_rate(&b->body, rate_b);
    for (int i = 0; i < 4; i++) {
        body->orientation[i] = hermite(s, a->body.orientation[i], h * rate_a[i],
                                       b->body.orientation[i], h * rate_b[i]);
        length += body->orientation[i] * body->orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        body->orientation[i] /= sqrt(length);
    }
}

bool simulate_cursor_advance(const SimulateScene *scene, const SimulateRun *run, double time,
                             SimulateCursor *cursor, const char **message) {
    const SimulatePiece *piece = cursor->piece;
    if (piece->phase == CAROM_PHASE_FLIGHT) {
        if (carom_flight_advance(&cursor->body, scene->gravity, time - cursor->time, message) < 0) {
            return false;
        }
    } else {
        const SimulateNode *nodes = &run->nodes[piece->first_node];
        while (cursor->node + 2 < piece->node_count && nodes[cursor->node + 1].time <= time) {
            cursor->node++;
        }
        const SimulateNode *a = &nodes[cursor->node];
        interpolate(a, piece->node_count > 1 ? a + 1 : a, time, &cursor->body);
    }
    cursor->time = time;
    return true;
}
