#include "mechanism/mechanism_report.h"

#include <math.h>

#include "base/json_write.h"
#include "base/words.h"
#include "io/output_file.h"
#include "report/text/scene_text.h"

/* Text: a line per event. */

static const char *phase_words(CaromMechanismPhase phase) {
    static const char *const words[] = {[CAROM_MECHANISM_FREE] = "lifts off",
                                        [CAROM_MECHANISM_SLIDE] = "slides",
                                        [CAROM_MECHANISM_STICK] = "sticks",
                                        [CAROM_MECHANISM_REST] = "rests"};
    return words[phase];
}

static void print_event(FILE *file, const MechanismEvent *event) {
    Words what = event->impact ? words_of("impact %d, %s, lost %.6g", event->impact,
                                          event->sequence, event->energy_lost)
                               : words_of("the tip %s", phase_words(event->state.phase));
    if (event->died_out) {
        words_add(&what, "; bounces died out");
    }
    fprintf(file, "%10.6g  %-46s", event->state.time, what.text);
    if (event->impact) {
        fprintf(file, " %10.6g", event->approach);
    } else {
        fprintf(file, " %10s", "");
    }
    fprintf(file, " %10.6g %10.6g %10.6g\n", event->state.u[0], event->state.u[1],
            event->state.kinetic + event->state.potential);
}

void mechanism_text(FILE *file, const MechanismScene *scene, const MechanismRun *run) {
    const CaromMechanismSummary *summary = &run->summary;
    report_heading(file, &scene->scene, CAROM_METHOD_EXACT, 0);
    report_contact(file, "Contact", &scene->scene, 0);
    fprintf(
        file,
        "\nMechanism      double pendulum, bars of length %g and mass %g, bearing at height %g\n"
        "Gravity        %g, downwards\n\n",
        scene->pendulum.length, scene->pendulum.mass, scene->pendulum.bearing,
        scene->pendulum.gravity);
    if (run->event_count > 0) {
        fprintf(file, "%10s  %-46s %10s %10s %10s %10s\n", "time", "what happens, energy lost",
                "approach", "u1 after", "u2 after", "energy");
    }
    for (size_t i = 0; i < run->event_count; i++) {
        print_event(file, &run->events[i]);
    }
    fprintf(file, "\n%d impact%s; ends at time %.6g: %s.\n", summary->impacts,
            summary->impacts == 1 ? "" : "s", summary->time,
            summary->status < 0 ? summary->message : carom_mechanism_end_string(summary->end));
    fprintf(file, "  %-18s %10.6g %10.6g\n", "angles", run->last.q[0], run->last.q[1]);
    fprintf(file, "  %-18s %10.6g %10.6g\n", "angular velocity", run->last.u[0], run->last.u[1]);
    fprintf(file, "  %-18s %10.6g (%.6g at the start)\n", "energy", summary->energy_last,
            summary->energy_first);
    fprintf(file, "  %-18s %10.1e in one flight, the integrator's\n", "energy drift",
            summary->drift);
}

/* JSON. */

static json_t *event_object(const MechanismEvent *event) {
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:o}", "time", json_write_number(event->state.time), "event",
                  event->impact ? "impact" : carom_mechanism_phase_string(event->state.phase),
                  "angles", json_write_numbers(event->state.q, 2), "angular_velocity",
                  json_write_numbers(event->state.u, 2));
    if (event->impact) {
        json_t *impact = json_pack(
            "{s:i, s:o, s:o, s:s, s:o, s:b}", "impact", event->impact, "approach",
            json_write_number(event->approach), "impulse", json_write_numbers(event->impulse, 2),
            "sequence", event->sequence, "energy_lost", json_write_number(event->energy_lost),
            "died_out", event->died_out);
        json_object_update(object, impact);
        json_decref(impact);
    }
    return object;
}

bool mechanism_json(FILE *file, const MechanismRun *run) {
    const CaromMechanismSummary *summary = &run->summary;
    json_t *line = json_pack("{s:s}", "status", carom_status_string(summary->status));
    json_t *events = json_array();
    for (size_t i = 0; i < run->event_count; i++) {
        json_array_append_new(events, event_object(&run->events[i]));
    }
    if (summary->message[0]) {
        json_object_set_new(line, "message", json_string(summary->message));
    }
    json_object_set_new(line, "events", events);
    json_object_set_new(line, "end",
                        json_pack("{s:s, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "reason",
                                  mechanism_end_name(summary->end), "time",
                                  json_write_number(summary->time), "impacts", summary->impacts,
                                  "angles", json_write_numbers(run->last.q, 2), "angular_velocity",
                                  json_write_numbers(run->last.u, 2), "energy",
                                  json_write_number(summary->energy_last), "energy_before",
                                  json_write_number(summary->energy_first), "energy_drift",
                                  json_write_number(summary->drift)));
    return json_write_line(file, line);
}

/* The path. */

bool mechanism_csv(const char *path, const MechanismRun *run, Error *error) {
    OutputFile file;
    Error why;
    if (!output_file_begin(path, &file, &why)) {
        return error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
    }
    fputs("t,q1,q2,u1,u2,gap,kinetic,potential,phase\n", file.stream);
    for (size_t i = 0; i < run->state_count && !ferror(file.stream); i++) {
        const MechanismState *s = &run->states[i];
        fprintf(file.stream, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s\n", s->time,
                s->q[0], s->q[1], s->u[0], s->u[1], s->gap, s->kinetic, s->potential,
                carom_mechanism_phase_string(s->phase));
    }
    return output_file_finish(&file, &why) ||
           error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
}
