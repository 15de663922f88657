/* The columns of a table of measured impacts. */
#ifndef CAROM_CLI_FIT_FIT_COLUMNS_H
#define CAROM_CLI_FIT_FIT_COLUMNS_H

#include <stdbool.h>

#include <jansson.h>

#include "base/error.h"
#include "scene/scene_path.h"
#include "table/csv.h"

/* Most columns of a table. */
enum { FIT_COLUMNS_MAX = 512 };

/* What a column has. */
typedef enum FitRole {
    FIT_UNUSED,
    FIT_W,              /* w11, w12, w13, w22, w23, w33: index 0 to 5 */
    FIT_VELOCITY,       /* vx, vy, vz */
    FIT_COEFFICIENT,    /* mu, e, mu_static, stiffness_ratio */
    FIT_MODEL,          /* rigid, compliant */
    FIT_RESTITUTION,    /* energetic, poisson, newton */
    FIT_AFTER,          /* after_vx, ...: a contact velocity; index 0 to 2 */
    FIT_SIGMA_ALL,      /* sigma: of all measured numbers of the row */
    FIT_SIGMA_AFTER,    /* sigma.after_vx; in a template sigma.after.PATH */
    FIT_SIGMA_VELOCITY, /* sigma.vx */
    FIT_SIGMA_W,        /* sigma.w11 */
    FIT_GROUP,          /* the name of a material */
    FIT_PATH,           /* template: the column replaces the number at the path */
    FIT_SIGMA_PATH,     /* template: sigma.PATH, of that number */
    FIT_AFTER_PATH      /* template: after.PATH, a velocity after the impact */
} FitRole;

typedef struct FitColumn {
    FitRole role;
    int index;
    char name[SCENE_PATH_SIZE + 16];
    ScenePath path; /* FIT_PATH and its sigma; FIT_AFTER_PATH and its sigma: of the velocity */
} FitColumn;

typedef struct FitColumns {
    int count;
    FitColumn columns[FIT_COLUMNS_MAX];
    char unused[512]; /* names of the columns that are not used, for a remark */
} FitColumns;

/* Read the header row. group: name of the column of groups. document: the template scene, or NULL:
 * rows have W and v. fitted(name) columns may be missing. False: *error names the column. */
bool fit_columns_read(const CsvLine *header, const char *group, json_t *document,
                      FitColumns *columns, Error *error);

/* The place of the column with a role and an index; -1: none. */
int fit_columns_find(const FitColumns *columns, FitRole role, int index);

#endif
