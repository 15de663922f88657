/* A solved scene: the library's result with its storage, the bodies or generalised speeds after the
 * impact, and the states of several contacts. */
#ifndef CAROM_CLI_SOLVE_SOLUTION_H
#define CAROM_CLI_SOLVE_SOLUTION_H

#include <stdbool.h>

#include "scene/scene.h"
#include "solve/states.h"

/* The geometry of slip at the contact; only for one rigid contact. */
typedef struct SlipGeometry {
    bool known;
    double stick_ratio; /* |B^-1 d|; NaN: a direction cannot slip */
    bool solvable;      /* Jia and Wang's condition (18) */
    int count;          /* of invariants, or CAROM_ALL_DIRECTIONS; 0 in a planar scene */
    CaromInvariant invariants[4];
} SlipGeometry;

/* Owns everything it points to. */
typedef struct Solution {
    CaromMethod method;
    bool as_printed;    /* from the options */
    CaromResult result; /* its arrays belong to the solution */
    /* several contacts: all of them at each event; all NULL if they would need too much memory */
    CaromSnapshots snapshots;
    States states;
    CaromBody *bodies; /* after the impact; NULL: no result or no bodies */
    double *speeds;    /* after the impact; NULL: no result or no mechanism */
    SlipGeometry slip;
} Solution;

/* Solve the scene. False: out of memory; otherwise see result.status. */
bool solution_compute(const Scene *scene, const CaromOptions *options, Solution *solution);

/* Free what the solution owns and set it to zero. */
void solution_free(Solution *solution);

/* There are numbers to show: success, or the accuracy was not reached. */
bool solution_has_result(const Solution *solution);

/* Kinetic energy before and after; false (both NaN) if the scene gives no masses. The solution must
 * have a result. */
bool solution_energies(const Scene *scene, const Solution *solution, double *before, double *after);

/* Morgan's name of the order of calculation of one planar rigid contact, carom_planar_order(); ""
 * for other scenes. */
const char *solution_order(const Scene *scene, const Solution *solution);

/* Does the outcome jump so near that a report says so: within 1 % of the input? */
bool solution_jumps(const CaromResult *result);

/* Name of a method on the command line. */
const char *method_name(CaromMethod method);

/* Exit status of the program for a status of the library: 0 solved, 1 not solved, 2 bad input. */
int solution_exit_status(CaromStatus status);

#endif
