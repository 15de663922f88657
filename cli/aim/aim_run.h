/* carom aim: the strikes for a wanted outcome of a scene. */
#ifndef CAROM_CLI_AIM_AIM_RUN_H
#define CAROM_CLI_AIM_AIM_RUN_H

#include "aim/aim_wish.h"

enum { AIM_WISHES_MAX = 8, AIM_SOLUTIONS_MAX = 16, AIM_COEFFICIENTS_MAX = 32 };

/* How the misses of a solution change with a coefficient. */
typedef struct AimSlope {
    ScenePath path;
    double slopes[CAROM_AIM_MISSES_MAX]; /* in the units of each wish */
} AimSlope;

typedef struct AimAnswer {
    CaromAimSolution solution;
    double given[CAROM_AIM_MISSES_MAX]; /* the numbers of all wishes */
    int slope_count;
    AimSlope slopes[AIM_COEFFICIENTS_MAX];
} AimAnswer;

/* Owns the document. */
typedef struct AimRun {
    json_t *document; /* the scene without "aim" */
    char name[128];
    int free_count;
    ScenePath free[CAROM_AIM_FREE_MAX];
    double low[CAROM_AIM_FREE_MAX], high[CAROM_AIM_FREE_MAX], values[CAROM_AIM_FREE_MAX];
    int wish_count, miss_count;
    AimWish wishes[AIM_WISHES_MAX];
    int count; /* of answers */
    AimAnswer answers[AIM_SOLUTIONS_MAX];
    AimAnswer closest;
    Words forbids; /* why there is no solution; "" */
} AimRun;

/* Read a scene with the field "aim". False: see *error. aim_free() in any case. */
bool aim_read(json_t *document, AimRun *run, Error *error);
void aim_free(AimRun *run);

/* Search. False: see *error. */
bool aim_search(AimRun *run, Error *error);

#endif
