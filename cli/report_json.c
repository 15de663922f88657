/* What came out, as JSON. */
#include <stdio.h>
#include <stdlib.h>

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

static json_t *events(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    const double *impulses = solution->snapshots.impulse;
    int size = scene_rows(scene) * scene->contact_count;
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
        if (scene->model == CAROM_MODEL_COMPLIANT) {
            json_object_set_new(object, "tangential", json_write_number(event->tangential));
        }
        if (impulses) {
            const double *row = &impulses[(size_t)i * (size_t)size];
            json_object_set_new(object, "impulses", json_write_numbers(row, size));
        }
        json_array_append_new(array, object);
    }
    return array;
}

/* Which contacts act, and how far all of them are as the state begins. */
static json_t *state(const Scene *scene, const Solution *solution, int index) {
    const CaromSnapshots *snapshots = &solution->snapshots;
    int count = scene->contact_count, size = scene_rows(scene) * count;
    size_t row = (size_t)solution->states.events[index];
    const unsigned char *active = states_active(scene, &solution->states, index);
    json_t *contacts = json_array();
    for (int i = 0; i < count; i++) {
        if (active[i]) {
            json_array_append_new(contacts, json_integer(i));
        }
    }
    json_t *object = json_object();
    json_object_set_new(object, "active", contacts);
    json_object_set_new(object, "impulse",
                        json_write_numbers(&snapshots->impulse[row * (size_t)size], size));
    json_object_set_new(object, "velocity",
                        json_write_numbers(&snapshots->velocity[row * (size_t)size], size));
    json_object_set_new(object, "stored",
                        json_write_numbers(&snapshots->stored[row * (size_t)count], count));
    return object;
}

/* The names of two contacts' states in one string, NULL if there is no memory. More contacts have
 * no such names. */
static json_t *state_names(const Scene *scene, const Solution *solution) {
    const States *states = &solution->states;
    int count = scene->contact_count == 2 ? states->count : 0;
    char *names = malloc(3 * (size_t)count + 1), *end = names;
    if (!names) {
        return NULL;
    }
    *end = '\0';
    for (int i = 0; i < count; i++) {
        const char *name = states_name(states_active(scene, states, i));
        end += sprintf(end, "%s%s", i > 0 ? " " : "", name);
    }
    json_t *string = json_string(names);
    free(names);
    return string;
}

static void add_course(json_t *line, const Scene *scene, const Solution *solution) {
    if (scene->contact_count == 1) {
        json_object_set_new(line, "sequence", json_string(solution->result.sequence));
        return;
    }
    json_object_set_new(line, "sequence", state_names(scene, solution));
    if (solution->states.active) {
        json_t *array = json_array();
        for (int i = 0; i < solution->states.count; i++) {
            json_array_append_new(array, state(scene, solution, i));
        }
        json_object_set_new(line, "states", array);
    }
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
    json_object_set_new(object, "left", json_write_number(0));
    json_object_set_new(object, "residual", json_write_number(account->residual));
    if (scene->model == CAROM_MODEL_COMPLIANT) {
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

json_t *report_json_failure(CaromStatus status, const char *message) {
    json_t *line = json_object();
    json_object_set_new(line, "status", json_string(carom_status_string(status)));
    json_object_set_new(line, "message", json_string(message));
    return line;
}

json_t *report_json(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    if (!solution_has_result(solution)) {
        return report_json_failure(result->status, result->message);
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
    add_course(line, scene, solution);
    json_object_set_new(line, "events", events(scene, solution));
    json_object_set_new(line, "energy", energy(scene, solution));
    json_object_set_new(line, "error_estimate", json_write_number(result->error));
    if (result->ambiguous[0] != '\0') {
        json_object_set_new(line, "ambiguous", json_string(result->ambiguous));
    }
    json_object_set_new(line, "work", json_integer(result->work));
    if (solution->slip.known) {
        json_object_set_new(line, "contact", slip_geometry(&solution->slip, scene->planar));
    }
    return line;
}
