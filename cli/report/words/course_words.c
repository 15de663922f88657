/* Phrases and numbers of reports about the course of the impact. */
#include "report/words/course_words.h"

#include <math.h>

/* Does slip at one contact keep to a line? It does in a plane, and where nothing turns it aside:
 * with u the direction of slip before the impact and w across it, w.B u = 0 and w.d = 0. */
static bool slips_on_a_line(const Scene *scene) {
    const double *W = scene->inverse_inertia, *v = scene->velocity;
    if (scene->planar || scene->contact_count > 1) {
        return scene->planar;
    }
    double speed = hypot(v[0], v[1]), u[2] = {v[0] / speed, v[1] / speed}, w[2] = {-u[1], u[0]};
    double turn = w[0] * (W[0] * u[0] + W[1] * u[1]) + w[1] * (W[3] * u[0] + W[4] * u[1]);
    double aside = w[0] * W[2] + w[1] * W[5], size = fabs(W[0]) + fabs(W[4]) + fabs(W[8]);
    return speed > 0 && fabs(turn) <= 1e-12 * size && fabs(aside) <= 1e-12 * size;
}

/* The kind of an event. */
static const char *kind_words(const Scene *scene, const CaromEvent *event) {
    bool at_start = event->normal_impulse == 0;
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT;
    switch (event->kind) {
    case CAROM_EVENT_COMPRESSION_END:
        return "compression ends";
    case CAROM_EVENT_COMPRESSION_RESTART:
        return "compression starts again";
    case CAROM_EVENT_RESTITUTION_END:
        return "the bodies separate";
    case CAROM_EVENT_ACTIVATION:
        return at_start ? "starts to act" : "touches again";
    case CAROM_EVENT_LATCH:
        return "stays in touch";
    case CAROM_EVENT_RELEASE:
        return "lets go";
    case CAROM_EVENT_STICK:
        return at_start ? "sticks from the start" : "slip stops: the contact sticks";
    case CAROM_EVENT_SLIP:
        return at_start                 ? "starts to slip"
               : compliant              ? "stick ends: the contact slips"
               : slips_on_a_line(scene) ? "slip stops and reverses"
                                        : "slip stops and resumes in a new direction";
    }
    return carom_event_string(event->kind);
}

Words report_event_words(const Scene *scene, const CaromEvent *event) {
    const char *kind = kind_words(scene, event);
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT &&
                     (scene->contact_count == 1 || scene->contacts[event->contact].mu > 0);
    if (event->kind != CAROM_EVENT_COMPRESSION_END) {
        return words_of("%s", kind);
    }
    Words unit = units_name(&scene->units, UNIT_ENERGY);
    const char *space = unit.text[0] ? " " : "";
    return compliant
               ? words_of("%s, energy %.6g%s%s stored and %.6g%s%s along the surface", kind,
                          event->stored, space, unit.text, event->tangential, space, unit.text)
               : words_of("%s, energy %.6g%s%s stored", kind, event->stored, space, unit.text);
}

double report_clock(const Scene *scene, const Solution *solution, int event) {
    const double *impulse = solution->snapshots.impulse;
    size_t size = (size_t)(scene_rows(scene) * scene->contact_count);
    return impulse ? scene_clock(scene, &impulse[(size_t)event * size])
                   : solution->result.events[event].normal_impulse; /* of its own contact */
}

/* The activations at the start come first in the list. */
int report_first_event(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int count = 0;
    while (count < result->event_count && result->events[count].kind == CAROM_EVENT_ACTIVATION &&
           report_clock(scene, solution, count) == 0) {
        count++;
    }
    return count;
}

/* Does one compliant contact start in slip? There is no event for it: the first change of mode
 * decides, or else the condition for slip at the start. */
static bool starts_in_slip(const Scene *scene, const CaromResult *result, double speed) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].kind == CAROM_EVENT_STICK ||
            result->events[i].kind == CAROM_EVENT_SLIP) {
            return result->events[i].kind == CAROM_EVENT_STICK;
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
    if (scene->model == CAROM_MODEL_COMPLIANT && !starts_in_slip(scene, result, speed)) {
        return "sticks from the start, and gives along the surface";
    }
    return straight ? "slips from the start, straight on" : "slips from the start";
}

/* "contact 0 acts", "contacts 0, 1 and 4 act" from the start. */
static Words acting_start_words(const Scene *scene, const Solution *solution) {
    int count = report_first_event(scene, solution), listed = 0;
    if (count == 0 || !solution->states.active) {
        return (Words){""};
    }
    const unsigned char *active = states_after(scene, &solution->states, count - 1);
    Words words = words_of("contact%s", count > 1 ? "s" : "");
    for (int i = 0; i < scene->contact_count; i++) {
        if (active[i]) {
            words_add(&words, "%s%d", listed == 0 ? " " : listed + 1 < count ? ", " : " and ", i);
            listed++;
        }
    }
    words_add(&words, " act%s from the start", count > 1 ? "" : "s");
    return words;
}

