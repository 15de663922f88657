/* Slots: numbers of a scene that can be replaced in memory, without reading the scene again.
 *
 * Coefficients of contacts, velocities, masses, positions and points, speeds of a mechanism, W and
 * v as numbers. Other paths (inertias, normals, Jacobians, what depends on several fields) have
 * none. */
#ifndef CAROM_CLI_SCENE_SCENE_SLOT_H
#define CAROM_CLI_SCENE_SCENE_SLOT_H

#include "scene/scene.h"
#include "scene/scene_path.h"

typedef enum SceneSlotKind {
    SCENE_SLOT_MU,
    SCENE_SLOT_E,
    SCENE_SLOT_STIFFNESS,
    SCENE_SLOT_STIFFNESS_RATIO,
    SCENE_SLOT_MASS,
    SCENE_SLOT_POSITION,
    SCENE_SLOT_VELOCITY,
    SCENE_SLOT_ANGULAR_VELOCITY,
    SCENE_SLOT_POINT,
    SCENE_SLOT_SPEED,
    SCENE_SLOT_CONTACT_VELOCITY,
    SCENE_SLOT_INVERSE_INERTIA
} SceneSlotKind;

typedef struct SceneSlot {
    SceneSlotKind kind;
    int index, part;  /* of a contact, body or row, and of the vector */
    bool with_static; /* mu: mu_static stays equal to it */
} SceneSlot;

/* The slot of a path of the document that the scene was read from. False: it has none. */
bool scene_slot_find(const ScenePath *path, json_t *document, const Scene *scene, SceneSlot *slot);

/* Replace a number. False: it is not allowed; reading the scene gives the reason. */
bool scene_slot_set(const SceneSlot *slot, double number, Scene *scene);

/* After all slots are set: W and v of bodies and mechanisms. False as above. */
bool scene_slots_complete(Scene *scene);

#endif
