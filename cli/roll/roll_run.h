/* A ball on a table after an impact: it slides, rolls and rests. */
#ifndef CAROM_CLI_ROLL_ROLL_RUN_H
#define CAROM_CLI_ROLL_ROLL_RUN_H

#include "scene/scene.h"
#include "solve/solution.h"

typedef struct RollRun {
    const Scene *scene; /* with roll */
    CaromRollingPath path;
    double hop;   /* velocity along z after the impact, which the path leaves out */
    double end;   /* time of the last row and point: rest, or as given */
    bool at_rest; /* at the end */
} RollRun;

/* The path after a solution of the scene. time: of the end; 0: at rest. The status is
 * CAROM_INVALID_INPUT with a message if the path is out of range, or never comes to rest and no
 * time is given. */
CaromStatus roll_run(const Scene *scene, const Solution *solution, double time, RollRun *run,
                     const char **message);

/* The number of phases that begin, at most 3, and their names in files and in words. */
int roll_phases(const RollRun *run);
const char *roll_phase_name(CaromRollingPhase phase);
const char *roll_phase_words(CaromRollingPhase phase);

#endif
