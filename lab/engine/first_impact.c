/* The first impact of a scene for `carom simulate`, as a scene for `carom solve`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "engine.h"
#include "simulate/simulate_scene.h"

/* Vertices within this part of the body's size above the plane touch, as in a simulation. */
#define TOGETHER 1e-9

static json_t *make_body(const SimulateScene *simulate, const CaromBody *body) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(simulate->scene.body_names[0]));
    json_object_set_new(object, "mass", json_write_number(body->mass));
    json_t *inertia = json_array();
    for (int i = 0; i < 3; i++) {
        json_array_append_new(inertia, json_write_numbers(body->inertia + 3 * i, 3));
    }
    json_object_set_new(object, "inertia", inertia);
    json_object_set_new(object, "position", json_write_numbers(body->position, 3));
    json_object_set_new(object, "orientation", json_write_numbers(body->orientation, 4));
    json_object_set_new(object, "velocity", json_write_numbers(body->velocity, 3));
    json_object_set_new(object, "angular_velocity", json_write_numbers(body->angular_velocity, 3));
    return object;
}

static json_t *make_contact(const SimulateScene *simulate, const double point[3], bool alone) {
    const CaromContact *surface = &simulate->scene.contacts[0];
    json_t *object = json_object();
    json_object_set_new(object, "bodies", json_pack("[ii]", 0, 1));
    json_object_set_new(object, "point", json_write_numbers(point, 3));
    json_object_set_new(object, "normal", json_write_numbers(simulate->plane.normal, 3));
    json_object_set_new(object, "mu", json_write_number(surface->mu));
    json_object_set_new(object, "e", json_write_number(surface->e));
    json_object_set_new(object, "stiffness_ratio", json_write_number(surface->stiffness_ratio));
    if (alone && surface->mu_static > surface->mu) {
        json_object_set_new(object, "mu_static", json_write_number(surface->mu_static));
    }
    return object;
}

/* World position of a vertex. */
static void find_point(const SimulateScene *simulate, const CaromBody *body, int vertex,
                       double point[3]) {
    const double *r = &simulate->vertices[3 * vertex], *q = body->orientation, *u = q + 1;
    double c[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = u[j] * r[k] - u[k] * r[j] + q[0] * r[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        point[i] = body->position[i] + r[i] + 2 * (u[j] * c[k] - u[k] * c[j]);
    }
}

/* One contact, or one for each vertex that touches at that time; NULL: no memory. */
static json_t *make_contacts(const SimulateScene *simulate, const CaromTouch *touch) {
    static Room room;
    json_t *contacts = json_array();
    double size = 0;
    for (int i = 0; i < 3 * simulate->shape.vertex_count; i++) {
        size = fmax(size, fabs(simulate->vertices[i]));
    }
    int *touching = room_take(&room, (size_t)(simulate->shape.vertex_count + 1) * sizeof *touching);
    int count = touching ? carom_shape_touching(&touch->body, &simulate->shape, &simulate->plane,
                                                TOGETHER * size, touching)
                         : 0;
    for (int i = 0; i < count && count > 1; i++) {
        double point[3];
        find_point(simulate, &touch->body, touching[i], point);
        json_array_append_new(contacts, make_contact(simulate, point, false));
    }
    if (count <= 1) {
        json_array_append_new(contacts, make_contact(simulate, touch->point, true));
    }
    return contacts;
}

static json_t *make_scene(const SimulateScene *simulate, const CaromTouch *touch) {
    const Scene *scene = &simulate->scene;
    json_t *object = json_object(), *contacts = make_contacts(simulate, touch);
    bool several = json_array_size(contacts) > 1;
    json_object_set_new(object, "carom", json_integer(1));
    if (scene->name) {
        json_object_set_new(object, "name", json_sprintf("%s: first impact", scene->name));
    }
    json_object_set_new(
        object, "description",
        json_sprintf("The first impact of this scene for carom simulate, %.4g after "
                     "its start. %s",
                     touch->time, scene->description ? scene->description : ""));
    if (scene->units.length[0]) {
        json_object_set_new(object, "units",
                            scene->units.si
                                ? json_string("SI")
                                : json_pack("{ssssss}", "length", scene->units.length, "mass",
                                            scene->units.mass, "time", scene->units.time));
    }
    CaromModel model = several ? CAROM_MODEL_COMPLIANT : scene->model;
    CaromLaw law =
        several && scene->law != CAROM_LAW_MONO_STIFFNESS ? CAROM_LAW_ENERGETIC : scene->law;
    json_object_set_new(object, "model", json_string(scene_model_names[model]));
    json_object_set_new(object, "restitution", json_string(scene_law_names[law]));
    json_t *bodies = json_array();
    json_array_append_new(bodies, make_body(simulate, &touch->body));
    json_array_append_new(bodies, json_pack("{ssss}", "name", "plane", "mass", "infinite"));
    json_object_set_new(object, "bodies", bodies);
    json_object_set_new(object, "contacts", contacts);
    return object;
}

/* JSON of the first impact of the simulation in the input, valid until the next call; NULL: see
 * status and message. */
EXPORT(const char *, first_impact, const char *bytes, size_t size) {
    static char *text;
    SimulateScene simulate;
    Error error;
    CaromTouch touch;
    const char *message = "";
    free(text);
    text = NULL;
    if (!simulate_scene_read_memory(bytes, size, &simulate, &error)) {
        engine_end(CAROM_INVALID_INPUT, error.text);
        return NULL;
    }
    CaromStatus status =
        carom_flight_touch(&simulate.scene.bodies[0], simulate.gravity, &simulate.shape,
                           &simulate.plane, simulate.time, &touch, &message);
    if (engine_end(status, message) && !touch.found) {
        engine_end(CAROM_NOT_APPROACHING, "the body does not reach the plane");
    } else if (status >= 0) {
        json_t *scene = make_scene(&simulate, &touch);
        text = json_dumps(scene, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        json_decref(scene);
    }
    simulate_scene_free(&simulate);
    return text;
}
