/* A simulation: flights and impacts in turn, then lasting contact. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_RUN_H
#define CAROM_CLI_SIMULATE_SIMULATE_RUN_H

#include "simulate/simulate_scene.h"

/* One impact with the plane: a bounce. Owns vertices and impulses. */
typedef struct SimulateImpact {
    int bounce; /* number of the bounce, from 1 */
    double time;
    int vertex; /* -1: a ball. Of several the fastest */
    /* several vertices at once: which, ascending, and the impulse of each; else 0 and NULL */
    int vertex_count;
    int *vertices;
    double *impulses;  /* 3 numbers each, on the body, world axes */
    double point[3];   /* of several: the centre of their normal impulses */
    double impulse[3]; /* on the body, world axes, all vertices together */
    CaromBody before, after;
    char sequence[CAROM_SEQUENCE_SIZE];
    CaromStatus status; /* of the solver: CAROM_OK or CAROM_ENERGY_GAIN */
    CaromModel model;   /* by which it was solved */
    CaromEnergy energy;
} SimulateImpact;

typedef enum SimulateEnd {
    SIMULATE_TIME,     /* the time has passed */
    SIMULATE_BOUNCES,  /* the number of bounces was reached */
    SIMULATE_DIED_OUT, /* the body stays in touch, for ever or in a way that is not computed */
    SIMULATE_NO_TOUCH, /* it does not come back to the plane */
    SIMULATE_REST,     /* the body rests on the plane */
    SIMULATE_FAILED    /* see status and message */
} SimulateEnd;

/* A state of the body in lasting contact. */
typedef struct SimulateNode {
    double time;
    CaromBody body;
} SimulateNode;

/* A piece of the motion: a flight, or a phase of lasting contact. After a bounce that ends the run
 * comes a flight of no duration. */
typedef struct SimulatePiece {
    CaromPhase phase;
    double from, to;
    CaromBody first, last;
    int bounces;                   /* so far */
    size_t first_node, node_count; /* of contact: its states, the first and the last included */
} SimulatePiece;

/* Owns its arrays. */
typedef struct SimulateRun {
    SimulateImpact *impacts;
    int impact_count, impact_room; /* a bounce each */
    SimulatePiece *pieces;         /* at least one, in order of time */
    size_t piece_count, piece_room;
    SimulateNode *nodes;
    size_t node_count, node_room;
    CaromBody start, last; /* at time 0 and at the end */
    double time;           /* of the end */
    SimulateEnd end;
    CaromStatus status;
    const char *message; /* constant; "" on success. Of SIMULATE_DIED_OUT: why it is not followed */
} SimulateRun;

/* Run the simulation; options are for the impacts. False: out of memory. Otherwise see end and
 * status; impacts before a failure are kept. */
bool simulate_run(const SimulateScene *scene, const CaromOptions *options, SimulateRun *run);

void simulate_run_free(SimulateRun *run);

/* World position of a vertex, or of the point of a ball nearest to the plane (vertex -1). */
void simulate_point(const SimulateScene *scene, const CaromBody *body, int vertex, double point[3]);

/* An end as its name in files, and in words. */
const char *simulate_end_name(SimulateEnd end);
const char *simulate_end_words(SimulateEnd end);

#endif
