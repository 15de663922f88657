/* Reading a scene to simulate. Its own fields are read first; then they are replaced by the plane
 * as an immovable body, and scene_read.c reads the rest. */
#include "simulate/simulate_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/field.h"
#include "base/words.h"
#include "scene/scene_read.h"

static bool read_ball(const Field *field, SimulateScene *scene) {
    double radius;
    if (!field_number(field, FIELD_POSITIVE, &radius)) {
        return false;
    }
    scene->shape = carom_shape_ball(radius);
    return true;
}

static bool read_vertices(const Field *field, SimulateScene *scene) {
    size_t count;
    if (!field_is_list(field, "an array of points [x, y, z]", SIMULATE_VERTICES_MAX, &count)) {
        return false;
    }
    scene->vertices = calloc(3 * count, sizeof *scene->vertices);
    if (!scene->vertices) {
        return field_fail(field, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        Field vertex = field_element(field, i);
        if (!field_vector(&vertex, 3, &scene->vertices[3 * i])) {
            return false;
        }
    }
    scene->shape = carom_shape_vertices(scene->vertices, (int)count);
    return true;
}

static bool read_shape(const Field *body, SimulateScene *scene) {
    static const char *const known[] = {"ball", "vertices", NULL};
    Field field = field_member(body, "shape");
    if (!field_is_object(&field, "an object with \"ball\" or \"vertices\"", known)) {
        return false;
    }
    Field ball = field_member(&field, "ball"), vertices = field_member(&field, "vertices");
    if (!ball.value == !vertices.value) {
        return field_fail(&field, "must have either \"ball\" or \"vertices\"");
    }
    return ball.value ? read_ball(&ball, scene) : read_vertices(&vertices, scene);
}

/* The one body: the fields that other scenes do not have. */
static bool read_body(const Field *root, SimulateScene *scene) {
    Field list = field_member(root, "bodies");
    if (!json_is_array(list.value)) {
        return field_fail_type(&list, "an array of one body");
    }
    if (json_array_size(list.value) != 1) {
        return field_fail(&list, "must have 1 body (the plane is not one of them), got %zu",
                          json_array_size(list.value));
    }
    Field body = field_element(&list, 0);
    if (!json_is_object(body.value)) {
        return field_fail_type(&body, "an object");
    }
    Field mass = field_member(&body, "mass"), guide = field_member(&body, "guide");
    if (json_is_string(mass.value)) {
        return field_fail_type(&mass, "a number > 0: the body flies");
    }
    if (guide.value) {
        return field_fail(&guide, "the body flies, it cannot be guided");
    }
    return read_shape(&body, scene);
}

static bool read_plane(const Field *root, CaromPlane *plane) {
    static const char *const known[] = {"point", "normal", NULL};
    Field field = field_member(root, "plane");
    *plane = (CaromPlane){.normal = {0, 0, 1}};
    if (!field.value) {
        return true;
    }
    if (!field_is_object(&field, "an object with \"point\" and \"normal\"", known)) {
        return false;
    }
    Field point = field_member(&field, "point"), normal = field_member(&field, "normal");
    if (!field_vector(&point, 3, plane->point) || !field_vector(&normal, 3, plane->normal)) {
        return false;
    }
    /* the frame's third row is the normal at unit length */
    CaromSite site = {.first = 0, .second = 1};
    double frame[9];
    memcpy(site.normal, plane->normal, sizeof site.normal);
    if (carom_site_frame(&site, frame, NULL) < 0) {
        return field_fail(&normal, "must not be zero");
    }
    memcpy(plane->normal, frame + 6, sizeof plane->normal);
    return true;
}

static bool read_count(const Field *field, long *count) {
    double number = json_is_number(field->value) ? json_number_value(field->value) : 0;
    if (!(number >= 1 && number <= SIMULATE_BOUNCES_MAX && number == floor(number))) {
        return field_fail_type(field,
                               words_of("a whole number from 1 to %d", SIMULATE_BOUNCES_MAX).text);
    }
    *count = (long)number;
    return true;
}

static bool read_ends(const Field *root, SimulateScene *scene) {
    static const char *const known[] = {"time", "bounces", "rest", "mu_roll", "mu_spin", NULL};
    Field field = field_member(root, "simulate");
    scene->time = INFINITY;
    scene->bounces = 1000;
    scene->rest = 1e-6;
    if (!field.value) {
        return true;
    }
    if (!field_is_object(&field, "an object", known)) {
        return false;
    }
    Field time = field_member(&field, "time"), bounces = field_member(&field, "bounces");
    Field rest = field_member(&field, "rest");
    Field roll = field_member(&field, "mu_roll"), spin = field_member(&field, "mu_spin");
    return (!time.value || field_number(&time, FIELD_POSITIVE, &scene->time)) &&
           (!bounces.value || read_count(&bounces, &scene->bounces)) &&
           (!rest.value || field_number(&rest, FIELD_FRACTION, &scene->rest)) &&
           (!roll.value || field_number(&roll, FIELD_NOT_NEGATIVE, &scene->mu_roll)) &&
           (!spin.value || field_number(&spin, FIELD_NOT_NEGATIVE, &scene->mu_spin));
}

/* The one contact has coefficients only; the plane gives its place. */
static bool check_contact(const Field *root) {
    static const char *const places[] = {"bodies", "point", "normal", "tangent", "jacobian"};
    Field list = field_member(root, "contacts");
    if (json_is_array(list.value) && json_array_size(list.value) != 1) {
        return field_fail(&list, "must have 1 contact, got %zu", json_array_size(list.value));
    }
    Field contact = field_element(&list, 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Field member = field_member(&contact, places[i]);
        if (member.value) {
            return field_fail(&member, "not in a scene to simulate: \"plane\" says where");
        }
    }
    return true;
}

/* The scene belongs to another command; then *root->error is set. */
static bool is_one_impact(const Field *root) {
    static const char *const names[] = {"inverse_inertia", "contact_velocity", "system"};
    static const char words[] = "a scene of one impact: \"carom solve\" takes it";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Field field = field_member(root, names[i]);
        if (field.value) {
            field_fail(&field, "only in %s", words);
            return true;
        }
    }
    Field gravity = field_member(root, "gravity"), bodies = field_member(root, "bodies");
    if (gravity.value || json_array_size(bodies.value) < 2) {
        return false;
    }
    field_fail(&gravity, "missing; without it this is %s", words);
    return true;
}

