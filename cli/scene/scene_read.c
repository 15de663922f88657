/* Reading a scene from JSON: its fields and their allowed values. scene_bodies.c reads the bodies.
 */
#include "scene/scene_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/field.h"
#include "base/text.h"
#include "scene/scene_bodies.h"
#include "scene/scene_roll.h"

/* The name of a unit. */
static bool read_unit(const Field *units, const char *key, char name[UNIT_NAME_SIZE]) {
    Field field = field_member(units, key);
    const char *string;
    if (!field_string(&field, &string)) {
        return false;
    }
    size_t length = strlen(string);
    if (length == 0 || length >= UNIT_NAME_SIZE) {
        return field_fail(&field, "must have 1 to %d bytes, got %zu", UNIT_NAME_SIZE - 1, length);
    }
    bool plain = true;
    for (const char *c = string; *c && plain;) {
        size_t bytes = text_character(c, &plain);
        if (bytes == 1) { /* no quotes: the name is part of a gnuplot script */
            plain = strchr(" /.-", *c) || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                    (*c >= 'A' && *c <= 'Z');
        }
        c += bytes;
    }
    if (!plain) {
        return field_fail(&field, "must have only letters, digits, blanks and / . -");
    }
    memcpy(name, string, length + 1);
    return true;
}

/* "SI", or the names of three units. */
static bool read_units(const Field *root, Units *units) {
    static const char *const known[] = {"length", "mass", "time", NULL};
    Field field = field_member(root, "units");
    const char *string = json_string_value(field.value); /* NULL if it is not a string */
    if (!field.value) {
        return true;
    }
    if (string && strcmp(string, "SI") == 0) {
        *units = units_si();
        return true;
    }
    const char *what = "\"SI\" or an object with \"length\", \"mass\" and \"time\"";
    return (json_is_object(field.value) || field_fail_type(&field, what)) &&
           field_is_object(&field, what, known) && read_unit(&field, "length", units->length) &&
           read_unit(&field, "mass", units->mass) && read_unit(&field, "time", units->time);
}

/* Name, description, units, model and law. */
static bool read_heading(const Field *root, Scene *scene) {
    struct {
        const char *key;
        char **target;
    } texts[] = {{"name", &scene->name}, {"description", &scene->description}};
    for (int i = 0; i < 2; i++) {
        Field field = field_member(root, texts[i].key);
        const char *string;
        if (!field.value) {
            continue;
        }
        if (!field_string(&field, &string)) {
            return false;
        }
        *texts[i].target = strdup(string);
        if (!*texts[i].target) {
            return field_fail(root, "out of memory");
        }
    }
    if (!read_units(root, &scene->units)) {
        return false;
    }
    int model, law = CAROM_LAW_ENERGETIC;
    Field field = field_member(root, "model");
    if (!field_choice(&field, scene_model_names, &model)) {
        return false;
    }
    field = field_member(root, "restitution");
    if (field.value && !field_choice(&field, scene_law_names, &law)) {
        return false;
    }
    scene->model = (CaromModel)model;
    scene->law_given = field.value != NULL;
    scene->law = law > CAROM_LAW_PLASTIC_DEFORMATION ? CAROM_LAW_ENERGETIC : (CaromLaw)law;
    return true;
}

/* The fields that place a contact depend on how the mechanics are given. */
static bool check_contact_fields(const Field *field, SceneSource source) {
    static const char *const known[] = {
        "mu",     "mu_static", "e",        "stiffness", "stiffness_ratio", "bodies", "point",
        "normal", "tangent",   "jacobian", NULL};
    static const struct {
        const char *key, *owner;
    } places[] = {{"bodies", "bodies"},
                  {"point", "bodies"},
                  {"normal", "bodies"},
                  {"tangent", "bodies"},
                  {"jacobian", "system"}};
    if (!field_is_object(field, "an object", known)) {
        return false;
    }
    static const char *const owners[] = {
        [SCENE_CONTACT_SPACE] = "", [SCENE_BODIES] = "bodies", [SCENE_SYSTEM] = "system"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Field member = field_member(field, places[i].key);
        if (member.value && strcmp(places[i].owner, owners[source]) != 0) {
            return field_fail(&member, "only in a scene with \"%s\"", places[i].owner);
        }
    }
    return true;
}

/* Stiffness of the normal spring. Several contacts may have the limits 0 and infinity. */
static bool read_stiffness(const Field *field, bool alone, double *stiffness) {
    const char *string = json_string_value(field->value); /* NULL if it is not a string */
    double number = json_number_value(field->value);
    if (alone) {
        return field_number(field, FIELD_POSITIVE, stiffness);
    }
    if (string && strcmp(string, "infinite") == 0) {
        *stiffness = INFINITY;
        return true;
    }
    if (!json_is_number(field->value) || !(number >= 0)) {
        return field_fail_type(field, "a number >= 0 or \"infinite\"");
    }
    *stiffness = number > 0 ? number : CAROM_STIFFNESS_ZERO;
    return true;
}

