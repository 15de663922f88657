/* A ball falls on a ball that rests on a table. */
#include "figures/jia_mason_erdmann_2013/two_balls.h"

#include <string.h>

enum { ROWS = 6 };

const JmeFall jme_lossy = {.m2 = JME_HEAVY, .e = {0.9, 0.7}, .ratio = 1};

const JmeLetter jme_letters[JME_LETTERS] = {
    {"A", CAROM_EVENT_COMPRESSION_END, 0}, {"B", CAROM_EVENT_RESTITUTION_END, 0},
    {"C", CAROM_EVENT_COMPRESSION_END, 1}, {"D", CAROM_EVENT_ACTIVATION, 0},
    {"E", CAROM_EVENT_RESTITUTION_END, 1}, {"F", CAROM_EVENT_COMPRESSION_END, 0},
    {"G", CAROM_EVENT_RESTITUTION_END, 0}};

/* Arrays for the library. */
typedef struct Arrays {
    double impulse[ROWS * JME_SAMPLES], stored[2 * JME_SAMPLES];
    CaromMode mode[2 * JME_SAMPLES];
    double event_impulse[ROWS * JME_EVENTS], event_stored[2 * JME_EVENTS];
    unsigned char active[2 * JME_EVENTS];
} Arrays;

static int state_of(bool balls, bool table) {
    return balls ? (table ? 1 : 3) : (table ? 2 : 4);
}

static JmeMoment moment_of(const JmeFall *fall, const double I[ROWS], const double E[2],
                           int state) {
    double I1 = I[2], I2 = I[5];
    return (JmeMoment){{I1, I2}, {-1 + I1, (I2 - I1) / fall->m2}, {E[0], E[1]}, state};
}

/* W of solid balls. Only the normal rows are coupled; there is no friction. */
static bool pose(FigureSheet *sheet, const JmeFall *fall, double W[ROWS * ROWS], double v[ROWS]) {
    const double mass[2] = {1, fall->m2};
    const CaromSite sites[2] = {{.first = 0, .second = 1, .point = {0, 0, 2}, .normal = {0, 0, 1}},
                                {.first = 1, .second = 2, .point = {0, 0, 0}, .normal = {0, 0, 1}}};
    CaromBody bodies[3] = {carom_body_default(), carom_body_default(), carom_body_fixed()};
    for (int i = 0; i < 2; i++) {
        bodies[i].mass = mass[i];
        bodies[i].position[2] = 3 - 2 * i;
        for (int k = 0; k < 9; k += 4) {
            bodies[i].inertia[k] = 0.4 * mass[i];
        }
    }
    bodies[0].velocity[2] = -1;
    const char *message = "";
    if (carom_bodies_contact_space(bodies, 3, sites, 2, W, v, &message) < 0) {
        return figure_fail(sheet, "the balls: %s", message);
    }
    return true;
}

bool jme_normals(FigureSheet *sheet, const JmeFall *fall, double W[4], double v[2]) {
    double all[ROWS * ROWS], velocity[ROWS];
    if (!pose(sheet, fall, all, velocity)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        v[i] = velocity[3 * i + 2];
        for (int k = 0; k < 2; k++) {
            W[2 * i + k] = all[(3 * i + 2) * ROWS + 3 * k + 2];
        }
    }
    return true;
}

/* A state begins when the set of acting contacts changes; simultaneous events are one change. */
static void find_states(JmeCourse *course) {
    int last = 0;
    course->state_count = 0;
    for (int i = 0; i < course->event_count; i++) {
        const JmeMoment *now = &course->at[i];
        bool more =
            i + 1 < course->event_count && memcmp(now->I, course->at[i + 1].I, sizeof now->I) == 0;
        if (!more && now->state != last) {
            course->states[course->state_count++] = i;
            last = now->state;
        }
    }
}

