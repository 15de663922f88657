/* Sweeps: rows that are made, not read. A grid over ranges of a scene's numbers, or samples from
 * them. Row i depends on the seed and on i alone, so chunks and threads do not matter. */
#ifndef CAROM_CLI_BATCH_SWEEP_H
#define CAROM_CLI_BATCH_SWEEP_H

#include "scene/scene_path.h"
#include "table/table_reader.h"

enum { SWEEP_AXES_MAX = 16 };

typedef enum SweepDesign { SWEEP_RANDOM, SWEEP_LATIN, SWEEP_SOBOL, SWEEP_GRID } SweepDesign;

/* A number of the scene and where its values come from. */
typedef struct SweepAxis {
    ScenePath path;
    bool normal;     /* a mean and a standard deviation instead of the ends of a range */
    double from, to; /* or mean and standard deviation */
    long count;      /* grid: of values, both ends included */
} SweepAxis;

typedef struct Sweep {
    SweepDesign design;
    int count;
    SweepAxis axes[SWEEP_AXES_MAX];
    unsigned long long rows; /* samples; 0: a grid or none */
    long seed;
} Sweep;

/* Read --grid PATH=FROM:TO:COUNT, --over PATH=FROM:TO or PATH=normal:MEAN:SIGMA, and --sample N
 * from the command line. Return 0, or the exit status after usage_fail(). */
int sweep_read_grid(const char *command, const char *text, void *sweep);
int sweep_read_over(const char *command, const char *text, void *sweep);
int sweep_read_sample(const char *command, const char *text, void *sweep);

/* The sweep is complete and makes sense. Returns 0, or the exit status after usage_fail(). */
int sweep_check(const char *command, const Sweep *sweep);

/* The value of an axis in a row. */
double sweep_value(const Sweep *sweep, int axis, unsigned long long row);

/* The rows as a table with a column for each axis; NULL: out of memory. The sweep must live as
 * long. */
TableReader *sweep_open(const Sweep *sweep);

#endif
