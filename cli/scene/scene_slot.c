/* Slots: numbers of a scene that can be replaced in memory. */
#include "scene/scene_slot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "bodies[%d].velocity[%d]" and so on; how many indices there are. */
static const struct {
    const char *format;
    int indices;
    SceneSlotKind kind;
    SceneSource source; /* where such a path is; contacts' coefficients: any */
} forms[] = {{"contacts[%d].mu%n", 1, SCENE_SLOT_MU, SCENE_CONTACT_SPACE},
             {"contacts[%d].e%n", 1, SCENE_SLOT_E, SCENE_CONTACT_SPACE},
             {"contacts[%d].stiffness%n", 1, SCENE_SLOT_STIFFNESS, SCENE_CONTACT_SPACE},
             {"contacts[%d].stiffness_ratio%n", 1, SCENE_SLOT_STIFFNESS_RATIO, SCENE_CONTACT_SPACE},
             {"bodies[%d].mass%n", 1, SCENE_SLOT_MASS, SCENE_BODIES},
             {"bodies[%d].position[%d]%n", 2, SCENE_SLOT_POSITION, SCENE_BODIES},
             {"bodies[%d].velocity[%d]%n", 2, SCENE_SLOT_VELOCITY, SCENE_BODIES},
             {"bodies[%d].angular_velocity[%d]%n", 2, SCENE_SLOT_ANGULAR_VELOCITY, SCENE_BODIES},
             {"contacts[%d].point[%d]%n", 2, SCENE_SLOT_POINT, SCENE_BODIES},
             {"system.velocity[%d]%n", 1, SCENE_SLOT_SPEED, SCENE_SYSTEM},
             {"contact_velocity[%d]%n", 1, SCENE_SLOT_CONTACT_VELOCITY, SCENE_CONTACT_SPACE},
             {"inverse_inertia[%d][%d]%n", 2, SCENE_SLOT_INVERSE_INERTIA, SCENE_CONTACT_SPACE}};

/* A contact has one of the limits of stiffness, which friction anywhere excludes. */
static bool has_limit(const Scene *scene) {
    for (int i = 0; i < scene->contact_count; i++) {
        double stiffness = scene->contacts[i].stiffness;
        if (stiffness < 0 || isinf(stiffness)) {
            return true;
        }
    }
    return false;
}

/* Can it be replaced on its own? */
static bool is_alone(const SceneSlot *slot, json_t *document, const Scene *scene) {
    const json_t *list = json_object_get(document, "bodies");
    const json_t *body = json_array_get(list, (size_t)slot->index);
    switch (slot->kind) {
    case SCENE_SLOT_MU:
    case SCENE_SLOT_STIFFNESS:
        return !has_limit(scene);
    case SCENE_SLOT_MASS: /* the inertia of a solid depends on it, and what a ball that rolls is */
        return json_is_array(json_object_get(body, "inertia")) && scene->roll.body < 0;
    case SCENE_SLOT_VELOCITY:
    case SCENE_SLOT_ANGULAR_VELOCITY:
        return !json_object_get(body, "guide");
    default:
        return true;
    }
}

bool scene_slot_find(const ScenePath *path, json_t *document, const Scene *scene, SceneSlot *slot) {
    double number;
    Error error;
    if (!scene_path_get(document, path, &number, &error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int end = 0, first = 0, second = 0;
        if (forms[i].indices == 2) {
            sscanf(path->text, forms[i].format, &first, &second, &end);
        } else {
            sscanf(path->text, forms[i].format, &first, &end);
        }
        bool owned =
            forms[i].kind <= SCENE_SLOT_STIFFNESS_RATIO || forms[i].source == scene->source;
        if (end > 0 && path->text[end] == '\0' && owned) {
            *slot = (SceneSlot){.kind = forms[i].kind, .index = first, .part = second};
            if (slot->kind == SCENE_SLOT_MU) {
                const CaromContact *contact = &scene->contacts[first];
                slot->with_static = contact->mu_static == contact->mu;
            }
            return is_alone(slot, document, scene);
        }
    }
    return false;
}

static bool set_mu(const SceneSlot *slot, double number, CaromContact *contact) {
    contact->mu = number;
    contact->mu_static = slot->with_static ? number : contact->mu_static;
    return number >= 0 && contact->mu_static >= number;
}

bool scene_slot_set(const SceneSlot *slot, double number, Scene *scene) {
    int size = scene_rows(scene) * scene->contact_count;
    switch (slot->kind) {
    case SCENE_SLOT_MU:
        return set_mu(slot, number, &scene->contacts[slot->index]);
    case SCENE_SLOT_E:
        scene->contacts[slot->index].e = number;
        return number >= 0 && number <= 1;
    case SCENE_SLOT_STIFFNESS:
        scene->contacts[slot->index].stiffness = number;
        return number > 0;
    case SCENE_SLOT_STIFFNESS_RATIO:
        scene->contacts[slot->index].stiffness_ratio = number;
        return number > 0;
    case SCENE_SLOT_MASS:
        scene->bodies[slot->index].mass = number;
        return number > 0;
    case SCENE_SLOT_POSITION:
        scene->bodies[slot->index].position[slot->part] = number;
        return true;
    case SCENE_SLOT_VELOCITY:
        scene->bodies[slot->index].velocity[slot->part] = number;
        return true;
    case SCENE_SLOT_ANGULAR_VELOCITY:
        scene->bodies[slot->index].angular_velocity[slot->part] = number;
        return true;
    case SCENE_SLOT_POINT:
        scene->sites[slot->index].point[slot->part] = number;
        return true;
    case SCENE_SLOT_SPEED:
        scene->system.speeds[slot->index] = number;
        return true;
    case SCENE_SLOT_CONTACT_VELOCITY:
        scene->velocity[slot->index] = number;
        return true;
    default:
        scene->inverse_inertia[slot->index * size + slot->part] = number;
        scene->inverse_inertia[slot->part * size + slot->index] = number;
        return true;
    }
}

bool scene_slots_complete(Scene *scene) {
    const SceneSystem *system = &scene->system;
    int rows = scene_rows(scene) * scene->contact_count;
    switch (scene->source) {
    case SCENE_BODIES:
        return carom_bodies_contact_space(scene->bodies, scene->body_count, scene->sites,
                                          scene->contact_count, scene->inverse_inertia,
                                          scene->velocity, NULL) >= 0;
    case SCENE_SYSTEM: /* W stays */
        return carom_system_contact_space(system->speed_count, rows, system->jacobian,
                                          system->responses, system->speeds, NULL, scene->velocity,
                                          NULL) >= 0;
    default:
        return true;
    }
}
