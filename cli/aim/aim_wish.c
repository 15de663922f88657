/* What is wanted of an impact. */
#include "aim/aim_wish.h"

#include <math.h>
#include <string.h>

#include "outcomes/components.h"
#include "scene/scene_bodies.h"

static const char *const known[] = {"velocity", "direction", "landing", "rest",      "passes",
                                    "value",    "height",    "gravity", "tolerance", NULL};

/* The kind: the one of the first five names that the wish has. */
static bool read_kind(const Field *field, AimWish *wish, Field *target) {
    int found = 0;
    for (int i = 0; i <= AIM_PASSES; i++) {
        Field member = field_member(field, known[i]);
        if (member.value) {
            found++;
            wish->kind = (AimKind)i;
            *target = member;
        }
    }
    return found == 1 ||
           field_fail(field, "must have one of velocity, direction, landing, rest, passes");
}

static bool read_path(const Field *target, const Scene *scene, AimWish *wish) {
    const char *text;
    Error why;
    Components components;
    bool known_path = false;
    if (!field_string(target, &text)) {
        return false;
    }
    if (!scene_path_read(text, strlen(text), &wish->path, &why)) {
        return field_fail(target, "%s", why.text);
    }
    if (!components_create(scene, &components)) {
        components_free(&components);
        return field_fail(target, "out of memory");
    }
    for (int i = 0; i < components.count; i++) {
        known_path =
            known_path || strcmp(components_path(&components, i).text, wish->path.text) == 0;
    }
    components_free(&components);
    return known_path || field_fail(target, "is not a velocity after the impact");
}

static bool check_roll(const Field *field, const Scene *scene) {
    return scene->roll.body >= 0 || field_fail(field, "needs the scene's \"roll\"");
}

bool aim_wish_read(const Field *field, const Scene *scene, AimWish *wish) {
    Field target = *field;
    *wish = (AimWish){.gravity = 9.81};
    if (!field_is_object(field, "a wish", known) || !read_kind(field, wish, &target)) {
        return false;
    }
    Field value = field_member(field, "value"), tolerance = field_member(field, "tolerance");
    Field height = field_member(field, "height"), gravity = field_member(field, "gravity");
    bool good = true;
    switch (wish->kind) {
    case AIM_VELOCITY:
        good = read_path(&target, scene, wish) && field_number(&value, FIELD_ANY, wish->value);
        break;
    case AIM_DIRECTION:
        good = scene_body_reference(&target, scene, &wish->body) &&
               field_vector(&value, 3, wish->value);
        break;
    case AIM_LANDING:
        good = scene_body_reference(&target, scene, &wish->body) &&
               field_vector(&value, 2, wish->value) &&
               (!height.value || field_number(&height, FIELD_ANY, &wish->height)) &&
               (!gravity.value || field_number(&gravity, FIELD_POSITIVE, &wish->gravity));
        break;
    default:
        good = check_roll(&target, scene) && field_vector(&target, 2, wish->value);
    }
    if (good && wish->kind == AIM_DIRECTION) {
        double length = hypot(hypot(wish->value[0], wish->value[1]), wish->value[2]);
        for (int k = 0; k < 3; k++) {
            wish->value[k] /= length;
        }
        good = length > 0 || field_fail(&value, "must not be 0");
    }
    return good && field_number(&tolerance, FIELD_POSITIVE, &wish->tolerance);
}

int aim_wish_size(const AimWish *wish) {
    static const int sizes[] = {1, 3, 3, 2, 2};
    return sizes[wish->kind];
}

const char *aim_wish_name(const AimWish *wish) {
    return wish->kind == AIM_VELOCITY ? wish->path.text : known[wish->kind];
}

static bool take_velocity(const AimWish *wish, const Scene *scene, const Solution *solution,
                          double *given) {
    Components components;
    double after[6 * 64];
    bool good = components_create(scene, &components) && components.count <= 6 * 64;
    if (good) {
        components_after(&components, solution->result.impulse, solution->result.velocity, after);
    }
    for (int i = 0; i < components.count && good; i++) {
        if (strcmp(components_path(&components, i).text, wish->path.text) == 0) {
            *given = after[i];
        }
    }
    components_free(&components);
    return good;
}

/* x and y where the body comes down to the height; if it never gets there, those of its highest
 * point, and by how much it is too low. */
static bool take_landing(const AimWish *wish, const CaromBody *body, double *given) {
    double up = body->velocity[2], rise = body->position[2] - wish->height;
    double root = up * up + 2 * wish->gravity * rise;
    double time = (up + sqrt(fmax(root, 0))) / wish->gravity;
    for (int k = 0; k < 2; k++) {
        given[k] = body->position[k] + body->velocity[k] * fmax(time, 0);
    }
    given[2] = root < 0 ? root / (2 * wish->gravity) : 0;
    return true;
}

/* Half the rate at which the square of the distance to the wanted point grows at a time. */
static double receding(const AimWish *wish, const RollRun *run, double time,
                       CaromRollingState *state) {
    carom_rolling_at(&run->path, time, state, NULL, NULL);
    return (state->position[0] - wish->value[0]) * state->velocity[0] +
           (state->position[1] - wish->value[1]) * state->velocity[1];
}

/* By samples, then by halving the interval in which the ball begins to recede. */
double aim_wish_nearest(const AimWish *wish, const RollRun *run, double *given) {
    enum { SAMPLES = 200 };
    double best = INFINITY, at = 0, step = run->end / SAMPLES;
    CaromRollingState state;
    for (int i = 0; i <= SAMPLES; i++) {
        carom_rolling_at(&run->path, i * step, &state, NULL, NULL);
        double far = hypot(state.position[0] - wish->value[0], state.position[1] - wish->value[1]);
        at = far < best ? i * step : at;
        best = fmin(best, far);
    }
    double low = fmax(at - step, 0), high = fmin(at + step, run->end);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (receding(wish, run, middle, &state) > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    /* the ends of the path themselves, where it recedes from the start or comes nearer to the end
     */
    double time = low == 0 ? 0 : high == run->end ? run->end : (low + high) / 2;
    carom_rolling_at(&run->path, time, &state, NULL, NULL);
    memcpy(given, state.position, 2 * sizeof *given);
    return time;
}

static bool take_roll(const AimWish *wish, const Scene *scene, const Solution *solution,
                      double *given) {
    const char *message;
    RollRun run;
    if (roll_run(scene, solution, 0, &run, &message) < 0) {
        return false;
    }
    if (wish->kind == AIM_PASSES) {
        aim_wish_nearest(wish, &run, given);
        return true;
    }
    CaromRollingState last;
    carom_rolling_at(&run.path, run.end, &last, NULL, NULL);
    memcpy(given, last.position, 2 * sizeof *given);
    return true;
}

bool aim_wish_numbers(const AimWish *wish, const Scene *scene, const Solution *solution,
                      double *given, double *wanted) {
    for (int k = 0; k < 3; k++) {
        wanted[k] = wish->value[k];
    }
    switch (wish->kind) {
    case AIM_VELOCITY:
        return take_velocity(wish, scene, solution, given);
    case AIM_DIRECTION: {
        const double *v = solution->bodies[wish->body].velocity;
        double speed = hypot(hypot(v[0], v[1]), v[2]);
        for (int k = 0; k < 3; k++) {
            given[k] = speed > 0 ? v[k] / speed : 0;
        }
        return true;
    }
    case AIM_LANDING:
        wanted[2] = 0;
        return take_landing(wish, &solution->bodies[wish->body], given);
    default:
        return take_roll(wish, scene, solution, given);
    }
}