/* Friction, restitution and stiffness. */
static bool read_contact(const Field *field, bool alone, CaromContact *contact) {
    *contact = carom_contact_default();
    Field mu = field_member(field, "mu");
    Field mu_static = field_member(field, "mu_static");
    Field e = field_member(field, "e");
    Field stiffness = field_member(field, "stiffness");
    Field ratio = field_member(field, "stiffness_ratio");
    if (!field_number(&mu, FIELD_NOT_NEGATIVE, &contact->mu) ||
        !field_number(&e, FIELD_FRACTION, &contact->e)) {
        return false;
    }
    contact->mu_static = contact->mu;
    if (mu_static.value && !field_number(&mu_static, FIELD_NOT_NEGATIVE, &contact->mu_static)) {
        return false;
    }
    if (contact->mu_static < contact->mu) {
        return field_fail_type(&mu_static, "at least mu");
    }
    return (!stiffness.value || read_stiffness(&stiffness, alone, &contact->stiffness)) &&
           (!ratio.value || field_number(&ratio, FIELD_POSITIVE, &contact->stiffness_ratio));
}

/* Conditions on several fields, checked here to name the contact. */
static bool check_contacts(const Field *list, const Scene *scene) {
    int rough = 0;
    while (rough < scene->contact_count && scene->contacts[rough].mu == 0) {
        rough++;
    }
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromContact *contact = &scene->contacts[i];
        Field field = field_element(list, (size_t)i);
        Field stiffness = field_member(&field, "stiffness");
        Field mu_static = field_member(&field, "mu_static");
        bool limit = contact->stiffness < 0 || isinf(contact->stiffness);
        if (limit && rough < scene->contact_count) {
            return field_fail(&stiffness,
                              "0 and \"infinite\" are limits for contacts without friction, but "
                              "contacts[%d].mu is %g",
                              rough, scene->contacts[rough].mu);
        }
        if (scene->model == CAROM_MODEL_COMPLIANT && contact->mu_static != contact->mu) {
            return field_fail_type(&mu_static,
                                   "the same as mu: the compliant model has one coefficient");
        }
    }
    return true;
}

