/* A map: the outcomes of a scene over the ranges of two of its numbers. */
#include "vary/vary_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "outcomes/components.h"

/* The heading: both paths, the components of the outcome by their paths, the impulses. */
static void write_heading(const Scene *scene, const Components *components, const VaryMap *map) {
    fprintf(map->file, "%s,%s", map->vary->ranges[0].path.text, map->vary->ranges[1].path.text);
    for (int i = 0; i < components->count; i++) {
        fprintf(map->file, ",after.%s", components_path(components, i).text);
    }
    for (int i = 0; i < scene_rows(scene) * scene->contact_count; i++) {
        fprintf(map->file, ",impulse[%d]", i);
    }
    fputs(",energy_lost_percent,sequence,status\n", map->file);
}

/* The component with a path; -1: none. */
static int find_component(const Components *components, const char *path) {
    for (int i = 0; i < components->count; i++) {
        if (strcmp(components_path(components, i).text, path) == 0) {
            return i;
        }
    }
    return -1;
}

bool vary_map_create(const Scene *scene, const Vary *vary, FILE *file, const char *shown,
                     VaryMap *map, Error *error) {
    Components components;
    bool good = components_create(scene, &components);
    size_t points = (size_t)vary->ranges[0].count * (size_t)vary->ranges[1].count;
    *map = (VaryMap){.vary = vary, .file = file};
    map->columns = components.count + scene_rows(scene) * scene->contact_count + 1;
    map->shown = shown[0] ? find_component(&components, shown) : map->columns - 1;
    map->numbers = calloc((size_t)map->columns, sizeof *map->numbers);
    map->kept = file ? NULL : calloc(points, sizeof *map->kept);
    good = good && map->numbers && (file || map->kept);
    if (good && file) {
        write_heading(scene, &components, map);
    }
    components_free(&components);
    if (!good) {
        return error_set(error, "out of memory");
    }
    return map->shown >= 0 ||
           error_set(error,
                     "--show: the outcome has no \"%.64s\", must be the path of a velocity, for "
                     "example %s",
                     shown,
                     scene->source == SCENE_BODIES   ? "bodies[0].velocity[0]"
                     : scene->source == SCENE_SYSTEM ? "system.velocity[0]"
                                                     : "contact_velocity[0]");
}

void vary_map_free(VaryMap *map) {
    free(map->numbers);
    free(map->kept);
    *map = (VaryMap){0};
}

/* Loss of kinetic energy in per cent; NaN if the energy before is not known. */
static double loss(const Scene *scene, const Solution *solution) {
    double before, after;
    if (!solution_energies(scene, solution, &before, &after)) {
        before = scene_motion_energy(scene);
    }
    return before > 0 ? -100 * solution->result.energy.change / before : (double)NAN;
}

/* A number that is not known makes an empty cell. */
static void write_cell(FILE *file, double x) {
    fprintf(file, ",%s", isfinite(x) ? text_number(x + 0.0).text : "");
}

static void write_row(const VaryMap *map, const double values[2], const Solution *solution,
                      const double *numbers) {
    fputs(text_number(values[0]).text, map->file);
    write_cell(map->file, values[1]);
    for (int i = 0; i < map->columns; i++) {
        write_cell(map->file, numbers[i]);
    }
    fprintf(map->file, ",%s,%s\n", solution->result.sequence,
            carom_status_string(solution->result.status));
}

/* All numbers of an outcome: the components, the impulses, the loss of energy. */
static bool measure(const Scene *scene, const Solution *solution, double *numbers) {
    const CaromResult *result = &solution->result;
    size_t rows = (size_t)(scene_rows(scene) * scene->contact_count);
    Components components;
    bool good = components_create(scene, &components);
    if (good) {
        components_after(&components, result->impulse, result->velocity, numbers);
        memcpy(numbers + components.count, result->impulse, rows * sizeof *numbers);
        numbers[(size_t)components.count + rows] = loss(scene, solution);
    }
    components_free(&components);
    return good;
}

bool vary_map_add(VaryMap *map, const Scene *scene, const double values[2],
                  const Solution *solution) {
    for (int i = 0; i < map->columns; i++) {
        map->numbers[i] = (double)NAN;
    }
    if (solution_has_result(solution) && !measure(scene, solution, map->numbers)) {
        return false;
    }
    if (map->file) {
        write_row(map, values, solution, map->numbers);
    } else {
        map->kept[map->count] = map->numbers[map->shown];
    }
    map->count++;
    return true;
}
