/* What happens at one contact, for people to read. */
#include <math.h>

#include "report_parts.h"

/* A contact that chatters has its first and last events told. */
enum { EVENTS_SHOWN = 30 };

const char *report_event_words(const Scene *scene, const CaromEvent *event) {
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
        return "touches again";
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

static void print_step(FILE *file, const Scene *scene, const CaromEvent *event) {
    fprintf(file, "  p = %-12.6g", event->normal_impulse);
    fprintf(file, " %s", report_event_words(scene, event));
    if (event->kind == CAROM_COMPRESSION_END) {
        fprintf(file, ", energy %.6g stored", event->stored);
        if (scene->model == CAROM_COMPLIANT) {
            fprintf(file, " and %.6g along the surface", event->tangential);
        }
    }
    fputc('\n', file);
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

static const char *start_words(const Scene *scene, const CaromResult *result, double speed) {
    bool straight = result->sequence[0] == 'l' && !scene->planar;
    if (scene->contacts[0].mu == 0) {
        return "slips from the start, without friction";
    }
    if (scene->model == CAROM_COMPLIANT && !starts_in_slip(scene, result, speed)) {
        return "sticks from the start, and gives along the surface";
    }
    return straight ? "slips from the start, straight on" : "slips from the start";
}

void report_course(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    fprintf(file, "\nWhat happens (p: normal impulse so far)\n");
    const CaromEvent *first = result->events;
    bool told = result->event_count > 0 && first->normal_impulse == 0 &&
                (first->kind == CAROM_STICK || first->kind == CAROM_SLIP);
    const double *gamma = scene->velocity;
    double speed = scene->planar ? fabs(gamma[0]) : hypot(gamma[0], gamma[1]);
    if (!told && speed > 0) {
        fprintf(file, "  p = %-12g %s\n", 0.0, start_words(scene, result, speed));
    }
    int count = result->event_count, skipped = count > EVENTS_SHOWN ? count - EVENTS_SHOWN : 0;
    for (int i = 0; i < count; i++) {
        if (skipped > 0 && i == EVENTS_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        if (i > 0 || first->kind != CAROM_ACTIVATION) { /* one contact acts from the start anyway */
            print_step(file, scene, &result->events[i]);
        }
    }
    if (result->sequence[0]) {
        fprintf(file, "  sequence: %s\n", result->sequence);
    }
}
