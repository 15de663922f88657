/* The scene as read, with defaults filled in, and its motion after an impulse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "engine.h"

/* A mass or a stiffness. */
static json_t *number_or_infinite(double x) {
    return isinf(x) ? json_string("infinite") : json_write_number(x);
}

static json_t *describe_body(const CaromBody *body, const char *name) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(name));
    json_object_set_new(object, "mass", number_or_infinite(body->mass));
    json_object_set_new(object, "inertia", json_write_numbers(body->inertia, 9));
    bool guided = body->guide[0] != 0 || body->guide[1] != 0 || body->guide[2] != 0;
    json_object_set_new(object, "guide", guided ? json_write_numbers(body->guide, 3) : json_null());
    json_object_set_new(object, "position", json_write_numbers(body->position, 3));
    json_object_set_new(object, "orientation", json_write_numbers(body->orientation, 4));
    json_object_set_new(object, "velocity", json_write_numbers(body->velocity, 3));
    json_object_set_new(object, "angular_velocity", json_write_numbers(body->angular_velocity, 3));
    return object;
}

static void describe_site(const CaromSite *site, json_t *object) {
    double frame[9];
    carom_site_frame(site, frame, NULL);
    json_t *bodies = json_array(), *axes = json_array();
    json_array_append_new(bodies, json_integer(site->first));
    json_array_append_new(bodies, json_integer(site->second));
    for (int i = 0; i < 3; i++) {
        json_array_append_new(axes, json_write_numbers(frame + 3 * i, 3));
    }
    json_object_set_new(object, "bodies", bodies);
    json_object_set_new(object, "point", json_write_numbers(site->point, 3));
    json_object_set_new(object, "frame", axes);
}

static json_t *describe_contact(const Scene *scene, int index) {
    const CaromContact *contact = &scene->contacts[index];
    int rows = scene_rows(scene);
    json_t *object = json_object();
    json_object_set_new(object, "mu", json_write_number(contact->mu));
    json_object_set_new(object, "mu_static", json_write_number(contact->mu_static));
    json_object_set_new(object, "e", json_write_number(contact->e));
    json_object_set_new(object, "stiffness", number_or_infinite(contact->stiffness));
    json_object_set_new(object, "stiffness_ratio", json_write_number(contact->stiffness_ratio));
    json_object_set_new(object, "contact_velocity",
                        json_write_numbers(&scene->velocity[index * rows], rows));
    if (scene->source == SCENE_BODIES) {
        describe_site(&scene->sites[index], object);
    }
    return object;
}

/* The name of each unit, or null if the scene does not say its units. */
static json_t *describe_units(const Units *units) {
    if (!units->length[0]) {
        return json_null();
    }
    json_t *object = json_object();
    for (UnitKind kind = 0; kind < UNIT_KINDS; kind++) {
        json_object_set_new(object, unit_kind_names[kind],
                            json_string(units_name(units, kind).text));
    }
    return object;
}

static json_t *describe(const Scene *scene) {
    static const char *const sources[] = {[SCENE_CONTACT_SPACE] = "contact_space",
                                          [SCENE_BODIES] = "bodies",
                                          [SCENE_SYSTEM] = "system"};
    json_t *object = json_object(), *contacts = json_array(), *bodies = json_array();
    json_object_set_new(object, "name", json_string(scene->name ? scene->name : ""));
    json_object_set_new(object, "description",
                        json_string(scene->description ? scene->description : ""));
    json_object_set_new(object, "units", describe_units(&scene->units));
    json_object_set_new(object, "model", json_string(scene_model_names[scene->model]));
    json_object_set_new(object, "restitution", json_string(scene_law_names[scene->law]));
    json_object_set_new(object, "source", json_string(sources[scene->source]));
    json_object_set_new(object, "planar", json_boolean(scene->planar));
    for (int i = 0; i < scene->contact_count; i++) {
        json_array_append_new(contacts, describe_contact(scene, i));
    }
    for (int i = 0; i < scene->body_count; i++) {
        json_array_append_new(bodies, describe_body(&scene->bodies[i], scene->body_names[i]));
    }
    json_object_set_new(object, "contacts", contacts);
    json_object_set_new(object, "bodies", bodies);
    json_object_set_new(object, "velocity",
                        json_write_numbers(scene->system.speeds, scene->system.speed_count));
    json_object_set_new(object, "motion_energy", json_write_number(scene_motion_energy(scene)));
    return object;
}

/* JSON of the scene, valid until the next call; NULL: no memory. */
EXPORT(const char *, describe, void) {
    static char *text;
    json_t *object = describe(&engine_scene);
    free(text);
    text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
    text ? engine_end(CAROM_OK, "") : engine_end_no_memory();
    return text;
}

static double *move_bodies(const double *impulse) {
    static Room room;
    size_t count = (size_t)engine_scene.body_count;
    double *velocities = room_take(&engine_numbers, 6 * count * sizeof *velocities);
    CaromBody *bodies = room_take(&room, count * sizeof *bodies);
    if (!velocities || !bodies) {
        return NULL;
    }
    memcpy(bodies, engine_scene.bodies, count * sizeof *bodies);
    carom_bodies_apply(bodies, engine_scene.sites, engine_scene.contact_count, impulse);
    for (size_t i = 0; i < count; i++) {
        memcpy(velocities + 6 * i, bodies[i].velocity, 3 * sizeof *velocities);
        memcpy(velocities + 6 * i + 3, bodies[i].angular_velocity, 3 * sizeof *velocities);
    }
    return velocities;
}

static double *move_system(const double *impulse) {
    const SceneSystem *system = &engine_scene.system;
    size_t bytes = (size_t)system->speed_count * sizeof(double);
    double *speeds = room_take(&engine_numbers, bytes);
    if (speeds) {
        memcpy(speeds, system->speeds, bytes);
        carom_system_apply(system->speed_count,
                           scene_rows(&engine_scene) * engine_scene.contact_count,
                           system->responses, impulse, speeds);
    }
    return speeds;
}

/* Six numbers per body (velocity, angular velocity), or the generalised speeds, after the
 * impulses. NULL: the scene is in contact space, or no memory. */
EXPORT(const double *, motion, const double *impulse) {
    double *answer = NULL;
    if (engine_scene.source == SCENE_CONTACT_SPACE) {
        engine_end(CAROM_OK, "");
        return NULL;
    }
    answer = engine_scene.source == SCENE_BODIES ? move_bodies(impulse) : move_system(impulse);
    answer ? engine_end(CAROM_OK, "") : engine_end_no_memory();
    return answer;
}
