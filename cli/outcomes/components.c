/* The numbers that make an outcome. */
#include "outcomes/components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words/scene_words.h"

static bool takes_part(const Scene *scene, int body) {
    for (int i = 0; i < scene->contact_count; i++) {
        if (scene->sites[i].first == body || scene->sites[i].second == body) {
            return isfinite(scene->bodies[body].mass);
        }
    }
    return false;
}

static double body_component(const CaromBody *bodies, int place) {
    const CaromBody *body = &bodies[place / 6];
    int k = place % 6;
    return k < 3 ? body->velocity[k] : body->angular_velocity[k - 3];
}

static void list_bodies(const Scene *scene, Components *components) {
    for (int i = 0; i < scene->body_count; i++) {
        for (int k = 0; k < 6 && takes_part(scene, i); k++) {
            components->places[components->count++] = 6 * i + k;
        }
    }
}

bool components_create(const Scene *scene, Components *components) {
    int rows = scene_rows(scene) * scene->contact_count, speeds = scene->system.speed_count;
    int most = scene->source == SCENE_BODIES   ? 6 * scene->body_count
               : scene->source == SCENE_SYSTEM ? speeds
                                               : rows;
    *components =
        (Components){.scene = scene,
                     .places = calloc((size_t)most + 1, sizeof *components->places),
                     .before = calloc((size_t)most + 1, sizeof *components->before),
                     .bodies = calloc((size_t)scene->body_count + 1, sizeof *components->bodies),
                     .speeds = calloc((size_t)speeds + 1, sizeof *components->speeds)};
    if (!components->places || !components->before || !components->bodies || !components->speeds) {
        return false;
    }
    if (scene->source == SCENE_BODIES) {
        list_bodies(scene, components);
    } else {
        components->count = most;
    }
    components_renew(scene, components);
    return true;
}

void components_renew(const Scene *scene, Components *components) {
    components->scene = scene;
    for (int i = 0; i < components->count; i++) {
        components->before[i] = scene->source == SCENE_BODIES
                                    ? body_component(scene->bodies, components->places[i])
                                : scene->source == SCENE_SYSTEM ? scene->system.speeds[i]
                                                                : scene->velocity[i];
    }
}

void components_free(Components *components) {
    free(components->places);
    free(components->before);
    free(components->bodies);
    free(components->speeds);
    *components = (Components){0};
}

void components_after(Components *components, const double *impulse, const double *velocity,
                      double *values) {
    const Scene *scene = components->scene;
    const SceneSystem *system = &scene->system;
    const double *after = velocity;
    if (scene->source == SCENE_BODIES) {
        memcpy(components->bodies, scene->bodies,
               (size_t)scene->body_count * sizeof *components->bodies);
        carom_bodies_apply(components->bodies, scene->sites, scene->contact_count, impulse);
    } else if (scene->source == SCENE_SYSTEM) {
        memcpy(components->speeds, components->before,
               (size_t)components->count * sizeof *components->speeds);
        carom_system_apply(system->speed_count, scene_rows(scene) * scene->contact_count,
                           system->responses, impulse, components->speeds);
        after = components->speeds;
    }
    for (int i = 0; i < components->count; i++) {
        values[i] = scene->source == SCENE_BODIES
                        ? body_component(components->bodies, components->places[i])
                        : after[i];
    }
}

static double longest_lever(const Scene *scene) {
    double longest = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromSite *site = &scene->sites[i];
        const int pair[2] = {site->first, site->second};
        for (int j = 0; j < 2; j++) {
            const CaromBody *body = &scene->bodies[pair[j]];
            double x = site->point[0] - body->position[0], y = site->point[1] - body->position[1];
            double lever = hypot(hypot(x, y), site->point[2] - body->position[2]);
            longest = scene_body_turns(body) ? fmax(longest, lever) : longest;
        }
    }
    return longest;
}

static bool is_angular(const Components *components, int component) {
    return components->scene->source == SCENE_BODIES && components->places[component] % 6 >= 3;
}

void components_scale(const Components *components, const double *largest, double *scale) {
    const Scene *scene = components->scene;
    double linear = 0, angular = 0;
    for (int i = 0; i < components->count; i++) {
        double *kind = is_angular(components, i) ? &angular : &linear;
        *kind = fmax(*kind, largest[i]);
    }
    double lever = scene->source == SCENE_BODIES ? longest_lever(scene) : 0;
    angular = lever > 0 ? fmax(angular, linear / lever) : angular;
    for (int i = 0; i < components->count; i++) {
        scale[i] = is_angular(components, i) ? angular : linear;
    }
    if (scene->source == SCENE_SYSTEM) {
        int n = scene->system.speed_count;
        const double *M = scene->system.mass_matrix;
        double energy = carom_system_energy(n, M, scene->system.speeds);
        for (int i = 0; i < n; i++) {
            scale[i] = fmax(largest[i], sqrt(2 * energy / M[i * n + i]));
        }
    }
}

Words components_name(const Components *components, int component) {
    const Scene *scene = components->scene;
    if (scene->source == SCENE_SYSTEM) {
        return words_of("u[%d]", component);
    }
    if (scene->source == SCENE_BODIES) {
        int place = components->places[component];
        Words name = report_name(scene->body_names[place / 6]);
        words_add(&name, " %s_%c", place % 6 < 3 ? "v" : "ω", 'x' + place % 3);
        return name;
    }
    static const char *const axes[] = {"t1", "t2", "n"};
    int rows = scene_rows(scene), row = component % rows;
    return words_of("contact %d v_%s", component / rows,
                    rows == 2 && row == 0 ? "t" : axes[row + 3 - rows]);
}

Words components_path(const Components *components, int component) {
    if (components->scene->source == SCENE_SYSTEM) {
        return words_of("system.velocity[%d]", component);
    }
    if (components->scene->source == SCENE_CONTACT_SPACE) {
        return words_of("contact_velocity[%d]", component);
    }
    int place = components->places[component];
    return words_of("bodies[%d].%s[%d]", place / 6, place % 6 < 3 ? "velocity" : "angular_velocity",
                    place % 3);
}