static void keep_samples(JmeCourse *course, const Arrays *arrays) {
    for (int i = 0; i < JME_SAMPLES; i++) {
        const CaromMode *mode = &arrays->mode[2 * i];
        int state = state_of(mode[0] != CAROM_MODE_OPEN, mode[1] != CAROM_MODE_OPEN);
        course->samples[i] =
            moment_of(&course->fall, &arrays->impulse[ROWS * i], &arrays->stored[2 * i], state);
    }
}

static void keep_events(JmeCourse *course, const Arrays *arrays) {
    const JmeFall *fall = &course->fall;
    for (int i = 0; i < course->event_count; i++) {
        const unsigned char *active = &arrays->active[2 * i];
        course->at[i] = moment_of(fall, &arrays->event_impulse[ROWS * i],
                                  &arrays->event_stored[2 * i], state_of(active[0], active[1]));
    }
    find_states(course);
}

/* By the scheme with these options, without samples; NULL: exactly. */
static bool solve(FigureSheet *sheet, const JmeFall *fall, const CaromOptions *scheme,
                  JmeCourse *course) {
    Arrays arrays;
    double W[ROWS * ROWS], v[ROWS], I[ROWS];
    CaromContact contacts[2] = {carom_contact_default(), carom_contact_default()};
    for (int i = 0; i < 2; i++) {
        contacts[i].e = fall->e[i];
    }
    contacts[1].stiffness = fall->ratio;
    if (!pose(sheet, fall, W, v)) {
        return false;
    }
    const CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                                  .contact_count = 2,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contacts};
    const CaromSnapshots snapshots = {
        .impulse = arrays.event_impulse, .stored = arrays.event_stored, .active = arrays.active};
    CaromResult result = {.impulse = I,
                          .events = course->events,
                          .event_capacity = JME_EVENTS,
                          .snapshots = &snapshots};
    CaromTrace trace = {.capacity = JME_SAMPLES,
                        .impulse = arrays.impulse,
                        .stored = arrays.stored,
                        .mode = arrays.mode};
    if ((scheme ? carom_solve(&problem, scheme, &result)
                : carom_trace(&problem, NULL, &trace, &result)) < 0) {
        return figure_fail(sheet, "the balls: %s", result.message);
    }
    if (result.event_count > JME_EVENTS) {
        return figure_fail(sheet, "the balls: more than %d events", JME_EVENTS);
    }
    course->fall = *fall;
    course->event_count = result.event_count;
    if (!scheme) {
        keep_samples(course, &arrays);
    }
    keep_events(course, &arrays);
    return true;
}

bool jme_fall(FigureSheet *sheet, const JmeFall *fall, JmeCourse *course) {
    return solve(sheet, fall, NULL, course);
}

const CaromOptions jme_scheme = {
    .method = CAROM_METHOD_EULER,
    .scheme = {.absolute = 1, .step = 1e-5, .stop_energy = 1e-4, .as_printed = 1}};

bool jme_fall_by_scheme(FigureSheet *sheet, const JmeFall *fall, JmeCourse *course) {
    return solve(sheet, fall, &jme_scheme, course);
}

Words jme_states(const JmeCourse *course) {
    Words words = {""};
    for (int i = 0; i < course->state_count; i++) {
        words_add(&words, "%sS%d", i ? " " : "", course->at[course->states[i]].state);
    }
    return words;
}

double jme_energy(const JmeCourse *course, const JmeMoment *moment) {
    const double *v = moment->v;
    return (v[0] * v[0] + course->fall.m2 * v[1] * v[1]) / 2 + moment->E[0] + moment->E[1];
}

bool jme_find_letters(FigureSheet *sheet, const JmeCourse *course, const JmeLetter letters[],
                      int count, int found[]) {
    int k = 0;
    for (int i = 0; i < course->event_count && k < count; i++) {
        const CaromEvent *event = &course->events[i];
        bool start = event->kind == CAROM_EVENT_ACTIVATION && course->at[i].I[0] == 0;
        if (!start && event->kind == letters[k].kind && event->contact == letters[k].contact) {
            found[k++] = i;
        }
    }
    return k == count || figure_fail(sheet, "the balls: there is no %s", letters[k].letter);
}