static bool read_contacts(const Field *root, Scene *scene) {
    Field list = field_member(root, "contacts");
    size_t count;
    if (!field_is_list(&list, "an array of contacts", SCENE_CONTACTS_MAX, &count)) {
        return false;
    }
    scene->contact_count = (int)count;
    scene->contacts = calloc(count, sizeof *scene->contacts);
    scene->inverse_inertia = calloc(9 * count * count, sizeof(double));
    scene->velocity = calloc(3 * count, sizeof(double));
    if (!scene->contacts || !scene->inverse_inertia || !scene->velocity) {
        return field_fail(root, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        Field field = field_element(&list, i);
        if (!check_contact_fields(&field, scene->source) ||
            !read_contact(&field, count == 1, &scene->contacts[i])) {
            return false;
        }
    }
    return check_contacts(&list, scene);
}

/* W and v as numbers. */
static bool read_contact_space(const Field *root, Scene *scene) {
    size_t size = 3 * (size_t)scene->contact_count;
    Field W = field_member(root, "inverse_inertia");
    Field v = field_member(root, "contact_velocity");
    return field_matrix(&W, size, scene->inverse_inertia) &&
           field_is_symmetric(&W, size, scene->inverse_inertia) &&
           field_vector(&v, size, scene->velocity);
}

/* Mass matrix and speeds. The speeds come first: they give the size. */
static bool read_mechanism(const Field *root, SceneSystem *system) {
    static const char *const known[] = {"mass_matrix", "velocity", NULL};
    Field field = field_member(root, "system");
    if (!field_is_object(&field, "an object with \"mass_matrix\" and \"velocity\"", known)) {
        return false;
    }
    Field M = field_member(&field, "mass_matrix"), u = field_member(&field, "velocity");
    size_t n;
    if (!field_is_list(&u, "an array of generalised speeds", SCENE_SPEEDS_MAX, &n)) {
        return false;
    }
    system->mass_matrix = calloc(n * n, sizeof(double));
    system->speeds = calloc(n, sizeof(double));
    if (!system->mass_matrix || !system->speeds) {
        return field_fail(root, "out of memory");
    }
    system->speed_count = (int)n;
    return field_vector(&u, n, system->speeds) && field_matrix(&M, n, system->mass_matrix) &&
           field_is_symmetric(&M, n, system->mass_matrix);
}

/* The rows of one contact. The first contact decides between 2 and 3. */
static bool read_jacobian(const Field *field, int contact, Scene *scene) {
    size_t n = (size_t)scene->system.speed_count, rows = json_array_size(field->value);
    if (!json_is_array(field->value)) {
        return field_fail_type(field, "an array of 3 rows (t1, t2, n) or 2 rows (t, n)");
    }
    if (rows != 2 && rows != 3) {
        return field_fail(field, "must have 3 rows (t1, t2, n) or 2 rows (t, n), got %zu", rows);
    }
    if (contact == 0) {
        scene->planar = rows == 2;
    } else if (rows != (size_t)scene_rows(scene)) {
        return field_fail(field, "must have %d rows as that of contacts[0], got %zu",
                          scene_rows(scene), rows);
    }
    double *J = &scene->system.jacobian[(size_t)contact * rows * n];
    for (size_t i = 0; i < rows; i++) {
        Field row = field_element(field, i);
        if (!field_vector(&row, n, &J[i * n])) {
            return false;
        }
    }
    return true;
}

/* W and v of a mechanism that has been read. */
static bool find_contact_space(const Field *root, Scene *scene) {
    SceneSystem *system = &scene->system;
    int n = system->speed_count, m = scene_rows(scene) * scene->contact_count;
    const char *message = "";
    double *workspace = malloc((size_t)n * (size_t)n * sizeof *workspace);
    if (!workspace) {
        return field_fail(root, "out of memory");
    }
    CaromStatus status = carom_system_responses(n, system->mass_matrix, m, system->jacobian,
                                                workspace, system->responses, &message);
    free(workspace);
    if (status >= 0) {
        status =
            carom_system_contact_space(n, m, system->jacobian, system->responses, system->speeds,
                                       scene->inverse_inertia, scene->velocity, &message);
    }
    Field field = field_member(root, "system");
    return status >= 0 || field_fail(&field, "%s", message);
}

/* A mechanism in generalised coordinates. */
static bool read_system(const Field *root, Scene *scene) {
    SceneSystem *system = &scene->system;
    if (!read_mechanism(root, system)) {
        return false;
    }
    size_t room = 3 * (size_t)scene->contact_count * (size_t)system->speed_count;
    system->jacobian = calloc(room, sizeof(double));
    system->responses = calloc(room, sizeof(double));
    if (!system->jacobian || !system->responses) {
        return field_fail(root, "out of memory");
    }
    Field list = field_member(root, "contacts");
    for (int i = 0; i < scene->contact_count; i++) {
        Field contact = field_element(&list, (size_t)i);
        Field jacobian = field_member(&contact, "jacobian");
        if (!read_jacobian(&jacobian, i, scene)) {
            return false;
        }
    }
    return find_contact_space(root, scene);
}

/* The mechanics must be given in exactly one way. */
static bool read_source(const Field *root, SceneSource *source) {
    Field W = field_member(root, "inverse_inertia");
    Field v = field_member(root, "contact_velocity");
    Field bodies = field_member(root, "bodies");
    Field system = field_member(root, "system");
    Field contact_space = W.value ? W : v;
    if (!contact_space.value && !bodies.value && !system.value) {
        return field_fail(root, "the mechanics are missing: give \"inverse_inertia\" and "
                                "\"contact_velocity\", or \"bodies\", or \"system\"");
    }
    if ((contact_space.value && (bodies.value || system.value)) || (bodies.value && system.value)) {
        return field_fail(system.value ? &system : &bodies,
                          "the mechanics are given twice: \"%s\" says them already",
                          contact_space.value ? contact_space.key : bodies.key);
    }
    *source = bodies.value ? SCENE_BODIES : system.value ? SCENE_SYSTEM : SCENE_CONTACT_SPACE;
    return true;
}

/* The scene belongs to another command; then *root->error is set. */
static bool is_to_simulate(const Field *root) {
    static const char *const names[] = {"gravity", "plane", "simulate", "mechanism", "world"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Field field = field_member(root, names[i]);
        if (field.value) {
            field_fail(&field, "only in a scene to simulate: \"carom simulate\" takes it");
            return true;
        }
    }
    return false;
}

bool scene_from_json(json_t *document, Scene *scene, Error *error) {
    static const char *const known[] = {"carom",  "name",        "description",      "units",
                                        "model",  "restitution", "inverse_inertia",  "contacts",
                                        "bodies", "system",      "contact_velocity", "roll",
                                        "aim",    NULL};
    Field root = field_root(document, error);
    if (!json_is_object(document)) {
        return field_fail_type(&root, "a JSON object with the scene's fields");
    }
    /* the version first: another one may have other fields */
    double version;
    Field field = field_member(&root, "carom");
    if (!field_number(&field, FIELD_ANY, &version)) {
        return false;
    }
    if (version != 1) {
        return field_fail_type(&field, "1, the version of the format that this program reads");
    }
    return !is_to_simulate(&root) && field_is_object(&root, "an object", known) &&
           read_heading(&root, scene) && read_source(&root, &scene->source) &&
           read_contacts(&root, scene) &&
           (scene->source == SCENE_BODIES   ? scene_bodies_read(&root, scene)
            : scene->source == SCENE_SYSTEM ? read_system(&root, scene)
                                            : read_contact_space(&root, scene)) &&
           scene_roll_read(&root, scene);
}

/* Takes the document; NULL: *error is set already. */
static bool read_document(json_t *document, Scene *scene, Error *error) {
    *scene = (Scene){0};
    bool good = document && scene_from_json(document, scene, error);
    json_decref(document);
    if (!good) {
        scene_free(scene);
    }
    return good;
}

bool scene_read_memory(const char *bytes, size_t size, Scene *scene, Error *error) {
    return read_document(document_read_memory(bytes, size, error), scene, error);
}

bool scene_read_file(const char *path, Scene *scene, Error *error) {
    return read_document(document_read_file(path, error), scene, error);
}
