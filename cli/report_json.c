/* One line of JSON per scene. */
#include "json_write.h"
#include "report.h"

static json_t *bodies_after(const Scene *scene, const Solution *solution) {
    json_t *array = json_array();
    for (int i = 0; i < scene->body_count; i++) {
        const CaromBody *body = &solution->bodies[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(scene->body_names[i]));
        json_object_set_new(object, "velocity", json_write_numbers(body->velocity, 3));
        json_object_set_new(object, "angular_velocity",
                            json_write_numbers(body->angular_velocity, 3));
        json_array_append_new(array, object);
    }
    return array;
}

/* A contact's vector as the library keeps it in an event, (t, 0, n) if planar. */
static json_t *contact_vector(const double x[3], bool planar) {
    const double pair[2] = {x[0], x[2]};
    return planar ? json_write_numbers(pair, 2) : json_write_numbers(x, 3);
}

static json_t *events(const Scene *scene, const CaromResult *result) {
    json_t *array = json_array();
    for (int i = 0; i < result->event_count; i++) {
        const CaromEvent *event = &result->events[i];
        json_t *object = json_object();
        json_object_set_new(object, "event", json_string(carom_event_string(event->kind)));
        json_object_set_new(object, "contact", json_integer(event->contact));
        json_object_set_new(object, "normal_impulse", json_write_number(event->normal_impulse));
        json_object_set_new(object, "impulse", contact_vector(event->impulse, scene->planar));
        json_object_set_new(object, "velocity", contact_vector(event->velocity, scene->planar));
        json_object_set_new(object, "stored", json_write_number(event->stored));
        if (scene->model == CAROM_COMPLIANT) {
            json_object_set_new(object, "tangential", json_write_number(event->tangential));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *energy(const Scene *scene, const Solution *solution) {
    const CaromEnergy *account = &solution->result.energy;
    json_t *object = json_object();
    double before, after;
    if (solution_energies(scene, solution, &before, &after)) {
        json_object_set_new(object, "before", json_write_number(before));
        json_object_set_new(object, "after", json_write_number(after));
    }
    json_object_set_new(object, "change", json_write_number(account->change));
    json_object_set_new(object, "stored", json_write_number(account->stored));
    json_object_set_new(object, "released", json_write_number(account->released));
    json_object_set_new(object, "normal_loss", json_write_number(account->normal_loss));
    json_object_set_new(object, "friction_loss", json_write_number(account->friction_loss));
    json_object_set_new(object, "left", json_write_number(account->left));
    json_object_set_new(object, "residual", json_write_number(account->residual));
    if (scene->model == CAROM_COMPLIANT) {
        json_object_set_new(object, "tangential", json_write_number(account->tangential));
    }
    return object;
}

static json_t *slip_geometry(const SlipGeometry *slip, bool planar) {
    json_t *object = json_object();
    json_object_set_new(object, "stick_ratio", json_write_number(slip->stick_ratio));
    json_object_set_new(object, "solvable", json_boolean(slip->solvable));
    if (planar) {
        return object;
    }
    json_t *directions = json_array();
    for (int i = 0; i < slip->count; i++) {
        const CaromInvariant *invariant = &slip->invariants[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "direction", json_write_numbers(invariant->direction, 2));
        json_object_set_new(entry, "rate", json_write_number(invariant->rate));
        json_object_set_new(entry, "kind",
                            json_string(invariant->rate > 0 ? "centrifugal" : "centripetal"));
        json_object_set_new(entry, "stable", json_boolean(invariant->stable));
        json_array_append_new(directions, entry);
    }
    if (slip->count == CAROM_ALL_DIRECTIONS) {
        json_decref(directions);
        directions = json_string("all");
    }
    json_object_set_new(object, "invariant_directions", directions);
    return object;
}

bool report_json_failure(FILE *file, CaromStatus status, const char *message) {
    json_t *line = json_object();
    json_object_set_new(line, "status", json_string(carom_status_string(status)));
    json_object_set_new(line, "message", json_string(message));
    return json_write_line(file, line);
}

bool report_json(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    if (!solution_has_result(solution)) {
        return report_json_failure(file, result->status, result->message);
    }
    int size = scene_rows(scene) * scene->contact_count;
    json_t *line = json_object();
    json_object_set_new(line, "status", json_string(carom_status_string(result->status)));
    if (result->message && result->message[0]) {
        json_object_set_new(line, "message", json_string(result->message));
    }
    json_object_set_new(line, "model", json_string(scene_model_name(scene->model)));
    json_object_set_new(line, "impulse", json_write_numbers(result->impulse, size));
    json_object_set_new(line, "contact_velocity", json_write_numbers(result->velocity, size));
    if (scene->source == SCENE_BODIES) {
        json_object_set_new(line, "bodies", bodies_after(scene, solution));
    }
    if (scene->source == SCENE_SYSTEM) {
        json_object_set_new(line, "velocity",
                            json_write_numbers(solution->speeds, scene->system.speed_count));
    }
    json_object_set_new(line, "sequence", json_string(result->sequence));
    json_object_set_new(line, "events", events(scene, result));
    json_object_set_new(line, "energy", energy(scene, solution));
    json_object_set_new(line, "error_estimate", json_write_number(result->error));
    json_object_set_new(line, "work", json_integer(result->work));
    if (solution->slip.known) {
        json_object_set_new(line, "contact", slip_geometry(&solution->slip, scene->planar));
    }
    return json_write_line(file, line);
}
