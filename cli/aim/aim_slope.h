/* Derivatives of what is wanted by numbers of the scene. */
#ifndef CAROM_CLI_AIM_AIM_SLOPE_H
#define CAROM_CLI_AIM_AIM_SLOPE_H

#include "aim/aim_wish.h"

/* Of all wishes' numbers (rows, one after another) by the numbers at the paths (columns): count
 * columns. Exact derivatives of the impact, chained to what comes after it; NAN in columns where
 * there are none. False: there are none at all. */
bool aim_slopes(json_t *document, const Scene *scene, const Solution *solution,
                const AimWish *wishes, int wish_count, const ScenePath *paths, int count,
                double *slopes);

#endif
