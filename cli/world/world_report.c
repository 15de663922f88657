/* Reports of a world: as text and as JSON. */
#include "world/world_report.h"

#include <math.h>

#include "base/json_write.h"
#include "base/words.h"
#include "report/text/scene_text.h"

/* Text. */

static Words plane_words(const WorldScene *scene, int plane) {
    bool table = scene->has_table && plane == scene->setup.plane_count - 1;
    return table ? words_of("the table") : words_of("plane %d", plane);
}

/* What a contact is with, seen from its first body. */
static Words partner_words(const WorldScene *scene, const CaromTouching *touching) {
    switch (touching->partner) {
    case CAROM_PARTNER_BODY:
        return words_of("%s", scene->names[touching->second]);
    case CAROM_PARTNER_PLANE:
        return plane_words(scene, touching->second);
    case CAROM_PARTNER_CUSHION:
        return words_of("cushion %d", touching->second);
    default:
        return words_of("the cue");
    }
}

/* The contact that closes fastest says what the impact is. */
static const WorldHit *main_hit(const WorldHappening *event) {
    const WorldHit *hit = &event->hits[0];
    for (int i = 1; i < event->hit_count; i++) {
        hit = event->hits[i].approach > hit->approach ? &event->hits[i] : hit;
    }
    return hit;
}

static Words impact_words(const WorldScene *scene, const WorldHappening *event) {
    const WorldHit *hit = main_hit(event);
    Words words = words_of("%s meets %s at %.4g", scene->names[hit->touching.body],
                           partner_words(scene, &hit->touching).text, hit->approach);
    if (event->hit_count > 1) {
        words_add(&words, ", %d contacts at once", event->hit_count);
    }
    words_add(&words, event->energy.change > 0 ? "; gains %.4g" : "; loses %.4g",
              fabs(event->energy.change));
    return words;
}

static Words event_words(const WorldScene *scene, const WorldHappening *event) {
    const char *name = scene->names[event->body];
    switch (event->kind) {
    case CAROM_WORLD_IMPACT:
        return impact_words(scene, event);
    case CAROM_WORLD_LANDING:
        return words_of("%s stays on %s", name, plane_words(scene, event->plane).text);
    case CAROM_WORLD_ROLLING:
        return words_of("%s rolls", name);
    case CAROM_WORLD_STOP:
        return words_of("%s stops", name);
    case CAROM_WORLD_SPIN_END:
        return words_of("%s has no spin about the vertical any more", name);
    default:
        return words_of("%s falls into pocket %d", name, event->plane);
    }
}

static void print_bodies(FILE *file, const WorldScene *scene, const WorldRecord *record) {
    fprintf(file, "\n  %-20s %-10s %-35s %s\n", "", "", " position", " velocity");
    for (int i = 0; i < scene->setup.body_count; i++) {
        const CaromBody *state = &record->states[i];
        CaromPhase phase = record->last[i].phase;
        bool moves = phase < CAROM_PHASE_SPINNING || phase == CAROM_PHASE_LASTING;
        fprintf(file, "  %-20s %-10s", scene->names[i], carom_phase_string(phase));
        for (int k = 0; k < 3; k++) {
            fprintf(file, " %11.6g", state->position[k]);
        }
        for (int k = 0; k < 3 && moves; k++) {
            fprintf(file, " %11.6g", state->velocity[k]);
        }
        fputc('\n', file);
    }
}

void world_text(FILE *file, const WorldScene *scene, const WorldRecord *record) {
    const double *g = scene->setup.gravity;
    report_heading(file, &scene->scene, CAROM_METHOD_EXACT, false);
    fprintf(file, "Several        contacts at once: %s\n",
            scene->setup.several_rigid ? "rigid, by the impulse-level law" : "compliant");
    fprintf(file, "Gravity        (%g, %g, %g)\n\n", g[0], g[1], g[2]);
    for (size_t i = 0; i < record->event_count; i++) {
        fprintf(file, "%12.6f  %s\n", record->events[i].time,
                event_words(scene, &record->events[i]).text);
    }
    size_t impacts = 0;
    for (size_t i = 0; i < record->event_count; i++) {
        impacts += record->events[i].kind == CAROM_WORLD_IMPACT;
    }
    fprintf(file, "\n%zu events, %zu of them impacts; ends at time %.6g: %s.\n",
            record->event_count, impacts, record->time, world_end_words(record->run.end));
    print_bodies(file, scene, record);
    fprintf(file, "  energy, kinetic and potential: %.6g (%.6g at the start)\n", record->after,
            record->before);
    if (record->gains > 0) {
        fprintf(file, "  %ld impacts gained energy, by their law\n", record->gains);
    }
}

