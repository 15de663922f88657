/* The parameters of a fit, from the command line. */
#ifndef CAROM_CLI_FIT_FIT_PARAMETERS_H
#define CAROM_CLI_FIT_FIT_PARAMETERS_H

#include <carom/fit.h>

#include "scene/scene_path.h"

typedef struct FitParameters {
    int count;
    CaromFitParameter list[CAROM_FIT_PARAMETERS_MAX];
    char names[CAROM_FIT_PARAMETERS_MAX][SCENE_PATH_SIZE]; /* as they were written */
} FitParameters;

/* Read --parameters mu,e,contacts[1].mu. A short name without an index is the same number at every
 * contact. Returns 0, or the exit status after usage_fail(); likewise below. */
int fit_parameters_read(const char *command, const char *text, void *parameters);

/* Read --bounds mu=0:0.5,e=0.2:0.9 or --start mu=0.3 into parameters that have been read. */
int fit_parameters_bounds(const char *command, const char *text, FitParameters *parameters);
int fit_parameters_start(const char *command, const char *text, FitParameters *parameters);

#endif
