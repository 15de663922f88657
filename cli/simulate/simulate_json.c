/* A simulation as JSON. */
#include "simulate/simulate_json.h"

#include "base/json_write.h"

static json_t *motion(const CaromBody *body) {
    return json_pack("{s:o, s:o}", "velocity", json_write_numbers(body->velocity, 3),
                     "angular_velocity", json_write_numbers(body->angular_velocity, 3));
}

static json_t *energy(const SimulateImpact *impact) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "before",
                     json_write_number(carom_body_energy(&impact->before)), "after",
                     json_write_number(carom_body_energy(&impact->after)), "normal_loss",
                     json_write_number(impact->energy.normal_loss), "friction_loss",
                     json_write_number(impact->energy.friction_loss), "residual",
                     json_write_number(impact->energy.residual));
}

static json_t *impact_object(const SimulateImpact *impact) {
    json_t *object =
        json_pack("{s:i, s:o}", "bounce", impact->bounce, "time", json_write_number(impact->time));
    if (impact->vertex >= 0) {
        json_object_set_new(object, "vertex", json_integer(impact->vertex));
    }
    json_t *rest = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "status",
        carom_status_string(impact->status), "point", json_write_numbers(impact->point, 3),
        "position", json_write_numbers(impact->before.position, 3), "orientation",
        json_write_numbers(impact->before.orientation, 4), "before", motion(&impact->before),
        "after", motion(&impact->after), "impulse", json_write_numbers(impact->impulse, 3),
        "sequence", impact->sequence, "energy", energy(impact));
    json_object_update(object, rest);
    json_decref(rest);
    return object;
}

static json_t *end_object(const SimulateRun *run) {
    const CaromBody *body = &run->last;
    return json_pack("{s:s, s:o, s:i, s:o, s:o, s:o, s:o}", "reason", simulate_end_name(run->end),
                     "time", json_write_number(run->time), "bounces", run->bounce_count, "position",
                     json_write_numbers(body->position, 3), "orientation",
                     json_write_numbers(body->orientation, 4), "velocity",
                     json_write_numbers(body->velocity, 3), "angular_velocity",
                     json_write_numbers(body->angular_velocity, 3));
}

bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run) {
    json_t *line = json_object(), *impacts = json_array();
    for (int i = 0; i < run->impact_count; i++) {
        json_array_append_new(impacts, impact_object(&run->impacts[i]));
    }
    json_object_set_new(line, "status", json_string(carom_status_string(run->status)));
    if (run->message[0]) {
        json_object_set_new(line, "message", json_string(run->message));
    }
    json_object_set_new(line, "model", json_string(scene_model_names[scene->scene.model]));
    json_object_set_new(line, "impacts", impacts);
    json_object_set_new(line, "end", end_object(run));
    return json_write_line(file, line);
}