Words report_start_words(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    if (scene->contact_count > 1) {
        return acting_start_words(scene, solution);
    }
    const CaromEvent *first = result->events;
    bool listed = result->event_count > 0 && first->normal_impulse == 0 &&
                  (first->kind == CAROM_EVENT_STICK || first->kind == CAROM_EVENT_SLIP);
    const double *gamma = scene->velocity;
    double speed = scene->planar ? fabs(gamma[0]) : hypot(gamma[0], gamma[1]);
    return words_of("%s", !listed && speed > 0 ? slip_start_words(scene, result, speed) : "");
}

Words report_slip_words(const Scene *scene, const Solution *solution) {
    const SlipGeometry *slip = &solution->slip;
    double mu = scene->contacts[0].mu_static;
    if (!slip->known || !isfinite(slip->stick_ratio)) {
        return (Words){""};
    }
    bool sticks = slip->stick_ratio <= mu;
    return words_of("%s once slip has stopped: %s = %.6g %s %g", sticks ? "sticks" : "slips again",
                    scene->planar ? "|W_tn/W_tt|" : "|B^-1 d|", slip->stick_ratio,
                    sticks ? "<=" : ">", mu);
}

static bool has_event(const CaromResult *result, int contact, CaromEventKind kind) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact && result->events[i].kind == kind) {
            return true;
        }
    }
    return false;
}

ReportSummary report_summary(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    ReportSummary summary = {.started = report_first_event(scene, solution)};
    for (int i = 0; i < scene->contact_count; i++) {
        summary.acted += has_event(result, i, CAROM_EVENT_ACTIVATION);
        summary.latched += has_event(result, i, CAROM_EVENT_LATCH);
    }
    for (int i = 0; i < solution->states.count; i++) {
        int count = states_active_count(scene, states_active(scene, &solution->states, i));
        summary.most = count > summary.most ? count : summary.most;
    }
    return summary;
}

Words report_acting_words(const Scene *scene, const ReportSummary *summary) {
    int count = scene->contact_count, later = summary->acted - summary->started;
    Words words = words_of("%d of %d contacts act from the start", summary->started, count);
    if (later > 0) {
        words_add(&words, ", %d more later on", later);
    }
    if (summary->acted < count) {
        words_add(&words, ", %d never", count - summary->acted);
    }
    return words;
}

Words report_count_words(const Solution *solution, const ReportSummary *summary) {
    Words words = words_of("%d events", solution->result.event_count);
    if (solution->states.count > 0) {
        words_add(&words, ", %d states, up to %d contacts acting at once", solution->states.count,
                  summary->most);
    }
    return words;
}

Words report_latch_words(const Scene *scene, const ReportSummary *summary) {
    return summary->latched == 0
               ? (Words){""}
               : words_of("%d of %d contacts latched: held in touch, without bouncing, for a time",
                          summary->latched, scene->contact_count);
}

/* Rounding error of a velocity that has just become 0. */
static double speed_noise(const Scene *scene) {
    double largest = 0;
    for (int i = 0; i < scene_rows(scene) * scene->contact_count; i++) {
        largest = fmax(largest, fabs(scene->velocity[i]));
    }
    return 1e-13 * largest;
}

const char *report_state_words(const Scene *scene, const Solution *solution, int state) {
    const unsigned char *active = states_active(scene, &solution->states, state);
    return active[0] ? (active[1] ? "S1 both" : "S3 only 0")
                     : (active[1] ? "S2 only 1" : "S4 none");
}

void report_state_numbers(const Scene *scene, const Solution *solution, int state,
                          double numbers[6]) {
    const CaromSnapshots *snapshots = &solution->snapshots;
    size_t row = (size_t)solution->states.events[state];
    int rows = scene_rows(scene), normal = rows - 1;
    const double *I = &snapshots->impulse[row * (size_t)(2 * rows)];
    const double *v = &snapshots->velocity[row * (size_t)(2 * rows)];
    const double *E = &snapshots->stored[row * 2];
    for (int i = 0; i < 2; i++) {
        double speed = v[rows * i + normal];
        numbers[i] = I[rows * i + normal];
        numbers[2 + i] = fabs(speed) <= speed_noise(scene) ? 0 : speed;
        numbers[4 + i] = E[i];
    }
}
