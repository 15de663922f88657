/* CVODE as all competitors use it: Adams, fixed-point iteration, one relative and absolute
 * tolerance, root finding. Made once and used again. */
#ifndef CAROM_BENCH_CVODE_SETUP_H
#define CAROM_BENCH_CVODE_SETUP_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

typedef struct CvodeSetup {
    SUNContext context;
    void *cvode;
    N_Vector y;
    SUNNonlinearSolver solver;
    double span; /* how far to look for the next root at first */
} CvodeSetup;

/* y of the given size, 0, with its rates and roots, which get data. 0, or -1 with all zeroed if out
 * of memory. */
int cvode_setup_create(CvodeSetup *setup, int size, CVRhsFn rates, int root_count, CVRootFn roots,
                       double tolerance, void *data);

/* Start anew from y at 0. */
void cvode_setup_begin(CvodeSetup *setup);

/* On to the next root, with *t where it is. 0, or -1 if CVODE failed. */
int cvode_setup_next_root(CvodeSetup *setup, double *t);

/* Accepts a zeroed one. */
void cvode_setup_destroy(CvodeSetup *setup);

#endif
