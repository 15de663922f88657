/* A simulation: flights and impacts in turn. */
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
    CaromEnergy energy;
} SimulateImpact;

typedef enum SimulateEnd {
    SIMULATE_TIME,     /* the time has passed */
    SIMULATE_BOUNCES,  /* the number of bounces was reached */
    SIMULATE_DIED_OUT, /* the bounces became negligible: the body stays in touch */
    SIMULATE_NO_TOUCH, /* it does not come back to the plane */
    SIMULATE_FAILED    /* see status and message */
} SimulateEnd;

/* Owns impacts. */
typedef struct SimulateRun {
    SimulateImpact *impacts;
    int impact_count, impact_room; /* a bounce each */
    CaromBody start, last;         /* at time 0 and at the end */
    double time;                   /* of the end */
    SimulateEnd end;
    CaromStatus status;
    const char *message; /* constant; "" on success */
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

/* One flight of a run, from the instant after a bounce (or the start) to that before the next (or
 * the end). */
typedef struct SimulateFlight {
    double from, to;
    CaromBody first, last;
    int bounces; /* so far */
    int next;    /* index of the impact that ends it */
} SimulateFlight;

/* The first flight, and the next one; false: there is none. After a bounce that ends the run comes
 * a flight of no duration. */
SimulateFlight simulate_first_flight(const SimulateRun *run);
bool simulate_next_flight(const SimulateRun *run, SimulateFlight *flight);

#endif
