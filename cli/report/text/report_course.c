/* What happens at one contact, for people to read. */
#include <math.h>

#include "report/text/report_parts.h"

/* A contact that chatters has its first and last events told. */
enum { EVENTS_SHOWN = 30 };

/* The kind of an event. */
static const char *kind_words(const Scene *scene, const CaromEvent *event) {
    bool at_start = event->normal_impulse == 0;
    bool compliant = scene->model == CAROM_COMPLIANT;
    switch (event->kind) {
    case CAROM_COMPRESSION_END:
        return "compression ends";
    case CAROM_COMPRESSION_RESTART:
        return "compression starts again";
    case CAROM_RESTITUTION_END:
        return "the bodies separate";
    case CAROM_ACTIVATION:
        return at_start ? "starts to act" : "touches again";
    case CAROM_LATCH:
        return "stays in touch";
    case CAROM_RELEASE:
        return "lets go";
    case CAROM_STICK:
        return at_start ? "sticks from the start" : "slip stops: the contact sticks";
    case CAROM_SLIP:
        return at_start    ? "starts to slip"
               : compliant ? "stick ends: the contact slips"
                           : "slip stops and resumes in a new direction";
    }
    return carom_event_string(event->kind);
}

Words report_event_words(const Scene *scene, const CaromEvent *event) {
    Words words;
    const char *kind = kind_words(scene, event);
    bool gives = scene->contact_count == 1 ? scene->model == CAROM_COMPLIANT
                                           : scene->contacts[event->contact].mu > 0;
    if (event->kind != CAROM_COMPRESSION_END) {
        snprintf(words.text, sizeof words.text, "%s", kind);
    } else if (gives) {
        snprintf(words.text, sizeof words.text, "%s, energy %.6g stored and %.6g along the surface",
                 kind, event->stored, event->tangential);
    } else {
        snprintf(words.text, sizeof words.text, "%s, energy %.6g stored", kind, event->stored);
    }
    return words;
}

double report_clock(const Scene *scene, const Solution *solution, int event) {
    int rows = scene_rows(scene), count = scene->contact_count;
    if (!solution->snapshots.impulse) { /* then that of the event's own contact */
        return solution->result.events[event].normal_impulse;
    }
    const double *impulse = &solution->snapshots.impulse[(size_t)event * (size_t)(rows * count)];
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += impulse[rows * i + rows - 1];
    }
    return sum;
}

/* The activations with which the event list begins are those of the start. */
int report_first_event(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int count = 0;
    while (count < result->event_count && result->events[count].kind == CAROM_ACTIVATION &&
           report_clock(scene, solution, count) == 0) {
        count++;
    }
    return count;
}

/* How one compliant contact starts is no event: the first change of mode tells it, or else the
 * condition for slip at the start. */
static bool starts_in_slip(const Scene *scene, const CaromResult *result, double speed) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].kind == CAROM_STICK || result->events[i].kind == CAROM_SLIP) {
            return result->events[i].kind == CAROM_STICK;
        }
    }
    const CaromContact *contact = &scene->contacts[0];
    double approach = -scene->velocity[scene_rows(scene) - 1];
    return speed > contact->mu * contact->stiffness_ratio * approach;
}

static const char *slip_start_words(const Scene *scene, const CaromResult *result, double speed) {
    bool straight = result->sequence[0] == 'l' && !scene->planar;
    if (scene->contacts[0].mu == 0) {
        return "slips from the start, without friction";
    }
    if (scene->model == CAROM_COMPLIANT && !starts_in_slip(scene, result, speed)) {
        return "sticks from the start, and gives along the surface";
    }
    return straight ? "slips from the start, straight on" : "slips from the start";
}

/* "contact 0 acts", "contacts 0, 1 and 4 act" from the start, whatever their order in the list. */
static Words acting_start_words(const Scene *scene, const Solution *solution) {
    Words words = {""};
    int count = report_first_event(scene, solution), told = 0;
    if (count == 0 || !solution->states.active) {
        return words;
    }
    const unsigned char *active = states_after(scene, &solution->states, count - 1);
    size_t used =
        (size_t)snprintf(words.text, sizeof words.text, "contact%s", count > 1 ? "s" : "");
    for (int i = 0; i < scene->contact_count && used < sizeof words.text; i++) {
        if (active[i]) {
            const char *joint = told == 0 ? " " : told + 1 < count ? ", " : " and ";
            used += (size_t)snprintf(words.text + used, sizeof words.text - used, "%s%d", joint, i);
            told++;
        }
    }
    if (used < sizeof words.text) {
        snprintf(words.text + used, sizeof words.text - used, " act%s from the start",
                 count > 1 ? "" : "s");
    }
    return words;
}

Words report_start_words(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    if (scene->contact_count > 1) {
        return acting_start_words(scene, solution);
    }
    const CaromEvent *first = result->events;
    bool told = result->event_count > 0 && first->normal_impulse == 0 &&
                (first->kind == CAROM_STICK || first->kind == CAROM_SLIP);
    const double *gamma = scene->velocity;
    double speed = scene->planar ? fabs(gamma[0]) : hypot(gamma[0], gamma[1]);
    Words words = {""};
    if (!told && speed > 0) {
        snprintf(words.text, sizeof words.text, "%s", slip_start_words(scene, result, speed));
    }
    return words;
}

void report_course(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    fprintf(file, "\nWhat happens (p: normal impulse so far)\n");
    Words start = report_start_words(scene, solution);
    if (start.text[0]) {
        fprintf(file, "  p = %-12g %s\n", 0.0, start.text);
    }
    int count = result->event_count, skipped = count > EVENTS_SHOWN ? count - EVENTS_SHOWN : 0;
    for (int i = report_first_event(scene, solution); i < count; i++) {
        if (skipped > 0 && i == EVENTS_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        const CaromEvent *event = &result->events[i];
        fprintf(file, "  p = %-12.6g %s\n", event->normal_impulse,
                report_event_words(scene, event).text);
    }
    if (result->sequence[0]) {
        fprintf(file, "  sequence: %s\n", result->sequence);
    }
}
