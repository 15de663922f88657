/* Changes of the bodies' motion, apart from rounding errors. */
#include "solve/motion.h"

#include <math.h>

/* Rounding relative to the largest velocity, with room for sums over many contacts. */
#define ROUNDING 1e-13

static double largest(const CaromBody *bodies, int count) {
    double speed = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            speed = fmax(speed, fabs(bodies[i].velocity[k]));
        }
    }
    return speed;
}

/* Shortest lever of a contact, which bounds the rounding errors of angular velocities. */
static double shortest_lever(const Scene *scene) {
    double shortest = INFINITY;
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromSite *site = &scene->sites[i];
        const int pair[2] = {site->first, site->second};
        for (int j = 0; j < 2; j++) {
            const CaromBody *body = &scene->bodies[pair[j]];
            double x = site->point[0] - body->position[0], y = site->point[1] - body->position[1];
            double lever = hypot(hypot(x, y), site->point[2] - body->position[2]);
            if (scene_body_turns(body) && lever > 0) {
                shortest = fmin(shortest, lever);
            }
        }
    }
    return shortest;
}

MotionNoise motion_noise(const Scene *scene, const Solution *solution) {
    double speed = fmax(largest(scene->bodies, scene->body_count),
                        largest(solution->bodies, scene->body_count));
    return (MotionNoise){ROUNDING * speed, ROUNDING * speed / shortest_lever(scene)};
}

const double *motion_of(const CaromBody *body, bool angular) {
    return angular ? body->angular_velocity : body->velocity;
}

bool motion_changes(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                    int body, bool angular, int k) {
    double before = motion_of(&scene->bodies[body], angular)[k];
    double after = motion_of(&solution->bodies[body], angular)[k];
    return fabs(after - before) > (angular ? noise->angular : noise->linear);
}

bool motion_changes_any(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                        int body, bool angular) {
    return motion_changes(scene, solution, noise, body, angular, 0) ||
           motion_changes(scene, solution, noise, body, angular, 1) ||
           motion_changes(scene, solution, noise, body, angular, 2);
}