/* The fields that only a scene to simulate has. */
static bool read_own_fields(const Field *root, SimulateScene *scene) {
    static const char *const known[] = {"carom",   "name",     "description", "model",
                                        "bodies",  "contacts", "restitution", "plane",
                                        "gravity", "simulate", "units",       NULL};
    Field version = field_member(root, "carom");
    if (!json_is_object(root->value)) {
        return field_fail_type(root, "a JSON object with the scene's fields");
    }
    if (!json_is_number(version.value) || json_number_value(version.value) != 1) {
        return field_fail_type(&version, "1, the version of the format that this program reads");
    }
    Field gravity = field_member(root, "gravity");
    if (is_one_impact(root)) {
        return false;
    }
    return field_is_object(root, "an object", known) && read_body(root, scene) &&
           read_plane(root, &scene->plane) && field_vector(&gravity, 3, scene->gravity) &&
           read_ends(root, scene) && check_contact(root);
}

static json_t *vector(const double x[3]) {
    return json_pack("[fff]", x[0], x[1], x[2]);
}

/* Turn the document into that of an impact with the plane. False: out of memory. */
static bool make_impact(json_t *document, const CaromPlane *plane) {
    json_t *bodies = json_object_get(document, "bodies");
    json_t *contact = json_array_get(json_object_get(document, "contacts"), 0);
    json_object_del(json_array_get(bodies, 0), "shape");
    json_object_del(document, "plane");
    json_object_del(document, "gravity");
    json_object_del(document, "simulate");
    bool good = json_array_append_new(
                    bodies, json_pack("{ssss}", "name", "(the plane)", "mass", "infinite")) == 0;
    if (json_is_object(contact)) { /* otherwise scene_read.c reports it */
        good = good && json_object_set_new(contact, "bodies", json_pack("[ff]", 0.0, 1.0)) == 0 &&
               json_object_set_new(contact, "point", vector(plane->point)) == 0 &&
               json_object_set_new(contact, "normal", vector(plane->normal)) == 0;
    }
    return good;
}

/* The body may touch the plane, but not be inside it. */
static bool check_start(const Field *root, const SimulateScene *scene) {
    CaromTouch touch;
    const char *message;
    const CaromBody *body = &scene->scene.bodies[0];
    /* with any horizon: only the check of the start matters */
    CaromStatus status = carom_flight_touch(body, scene->gravity, &scene->shape, &scene->plane,
                                            1e-300, &touch, &message);
    double gap = carom_shape_gap(body, &scene->shape, &scene->plane, NULL);
    if (status != CAROM_INVALID_INPUT) {
        return true;
    }
    Field list = field_member(root, "bodies"), thrown = field_element(&list, 0);
    Field position = field_member(&thrown, "position");
    return gap < 0 ? field_fail(&position, "the body is inside the plane, by %.6g", -gap)
                   : field_fail(&thrown, "%s", message);
}

static bool read_fields(json_t *document, SimulateScene *scene, Error *error) {
    Field root = field_root(document, error);
    if (!read_own_fields(&root, scene)) {
        return false;
    }
    if (!make_impact(document, &scene->plane)) {
        return field_fail(&root, "out of memory");
    }
    return scene_from_json(document, &scene->scene, error) && check_start(&root, scene);
}

bool simulate_scene_from_json(json_t *document, SimulateScene *scene, Error *error) {
    *scene = (SimulateScene){0};
    bool good = read_fields(document, scene, error);
    if (!good) {
        simulate_scene_free(scene);
    }
    return good;
}

/* Takes the document; NULL: *error is set already. */
static bool read_document(json_t *document, SimulateScene *scene, Error *error) {
    *scene = (SimulateScene){0};
    bool good = document && simulate_scene_from_json(document, scene, error);
    json_decref(document);
    return good;
}

bool simulate_scene_read_memory(const char *bytes, size_t size, SimulateScene *scene,
                                Error *error) {
    return read_document(document_read_memory(bytes, size, error), scene, error);
}

bool simulate_scene_read_file(const char *path, SimulateScene *scene, Error *error) {
    return read_document(document_read_file(path, error), scene, error);
}

void simulate_scene_free(SimulateScene *scene) {
    scene_free(&scene->scene);
    free(scene->vertices);
    *scene = (SimulateScene){0};
}
