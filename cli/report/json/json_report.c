/* The report of carom solve as JSON. */
#include "report/json/json_report.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "base/message.h"

static json_t *bodies_after(const Scene *scene, const Solution *solution) {
    json_t *array = json_array();
    for (int i = 0; i < scene->body_count; i++) {
        const CaromBody *body = &solution->bodies[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:o, s:o}", "name", scene->body_names[i], "velocity",
                                        json_write_numbers(body->velocity, 3), "angular_velocity",
                                        json_write_numbers(body->angular_velocity, 3)));
    }
    return array;
}

/* The vector of a contact in an event, which the library stores as (t, 0, n) if it is planar. */
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
        json_t *object = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "event",
                                   carom_event_string(event->kind), "contact", event->contact,
                                   "normal_impulse", json_write_number(event->normal_impulse),
                                   "impulse", contact_vector(event->impulse, scene->planar),
                                   "velocity", contact_vector(event->velocity, scene->planar),
                                   "stored", json_write_number(event->stored));
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

/* The contacts that act, and all contacts as the state begins. */
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
    return json_pack("{s:o, s:o, s:o, s:o}", "active", contacts, "impulse",
                     json_write_numbers(&snapshots->impulse[row * (size_t)size], size), "velocity",
                     json_write_numbers(&snapshots->velocity[row * (size_t)size], size), "stored",
                     json_write_numbers(&snapshots->stored[row * (size_t)count], count));
}

/* The names of two contacts' states in one string; "" for more contacts. NULL: out of memory. */
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
    if (scene->contact_count == 1 || !scene_has_process(scene, solution->method)) {
        json_object_set_new(line, "sequence", json_string(solution->result.sequence));
        const char *order = solution_order(scene, solution);
        if (order[0]) {
            json_object_set_new(line, "order", json_string(order));
        }
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
    double before, after;
    bool known = solution_energies(scene, solution, &before, &after);
    const struct {
        const char *name;
        double value;
        bool shown;
    } parts[] = {{"before", before, known},
                 {"after", after, known},
                 {"change", account->change, true},
                 {"stored", account->stored, true},
                 {"released", account->released, true},
                 {"normal_loss", account->normal_loss, true},
                 {"friction_loss", account->friction_loss, true},
                 {"left", 0, true},
                 {"residual", account->residual, true},
                 {"tangential", account->tangential, scene->model == CAROM_MODEL_COMPLIANT}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].shown) {
            json_object_set_new(object, parts[i].name, json_write_number(parts[i].value));
        }
    }
    return object;
}

static json_t *slip_geometry(const SlipGeometry *slip, bool planar) {
    json_t *object = json_pack("{s:o, s:b}", "stick_ratio", json_write_number(slip->stick_ratio),
                               "solvable", slip->solvable);
    if (planar) {
        return object;
    }
    bool all = slip->count == CAROM_ALL_DIRECTIONS;
    json_t *directions = all ? json_string("all") : json_array();
    for (int i = 0; i < slip->count && !all; i++) {
        const CaromInvariant *invariant = &slip->invariants[i];
        json_array_append_new(directions,
                              json_pack("{s:o, s:o, s:s, s:b}", "direction",
                                        json_write_numbers(invariant->direction, 2), "rate",
                                        json_write_number(invariant->rate), "kind",
                                        invariant->rate > 0 ? "centrifugal" : "centripetal",
                                        "stable", invariant->stable));
    }
    json_object_set_new(object, "invariant_directions", directions);
    return object;
}

static json_t *jump(const CaromJump *nearest) {
    json_t *object = json_object();
    json_object_set_new(object, "distance", json_write_number(nearest->distance));
    if (nearest->contact >= 0) {
        json_object_set_new(object, "contact", json_integer(nearest->contact));
    }
    json_object_set_new(object, "reason", json_string(nearest->reason));
    return object;
}

static json_t *failure(CaromStatus status, const char *message) {
    json_t *line = json_object();
    json_object_set_new(line, "status", json_string(carom_status_string(status)));
    json_object_set_new(line, "message", json_string(message));
    return line;
}

json_t *report_json(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    if (!solution_has_result(solution)) {
        return failure(result->status, result->message);
    }
    int size = scene_rows(scene) * scene->contact_count;
    json_t *line = json_object();
    json_object_set_new(line, "status", json_string(carom_status_string(result->status)));
    if (result->message && result->message[0]) {
        json_object_set_new(line, "message", json_string(result->message));
    }
    if (result->solutions == CAROM_SOLUTIONS_CONTINUUM) {
        json_object_set_new(line, "solutions", json_string("continuum"));
    } else if (result->solutions > 1) {
        json_object_set_new(line, "solutions", json_integer(result->solutions));
    }
    json_object_set_new(line, "model", json_string(scene_model_names[scene->model]));
    json_object_set_new(line, "impulse", json_write_numbers(result->impulse, size));
    json_object_set_new(line, "contact_velocity", json_write_numbers(result->velocity, size));
    if (scene->source == SCENE_BODIES) {
        json_object_set_new(line, "bodies", bodies_after(scene, solution));
    } else if (scene->source == SCENE_SYSTEM) {
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
    if (solution_jumps(result)) {
        json_object_set_new(line, "jump", jump(&result->jump));
    }
    json_object_set_new(line, "work", json_integer(result->work));
    if (solution->slip.known) {
        json_object_set_new(line, "contact", slip_geometry(&solution->slip, scene->planar));
    }
    return line;
}

int report_failure(const char *name, CaromStatus status, const char *message, bool json) {
    bool invalid = status == CAROM_INVALID_INPUT;
    message_error("%s: %s%s%s", name, invalid ? "" : carom_status_string(status),
                  invalid ? "" : ": ", message);
    if (json && !json_write_line(stdout, failure(status, message))) {
        message_error("%s: out of memory", name);
        return 2;
    }
    return solution_exit_status(status);
}
