/* A solved scene: the library's result with the storage it needs, and the bodies afterwards. */
#ifndef CAROM_CLI_SOLUTION_H
#define CAROM_CLI_SOLUTION_H

#include <stdbool.h>

#include "scene.h"

/* The geometry of slip at the contact; only for one rigid contact. */
typedef struct SlipGeometry {
    bool known;
    double stick_ratio; /* |B^-1 d| */
    bool solvable;      /* Jia and Wang's condition (18) */
    int count;          /* of invariants, or CAROM_ALL_DIRECTIONS */
    CaromInvariant invariants[4];
} SlipGeometry;

/* Owns everything it points to. */
typedef struct Solution {
    CaromMethod method;
    CaromResult result; /* its pointers are the solution's own */
    CaromBody *bodies;  /* after the impact, as many as the scene has; NULL: no result */
    SlipGeometry slip;
} Solution;

/* Solve the scene. False only if there is no memory; else result.status says how it went. */
bool solution_compute(const Scene *scene, const CaromOptions *options, Solution *solution);

/* Give back what the solution owns and make it all zero. */
void solution_free(Solution *solution);

/* There are numbers to show: the status is a success, or the accuracy was not reached. */
bool solution_has_result(const Solution *solution);

/* Exit status of the program for a status of the library: 0 solved, 1 not solved, 2 bad input. */
int solution_exit_status(CaromStatus status);

#endif
