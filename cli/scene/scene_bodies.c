/* Reading the bodies of a scene: masses, motion, where they touch. */
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static double norm(const double *x, int size) {
    double largest = 0, sum = 0;
    for (int i = 0; i < size; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (int i = 0; i < size && largest > 0; i++) {
        sum += (x[i] / largest) * (x[i] / largest);
    }
    return largest * sqrt(sum);
}

/* All leading minors of a symmetric 3x3, scaled by its largest diagonal, are > 0. */
static bool is_positive_definite(const double A[9]) {
    double scale = fmax(A[0], fmax(A[4], A[8]));
    if (!(scale > 0)) {
        return false;
    }
    double a = A[0] / scale, b = A[1] / scale, c = A[2] / scale;
    double d = A[4] / scale, e = A[5] / scale, f = A[8] / scale;
    double minor = a * d - b * b;
    return a > 0 && minor > 0 && minor * f - a * e * e + 2 * b * c * e - c * c * d > 0;
}

/* A solid by its dimensions: {"box": [1, 2, 3]}, {"ball": 1}. */
static bool read_solid(const Field *field, double mass, double inertia[9]) {
    enum { SOLIDS_MAX = 16 };
    const char *names[SOLIDS_MAX] = {NULL};
    for (int i = 0; carom_solid_string((CaromSolid)i); i++) {
        names[i] = carom_solid_string((CaromSolid)i);
    }
    if (!field_is_object(field, "", names)) {
        return false;
    }
    if (json_object_size(field->value) != 1) {
        return field_fail(field, "must name one solid, got %zu", json_object_size(field->value));
    }
    int solid = 0;
    Field given = field_member(field, names[0]);
    while (!given.value) {
        given = field_member(field, names[++solid]);
    }
    size_t count = (size_t)carom_solid_dimensions((CaromSolid)solid);
    double size[3];
    if (count == 1 ? !field_number(&given, FIELD_POSITIVE, size)
                   : !field_vector(&given, count, size)) {
        return false;
    }
    const char *message;
    return carom_solid_inertia((CaromSolid)solid, isfinite(mass) ? mass : 1, size, inertia,
                               &message) >= 0 ||
           field_fail(&given, "%s", message);
}

static bool read_inertia(const Field *field, double mass, double inertia[9]) {
    if (json_is_object(field->value)) {
        return read_solid(field, mass, inertia);
    }
    bool rows = json_is_array(json_array_get(field->value, 0));
    if (rows) {
        if (!field_matrix(field, 3, inertia) || !field_is_symmetric(field, 3, inertia)) {
            return false;
        }
        return is_positive_definite(inertia) || field_fail(field, "must be positive definite");
    }
    if (!json_is_array(field->value)) {
        return field_fail_type(field, "an array of 3 principal moments or of 3 rows, or a solid");
    }
    double principal[3];
    if (!field_vector(field, 3, principal)) {
        return false;
    }
    memset(inertia, 0, 9 * sizeof *inertia);
    for (size_t i = 0; i < 3; i++) {
        Field moment = field_element(field, i);
        if (!field_number(&moment, FIELD_POSITIVE, &inertia[4 * i])) {
            return false;
        }
    }
    return true;
}

static bool read_mass(const Field *field, double *mass) {
    if (json_is_string(field->value) && strcmp(json_string_value(field->value), "infinite") == 0) {
        *mass = INFINITY;
        return true;
    }
    double number = json_number_value(field->value);
    if (!json_is_number(field->value) || !(number > 0)) {
        return field_fail_type(field, "a number > 0 or \"infinite\"");
    }
    *mass = number;
    return true;
}

static bool read_orientation(const Field *field, double q[4]) {
    if (!field_vector(field, 4, q)) {
        return false;
    }
    /* the library's own bound */
    if (!(fabs(norm(q, 4) - 1) <= 1e-3)) {
        return field_fail(field, "must be a unit quaternion, its length is %.9g", norm(q, 4));
    }
    return true;
}

/* A guided body: its velocity is its speed along the axis. */
static bool read_guide(const Field *body, const Field *guide, CaromBody *out) {
    static const char *const known[] = {"axis", "speed", NULL};
    static const char *const excluded[] = {"velocity", "angular_velocity"};
    if (!field_is_object(guide, "an object with \"axis\" and \"speed\"", known)) {
        return false;
    }
    if (isinf(out->mass)) {
        return field_fail(guide, "a body of infinite mass cannot be guided");
    }
    for (int i = 0; i < 2; i++) {
        Field member = field_member(body, excluded[i]);
        if (member.value) {
            return field_fail(&member, "a guided body has \"speed\" in \"guide\" instead");
        }
    }
    Field axis = field_member(guide, "axis"), speed = field_member(guide, "speed");
    double along = 0;
    if (!field_vector(&axis, 3, out->guide) ||
        (speed.value && !field_number(&speed, FIELD_ANY, &along))) {
        return false;
    }
    double length = norm(out->guide, 3);
    if (!(length > 0)) {
        return field_fail(&axis, "must not be zero");
    }
    for (int i = 0; i < 3; i++) {
        out->guide[i] /= length;
        out->velocity[i] = along * out->guide[i];
    }
    return true;
}

bool scene_body_read_motion(const Field *field, CaromBody *body) {
    Field mass = field_member(field, "mass");
    Field inertia = field_member(field, "inertia");
    Field position = field_member(field, "position");
    Field orientation = field_member(field, "orientation");
    Field velocity = field_member(field, "velocity");
    Field angular_velocity = field_member(field, "angular_velocity");
    *body = carom_body_default();
    if (!read_mass(&mass, &body->mass)) {
        return false;
    }
    Field guide = field_member(field, "guide");
    if (guide.value && !read_guide(field, &guide, body)) {
        return false;
    }
    /* a body that is immovable or guided needs neither inertia nor position */
    bool needed = isfinite(body->mass) && !guide.value;
    return (!(needed || inertia.value) || read_inertia(&inertia, body->mass, body->inertia)) &&
           (!(needed || position.value) || field_vector(&position, 3, body->position)) &&
           (!orientation.value || read_orientation(&orientation, body->orientation)) &&
           (!velocity.value || field_vector(&velocity, 3, body->velocity)) &&
           (!angular_velocity.value || field_vector(&angular_velocity, 3, body->angular_velocity));
}

static bool read_body(const Field *field, CaromBody *body) {
    static const char *const known[] = {"name",        "mass",     "inertia",          "position",
                                        "orientation", "velocity", "angular_velocity", "guide",
                                        NULL};
    return field_is_object(field, "an object", known) && scene_body_read_motion(field, body);
}

/* Index of the body with a name, or -1. */
static int find_body(const Scene *scene, const char *name) {
    for (int i = 0; i < scene->body_count; i++) {
        if (scene->body_names[i] && strcmp(scene->body_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_name(const Field *body, int index, Scene *scene) {
    Words made = words_of("body %d", index);
    const char *name = made.text;
    Field field = field_member(body, "name");
    if (field.value && !field_string(&field, &name)) {
        return false;
    }
    int taken = find_body(scene, name);
    if (taken >= 0) {
        return field_fail(&field, "\"%.64s\" is the name of bodies[%d] already", name, taken);
    }
    scene->body_names[index] = strdup(name);
    return scene->body_names[index] || field_fail(body, "out of memory");
}

static bool read_bodies(const Field *root, Scene *scene) {
    Field list = field_member(root, "bodies");
    size_t count;
    if (!field_is_list(&list, "an array of bodies", SCENE_BODIES_MAX, &count)) {
        return false;
    }
    scene->bodies = calloc(count, sizeof *scene->bodies);
    scene->body_names = calloc(count, sizeof *scene->body_names);
    if (!scene->bodies || !scene->body_names) {
        return field_fail(root, "out of memory");
    }
    scene->body_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        Field body = field_element(&list, i);
        if (!read_body(&body, &scene->bodies[i]) || !read_name(&body, (int)i, scene)) {
            return false;
        }
    }
    return true;
}

bool scene_body_reference(const Field *field, const Scene *scene, int *index) {
    if (json_is_string(field->value)) {
        *index = find_body(scene, json_string_value(field->value));
        return *index >= 0 || field_fail(field, "there is no body with the name \"%.64s\"",
                                         json_string_value(field->value));
    }
    double number = json_is_number(field->value) ? json_number_value(field->value) : -1;
    if (!(number >= 0 && number < scene->body_count && number == floor(number))) {
        int last = scene->body_count - 1;
        return field_fail_type(field, words_of("a body's name or its index, 0 to %d", last).text);
    }
    *index = (int)number;
    return true;
}

static bool read_pair(const Field *contact, const Scene *scene, CaromSite *site) {
    Field pair = field_member(contact, "bodies");
    if (!json_is_array(pair.value) || json_array_size(pair.value) != 2) {
        return json_is_array(pair.value)
                   ? field_fail(&pair, "must have 2 bodies, got %zu", json_array_size(pair.value))
                   : field_fail_type(&pair, "an array of the first and the second body");
    }
    Field first = field_element(&pair, 0), second = field_element(&pair, 1);
    if (!scene_body_reference(&first, scene, &site->first) ||
        !scene_body_reference(&second, scene, &site->second)) {
        return false;
    }
    if (site->first == site->second) {
        return field_fail(&pair, "must be two different bodies");
    }
    if (isinf(scene->bodies[site->first].mass) && isinf(scene->bodies[site->second].mass)) {
        return field_fail(&pair, "one of the two must have a finite mass");
    }
    return true;
}

static bool read_site(const Field *contact, const Scene *scene, CaromSite *site) {
    Field point = field_member(contact, "point");
    Field normal = field_member(contact, "normal");
    Field tangent = field_member(contact, "tangent");
    if (!read_pair(contact, scene, site) || !field_vector(&point, 3, site->point) ||
        !field_vector(&normal, 3, site->normal) ||
        (tangent.value && !field_vector(&tangent, 3, site->tangent))) {
        return false;
    }
    if (!(norm(site->normal, 3) > 0)) {
        return field_fail(&normal, "must not be zero");
    }
    if (tangent.value && !(norm(site->tangent, 3) > 0)) {
        return field_fail(&tangent, "must not be zero");
    }
    double frame[9];
    if (carom_site_frame(site, frame, NULL) < 0) {
        return tangent.value ? field_fail(&tangent, "must not be parallel to the normal")
                             : field_fail(&normal, "does not make a frame");
    }
    return true;
}

bool scene_bodies_read(const Field *root, Scene *scene) {
    if (!read_bodies(root, scene)) {
        return false;
    }
    scene->sites = calloc((size_t)scene->contact_count, sizeof *scene->sites);
    if (!scene->sites) {
        return field_fail(root, "out of memory");
    }
    Field list = field_member(root, "contacts");
    for (int i = 0; i < scene->contact_count; i++) {
        Field contact = field_element(&list, (size_t)i);
        if (!read_site(&contact, scene, &scene->sites[i])) {
            return false;
        }
    }
    const char *message = "";
    if (carom_bodies_contact_space(scene->bodies, scene->body_count, scene->sites,
                                   scene->contact_count, scene->inverse_inertia, scene->velocity,
                                   &message) < 0) {
        return field_fail(root, "%s", message);
    }
    return true;
}
