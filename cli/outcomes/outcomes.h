/* carom solve --outcomes: the set of outcomes of one scene over all orders of its impacts, and over
 * the stiffnesses of its contacts. */
#ifndef CAROM_CLI_OUTCOMES_OUTCOMES_H
#define CAROM_CLI_OUTCOMES_OUTCOMES_H

#include "base/error.h"
#include "outcomes/components.h"
#include "outcomes/outcome_set.h"

/* Most cases of a treatment; most numbers of both together, 512 MB. */
enum { OUTCOMES_MAX = 10000, OUTCOMES_NUMBERS_MAX = 1 << 26 };

/* Components whose range is below this part of their scale are certain. */
#define OUTCOMES_CERTAIN 1e-6

typedef struct OutcomesOptions {
    long count;       /* most cases of each treatment, 1 to OUTCOMES_MAX; 0: not wanted */
    double low, high; /* factors of the stiffnesses */
    long seed;        /* of random samples */
} OutcomesOptions;

/* Not wanted; stiffness factors 0.01 to 100, seed 1. */
OutcomesOptions outcomes_options_default(void);

/* Cases if no number is given. */
enum { OUTCOMES_COUNT = 1000 };

/* Read --outcomes[=N] (text NULL: OUTCOMES_COUNT) and --stiffness-range LOW:HIGH into
 * OutcomesOptions. */
int outcomes_read_count(const char *command, const char *text, void *options);
int outcomes_read_range(const char *command, const char *text, void *options);

/* Owns everything it points to but the scene. */
typedef struct Outcomes {
    const Scene *scene;
    OutcomesOptions options;
    Components components;
    OutcomeSet orders;    /* rigid contacts, one impact after another */
    OutcomeSet stiffness; /* compliant contacts, all at once */
    double *scale;        /* of each component */
} Outcomes;

/* Compute both sets; name: of the scene in the progress line. The scene needs two contacts at
 * least. Returns the exit status: 0; 1 a treatment has no outcome; 2 the scene is refused. If it is
 * not 0, see *error and *status. outcomes_free() in any case. */
int outcomes_compute(const Scene *scene, const OutcomesOptions *options, const char *name,
                     Outcomes *outcomes, CaromStatus *status, Error *error);
void outcomes_free(Outcomes *outcomes);

/* The range of a component over both sets. */
double outcomes_low(const Outcomes *outcomes, int component);
double outcomes_high(const Outcomes *outcomes, int component);

typedef enum OutcomesVerdict {
    OUTCOMES_SAME,     /* no outcome changes the component */
    OUTCOMES_KNOWN,    /* certain */
    OUTCOMES_DIRECTED, /* only its sign is certain */
    OUTCOMES_OPEN      /* not certain */
} OutcomesVerdict;

OutcomesVerdict outcomes_verdict(const Outcomes *outcomes, int component);

#endif
