#include "aim/aim_slope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "aim/aim_chain.h"
#include "sensitivity/sensitivity.h"

/* How a body's motion after the impact changes with a number. */
static AimMotion motion_by(const Sensitivity *sensitivity, const SensitivityRow *row, int body) {
    const Components *components = &sensitivity->components;
    AimMotion change = {.table = {0}};
    int of, axis, end = 0;
    for (int i = 0; i < components->count; i++) {
        int place = components->places[i] - 6 * body;
        if (place >= 0 && place < 3) {
            change.velocity[place] = row->components[i];
        } else if (place >= 3 && place < 6) {
            change.angular_velocity[place - 3] = row->components[i];
        }
    }
    /* an impact moves nothing: positions are those before */
    if (sscanf(row->path.text, "bodies[%d].position[%d]%n", &of, &axis, &end) == 2 && end > 0 &&
        of == body && axis >= 0 && axis < 3) {
        change.position[axis] = 1;
    }
    /* not its radius: that of the ball is fixed by the inertia */
    const struct {
        const char *path;
        double *change;
    } table[] = {{"roll.mu_slide", &change.table.mu_slide},
                 {"roll.mu_roll", &change.table.mu_roll},
                 {"roll.gravity", &change.table.gravity}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        *table[i].change = strcmp(row->path.text, table[i].path) == 0;
    }
    return change;
}

static void fill_column(const Sensitivity *sensitivity, const Solution *solution,
                        const SensitivityRow *row, const AimWish *wishes, int wish_count, int count,
                        int column, double *slopes) {
    const Scene *scene = sensitivity->scene;
    for (int w = 0, at = 0; w < wish_count; w++) {
        double by[3] = {NAN, NAN, NAN};
        if (wishes[w].kind == AIM_VELOCITY) {
            for (int i = 0; i < sensitivity->components.count; i++) {
                Words path = components_path(&sensitivity->components, i);
                by[0] = strcmp(path.text, wishes[w].path.text) == 0 ? row->components[i] : by[0];
            }
        } else {
            AimMotion change = motion_by(sensitivity, row, aim_chain_body(&wishes[w], scene));
            aim_chain(&wishes[w], scene, solution, &change, by);
        }
        for (int k = 0; k < aim_wish_size(&wishes[w]); k++, at++) {
            slopes[at * count + column] = by[k];
        }
    }
}

bool aim_slopes(json_t *document, const Scene *scene, const Solution *solution,
                const AimWish *wishes, int wish_count, const ScenePath *paths, int count,
                double *slopes) {
    ScenePath list[CAROM_AIM_FREE_MAX];
    Sensitivity sensitivity = {0};
    Error ignored;
    if (count < 1 || count > CAROM_AIM_FREE_MAX) {
        return false;
    }
    memcpy(list, paths, (size_t)count * sizeof *list);
    const SensitivityPaths wanted = {true, count, list};
    bool good = sensitivity_compute(document, scene, solution, &wanted, &sensitivity, &ignored) &&
                sensitivity.count == count;
    for (int k = 0; k < count && good; k++) {
        fill_column(&sensitivity, solution, &sensitivity.by[k], wishes, wish_count, count, k,
                    slopes);
    }
    sensitivity_free(&sensitivity);
    return good;
}