/* JSON. */

static json_t *hit_object(const WorldScene *scene, const WorldHit *hit) {
    static const char *const kinds[] = {"body", "plane", "cushion", "cue"};
    const CaromTouching *touching = &hit->touching;
    json_t *object = json_pack("{s:s, s:s}", "body", scene->names[touching->body], "with",
                               kinds[touching->partner]);
    if (touching->partner == CAROM_PARTNER_BODY) {
        json_object_set_new(object, "second", json_string(scene->names[touching->second]));
    } else if (touching->partner != CAROM_PARTNER_CUE) {
        json_object_set_new(object, "second", json_integer(touching->second));
    }
    if (touching->vertex >= 0) {
        json_object_set_new(object, "vertex", json_integer(touching->vertex));
    }
    json_object_set_new(object, "point", json_write_numbers(hit->point, 3));
    json_object_set_new(object, "approach", json_write_number(hit->approach));
    json_object_set_new(object, "impulse", json_write_numbers(hit->impulse, 3));
    return object;
}

static json_t *event_object(const WorldScene *scene, const WorldHappening *event) {
    json_t *object =
        json_pack("{s:s, s:o, s:s}", "event", carom_world_event_string(event->kind), "time",
                  json_write_number(event->time), "body", scene->names[event->body]);
    if (event->kind == CAROM_WORLD_POCKET) {
        json_object_set_new(object, "pocket", json_integer(event->plane));
    }
    if (event->kind == CAROM_WORLD_IMPACT) {
        json_t *hits = json_array();
        for (int i = 0; i < event->hit_count; i++) {
            json_array_append_new(hits, hit_object(scene, &event->hits[i]));
        }
        json_object_set_new(object, "status", json_string(carom_status_string(event->status)));
        json_object_set_new(object, "contacts", hits);
        json_object_set_new(object, "sequence", json_string(event->sequence));
        json_object_set_new(object, "energy",
                            json_pack("{s:o, s:o, s:o, s:o}", "change",
                                      json_write_number(event->energy.change), "normal_loss",
                                      json_write_number(event->energy.normal_loss), "friction_loss",
                                      json_write_number(event->energy.friction_loss), "residual",
                                      json_write_number(event->energy.residual)));
    }
    return object;
}

static json_t *body_object(const WorldScene *scene, const WorldRecord *record, int body) {
    const CaromBody *state = &record->states[body];
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", scene->names[body], "phase",
                               carom_phase_string(record->last[body].phase), "position",
                               json_write_numbers(state->position, 3), "velocity",
                               json_write_numbers(state->velocity, 3), "angular_velocity",
                               json_write_numbers(state->angular_velocity, 3));
    if (body >= scene->ball_count) {
        json_object_set_new(object, "orientation", json_write_numbers(state->orientation, 4));
    }
    return object;
}

bool world_json(FILE *file, const WorldScene *scene, const WorldRecord *record) {
    json_t *line = json_object(), *events = json_array(), *bodies = json_array();
    for (size_t i = 0; i < record->event_count; i++) {
        json_array_append_new(events, event_object(scene, &record->events[i]));
    }
    for (int i = 0; i < scene->setup.body_count; i++) {
        json_array_append_new(bodies, body_object(scene, record, i));
    }
    json_object_set_new(line, "status", json_string(carom_status_string(record->run.status)));
    if (record->run.message[0]) {
        json_object_set_new(line, "message", json_string(record->run.message));
    }
    json_object_set_new(line, "model", json_string(scene_model_names[scene->scene.model]));
    json_object_set_new(line, "events", events);
    json_object_set_new(
        line, "end",
        json_pack("{s:s, s:o, s:I}", "reason", carom_world_end_string(record->run.end), "time",
                  json_write_number(record->time), "events", (json_int_t)record->event_count));
    json_object_set_new(line, "bodies", bodies);
    json_object_set_new(line, "energy",
                        json_pack("{s:o, s:o, s:I}", "before", json_write_number(record->before),
                                  "after", json_write_number(record->after), "gains",
                                  (json_int_t)record->gains));
    return json_write_line(file, line);
}
