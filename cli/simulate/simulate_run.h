/* A simulation: flights and impacts in turn, until it ends. */
#ifndef CAROM_CLI_SIMULATE_RUN_H
#define CAROM_CLI_SIMULATE_RUN_H

#include "simulate/simulate_scene.h"

/* One impact with the plane. Several at the same instant have the same number and time. */
typedef struct SimulateImpact {
    int bounce; /* number of the bounce, from 1 */
    double time;
    int vertex; /* -1: a ball */
    double point[3];
    double impulse[3]; /* on the body, world axes */
    CaromBody before, after;
    char sequence[CAROM_SEQUENCE_SIZE];
    CaromStatus status; /* of the solver: CAROM_OK or CAROM_ENERGY_GAIN */
    CaromEnergy energy;
} SimulateImpact;

typedef enum SimulateEnd {
    SIMULATE_TIME,     /* the time is over */
    SIMULATE_BOUNCES,  /* as many bounces as asked for */
    SIMULATE_DIED_OUT, /* the bounces have become negligible: the body stays in touch */
    SIMULATE_NO_TOUCH, /* it does not come back to the plane */
    SIMULATE_FAILED    /* status and message say why */
} SimulateEnd;

/* Owns impacts. */
typedef struct SimulateRun {
    SimulateImpact *impacts;
    int impact_count, impact_room;
    int bounce_count;
    CaromBody start, last; /* at time 0 and at the end */
    double time;           /* of the end */
    SimulateEnd end;
    CaromStatus status;
    const char *message; /* constant string; "" if nothing is wrong */
} SimulateRun;

/* Run the simulation; options are for the solver of the impacts. False only if there is no memory;
 * else end and status say how it went, and what came before a failure is there. */
bool simulate_run(const SimulateScene *scene, const CaromOptions *options, SimulateRun *run);

void simulate_run_free(SimulateRun *run);

/* World position of a vertex, or where a ball is nearest to the plane (vertex -1). */
void simulate_point(const SimulateScene *scene, const CaromBody *body, int vertex, double point[3]);

/* Name of an end as it appears in files, and in words. */
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

/* The first flight, and the one after another; false: there is none. After a bounce that ends the
 * run comes a flight of no length. */
SimulateFlight simulate_first_flight(const SimulateRun *run);
bool simulate_next_flight(const SimulateRun *run, SimulateFlight *flight);

#endif
