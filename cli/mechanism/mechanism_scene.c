#include "mechanism/mechanism_scene.h"

#include <string.h>

#include "base/field.h"
#include "scene/scene_read.h"

static bool read_pendulum(const Field *field, MechanismScene *scene) {
    static const char *const known[] = {"length",           "mass", "bearing_height", "angles",
                                        "angular_velocity", NULL};
    Field length = field_member(field, "length"), mass = field_member(field, "mass");
    Field bearing = field_member(field, "bearing_height"), angles = field_member(field, "angles");
    Field rates = field_member(field, "angular_velocity");
    DoublePendulum *pendulum = &scene->pendulum;
    if (!field_is_object(field, "an object", known) ||
        !field_number(&length, FIELD_POSITIVE, &pendulum->length) ||
        !field_number(&mass, FIELD_POSITIVE, &pendulum->mass) ||
        !field_number(&bearing, FIELD_POSITIVE, &pendulum->bearing) ||
        !field_vector(&angles, 2, scene->q) ||
        (rates.value && !field_vector(&rates, 2, scene->u))) {
        return false;
    }
    if (pendulum->bearing <= pendulum->length) {
        return field_fail(&bearing, "must be more than the length, so that only the tip meets "
                                    "the floor");
    }
    double elbow[2], tip[2];
    double_pendulum_points(pendulum, scene->q, elbow, tip);
    return tip[1] >= 0 || field_fail(&angles, "the tip is below the floor, by %.6g", -tip[1]);
}

static bool read_mechanism(const Field *root, MechanismScene *scene) {
    static const char *const known[] = {"double_pendulum", NULL};
    Field field = field_member(root, "mechanism");
    Field pendulum = field_member(&field, "double_pendulum");
    return field_is_object(&field, "an object with \"double_pendulum\"", known) &&
           read_pendulum(&pendulum, scene);
}

static bool read_gravity(const Field *root, MechanismScene *scene) {
    Field field = field_member(root, "gravity");
    double gravity[3];
    if (!field_vector(&field, 3, gravity)) {
        return false;
    }
    scene->pendulum.gravity = -gravity[2];
    return (gravity[0] == 0 && gravity[1] == 0) ||
           field_fail(&field, "must be along z: the pendulum moves in the plane of x and z");
}

static bool read_ends(const Field *root, MechanismScene *scene) {
    static const char *const known[] = {"time", "rest", NULL};
    Field field = field_member(root, "simulate");
    Field time = field_member(&field, "time"), rest = field_member(&field, "rest");
    scene->rest = carom_mechanism_options_default().rest;
    if (!field_is_object(&field, "an object with \"time\"", known) ||
        !field_number(&time, FIELD_POSITIVE, &scene->time) ||
        (rest.value && !field_number(&rest, FIELD_POSITIVE, &scene->rest))) {
        return false;
    }
    return scene->rest < 1 || field_fail_type(&rest, "in (0, 1)");
}

/* What every scene has, by the reader of scenes: in place of the mechanism any W and v. */
static bool read_rest(json_t *document, MechanismScene *scene, Error *error) {
    json_t *copy = json_copy(document);
    json_object_del(copy, "mechanism");
    json_object_del(copy, "gravity");
    json_object_del(copy, "simulate");
    json_object_set_new(copy, "model", json_string(scene_model_names[CAROM_MODEL_RIGID]));
    json_object_set_new(
        copy, "inverse_inertia",
        json_pack("[[fff][fff][fff]]", 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    json_object_set_new(copy, "contact_velocity", json_pack("[fff]", 0.0, 0.0, -1.0));
    bool good = scene_from_json(copy, &scene->scene, error);
    json_decref(copy);
    return good;
}

static bool check_contact(const Field *root, const MechanismScene *scene) {
    Field contacts = field_member(root, "contacts"), model = field_member(root, "model");
    const char *name;
    if (model.value && (!field_string(&model, &name) || strcmp(name, "rigid") != 0)) {
        return field_fail_type(&model, "\"rigid\": a mechanism is followed with rigid impacts");
    }
    return scene->scene.contact_count == 1 ||
           field_fail(&contacts, "must have 1 contact, got %d", scene->scene.contact_count);
}

bool mechanism_scene_read(json_t *document, MechanismScene *scene, Error *error) {
    static const char *const known[] = {"carom",     "name",    "description", "model",
                                        "mechanism", "gravity", "contacts",    "restitution",
                                        "simulate",  "units",   NULL};
    Field root = field_root(document, error);
    *scene = (MechanismScene){0};
    if (field_is_object(&root, "an object", known) && read_gravity(&root, scene) &&
        read_mechanism(&root, scene) && read_ends(&root, scene) &&
        read_rest(document, scene, error) && check_contact(&root, scene)) {
        return true;
    }
    mechanism_scene_free(scene);
    return false;
}

void mechanism_scene_free(MechanismScene *scene) {
    scene_free(&scene->scene);
    *scene = (MechanismScene){0};
}
