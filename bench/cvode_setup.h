/* CVODE as all competitors use it: Adams, fixed-point iteration, the same relative and absolute
 * tolerance, root finding. Created once and reused. */
#ifndef CAROM_BENCH_CVODE_SETUP_H
#define CAROM_BENCH_CVODE_SETUP_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

typedef struct CvodeSetup {
    SUNContext context;
    void *cvode;
    N_Vector y;
    SUNNonlinearSolver solver;
    double span; /* initial distance to search for the next root */
} CvodeSetup;

/* Create with y = 0 of the given size, and functions for rates and roots, which get data. Returns
 * 0, or -1 with everything zeroed if out of memory. */
int cvode_setup_create(CvodeSetup *setup, int size, CVRhsFn rates, int root_count, CVRootFn roots,
                       double tolerance, void *data);

/* Restart from y at 0. */
void cvode_setup_begin(CvodeSetup *setup);

/* Integrate to the next root, at *t. 0, or -1 if CVODE failed. */
int cvode_setup_next_root(CvodeSetup *setup, double *t);

/* Accepts a zeroed one. */
void cvode_setup_destroy(CvodeSetup *setup);

#endif
