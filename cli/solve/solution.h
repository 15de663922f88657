/* A solved scene: the library's result with the storage it needs, the bodies or generalised speeds
 * afterwards, and the states that several contacts went through. */
#ifndef CAROM_CLI_SOLUTION_H
#define CAROM_CLI_SOLUTION_H

#include <stdbool.h>

#include "scene/scene.h"
#include "solve/states.h"

/* The geometry of slip at the contact; only for one rigid contact. */
typedef struct SlipGeometry {
    bool known;
    double stick_ratio; /* |B^-1 d|; NaN: there is a direction that cannot slip */
    bool solvable;      /* Jia and Wang's condition (18) */
    int count;          /* of invariants, or CAROM_ALL_DIRECTIONS; 0 in a planar scene */
    CaromInvariant invariants[4];
} SlipGeometry;

/* Owns everything it points to. */
typedef struct Solution {
    CaromMethod method;
    bool as_printed;    /* as the options had it */
    CaromResult result; /* its pointers are the solution's own */
    /* several contacts: all of them at each event; all NULL if they would not fit into memory */
    CaromSnapshots snapshots;
    States states;
    CaromBody *bodies; /* after the impact, as many as the scene has; NULL: no result */
    double *speeds;    /* after the impact, as many as the scene's mechanism has; NULL likewise */
    SlipGeometry slip;
} Solution;

/* Solve the scene. False only if there is no memory; else result.status says how it went. */
bool solution_compute(const Scene *scene, const CaromOptions *options, Solution *solution);

/* Give back what the solution owns and make it all zero. */
void solution_free(Solution *solution);

/* There are numbers to show: the status is a success, or the accuracy was not reached. */
bool solution_has_result(const Solution *solution);

/* Kinetic energy before and after, where the scene says the masses; false (both NaN) where not. The
 * solution must have a result. */
bool solution_energies(const Scene *scene, const Solution *solution, double *before, double *after);

/* Name of a method as it is given on the command line. */
const char *method_name(CaromMethod method);

/* Exit status of the program for a status of the library: 0 solved, 1 not solved, 2 bad input. */
int solution_exit_status(CaromStatus status);

#endif
