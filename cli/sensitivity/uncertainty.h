/* Uncertainty: error bars of an outcome from those of a scene's numbers. */
#ifndef CAROM_CLI_SENSITIVITY_UNCERTAINTY_H
#define CAROM_CLI_SENSITIVITY_UNCERTAINTY_H

#include "sensitivity/sensitivity.h"

/* Most terms of --uncertainty, and the samples that are drawn. */
enum { UNCERTAINTY_TERMS_MAX = 64, UNCERTAINTY_SAMPLES = 1000 };

/* NAME=SIGMA or NAME=SIGMA%. */
typedef struct UncertaintyTerm {
    ScenePath path;
    bool velocities; /* the name was "velocity": every velocity before the impact */
    double sigma;
    bool percent; /* of each number's own value */
} UncertaintyTerm;

typedef struct Uncertainty {
    int count; /* 0: not wanted */
    UncertaintyTerm terms[UNCERTAINTY_TERMS_MAX];
} Uncertainty;

/* Read mu=0.02,e=0.01,velocity=1% into an Uncertainty. Returns 0, or the exit status after
 * usage_fail(). */
int uncertainty_read(const char *command, const char *text, void *uncertainty);

/* Error bars of one component of the outcome: standard deviations, and the sampled mean and 95 %
 * interval. */
typedef struct ErrorBar {
    double value, linear, sampled, mean, low, high;
} ErrorBar;

/* Owns its arrays. */
typedef struct ErrorBars {
    Sensitivity sensitivity; /* by the uncertain numbers */
    double *sigmas;          /* of them */
    ErrorBar *bars;          /* of each component */
    int samples;             /* that have an answer */
    bool agree;              /* linear and sampled, within 20 per cent and half an error bar */
} ErrorBars;

/* False: see *error. Use error_bars_free() in any case. */
bool error_bars_compute(json_t *document, const Scene *scene, const Solution *solution,
                        const CaromOptions *options, const Uncertainty *uncertainty, long seed,
                        ErrorBars *bars, Error *error);
void error_bars_free(ErrorBars *bars);

#endif
