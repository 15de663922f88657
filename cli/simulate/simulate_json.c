/* A simulation as one line of JSON. */
#include "base/json_write.h"
#include "simulate/simulate_report.h"

static json_t *motion(const CaromBody *body) {
    json_t *object = json_object();
    json_object_set_new(object, "velocity", json_write_numbers(body->velocity, 3));
    json_object_set_new(object, "angular_velocity", json_write_numbers(body->angular_velocity, 3));
    return object;
}

static json_t *energy(const SimulateImpact *impact) {
    json_t *object = json_object();
    json_object_set_new(object, "before", json_write_number(carom_body_energy(&impact->before)));
    json_object_set_new(object, "after", json_write_number(carom_body_energy(&impact->after)));
    json_object_set_new(object, "normal_loss", json_write_number(impact->energy.normal_loss));
    json_object_set_new(object, "friction_loss", json_write_number(impact->energy.friction_loss));
    json_object_set_new(object, "residual", json_write_number(impact->energy.residual));
    return object;
}

static json_t *impact_object(const SimulateImpact *impact) {
    json_t *object = json_object();
    json_object_set_new(object, "bounce", json_integer(impact->bounce));
    json_object_set_new(object, "time", json_write_number(impact->time));
    if (impact->vertex >= 0) {
        json_object_set_new(object, "vertex", json_integer(impact->vertex));
    }
    json_object_set_new(object, "status", json_string(carom_status_string(impact->status)));
    json_object_set_new(object, "point", json_write_numbers(impact->point, 3));
    json_object_set_new(object, "position", json_write_numbers(impact->before.position, 3));
    json_object_set_new(object, "orientation", json_write_numbers(impact->before.orientation, 4));
    json_object_set_new(object, "before", motion(&impact->before));
    json_object_set_new(object, "after", motion(&impact->after));
    json_object_set_new(object, "impulse", json_write_numbers(impact->impulse, 3));
    json_object_set_new(object, "sequence", json_string(impact->sequence));
    json_object_set_new(object, "energy", energy(impact));
    return object;
}

static json_t *end_object(const SimulateRun *run) {
    const CaromBody *body = &run->last;
    json_t *object = motion(body);
    json_t *end = json_object();
    json_object_set_new(end, "reason", json_string(simulate_end_name(run->end)));
    json_object_set_new(end, "time", json_write_number(run->time));
    json_object_set_new(end, "bounces", json_integer(run->bounce_count));
    json_object_set_new(end, "position", json_write_numbers(body->position, 3));
    json_object_set_new(end, "orientation", json_write_numbers(body->orientation, 4));
    json_object_update(end, object);
    json_decref(object);
    return end;
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
    json_object_set_new(line, "model", json_string(scene_model_name(scene->scene.model)));
    json_object_set_new(line, "impacts", impacts);
    json_object_set_new(line, "end", end_object(run));
    return json_write_line(file, line);
}
