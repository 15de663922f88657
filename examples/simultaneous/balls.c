#include "balls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int balls_add(Balls *balls, double mass, double radius, double x, double y, double z) {
    int i = balls->count++;
    CaromBody *body = &balls->body[i];
    *body = carom_body_default();
    body->mass = mass;
    for (int k = 0; k < 9; k += 4) {
        body->inertia[k] = 0.4 * mass * radius * radius;
    }
    body->position[0] = x;
    body->position[1] = y;
    body->position[2] = z;
    balls->radius[i] = radius;
    return i;
}

/* Add a contact on the surface of the first ball, opposite to its normal. */
static int add_touch(Balls *balls, CaromSite site, double e, double stiffness) {
    int i = balls->touches++;
    const double *centre = balls->body[site.first].position;
    for (int k = 0; k < 3; k++) {
        site.point[k] = centre[k] - balls->radius[site.first] * site.normal[k];
    }
    balls->site[i] = site;
    balls->contact[i] = carom_contact_default();
    balls->contact[i].e = e;
    balls->contact[i].stiffness = stiffness > 0 ? stiffness : CAROM_STIFFNESS_ZERO;
    return i;
}

int balls_touch(Balls *balls, int first, int second, double e, double stiffness) {
    CaromSite site = {.first = first, .second = second};
    double whole = balls->radius[first] + balls->radius[second];
    for (int k = 0; k < 3; k++) {
        site.normal[k] = (balls->body[first].position[k] - balls->body[second].position[k]) / whole;
    }
    return add_touch(balls, site, e, stiffness);
}

int balls_touch_wall(Balls *balls, int ball, double x, double y, double z, double e,
                     double stiffness) {
    int wall = balls->count++;
    balls->body[wall] = carom_body_fixed();
    balls->radius[wall] = 0;
    CaromSite site = {.first = ball, .second = wall, .normal = {-x, -y, -z}};
    return add_touch(balls, site, e, stiffness);
}

bool balls_collide(Balls *balls, CaromResult *result) {
    double W[9 * MOST_TOUCHES * MOST_TOUCHES], v[3 * MOST_TOUCHES], I[3 * MOST_TOUCHES];
    CaromResult own = {0}, *out = result ? result : &own;
    if (!out->impulse) {
        out->impulse = I;
    }
    const char *message = "";
    carom_bodies_contact_space(balls->body, balls->count, balls->site, balls->touches, W, v,
                               &message);
    CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                            .contact_count = balls->touches,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = balls->contact};
    if (carom_solve(&problem, NULL, out) < 0) {
        printf("not solved: %s\n", *message ? message : out->message);
        return false;
    }
    carom_bodies_apply(balls->body, balls->site, balls->touches, out->impulse);
    if (out->impulse == I) {
        out->impulse = NULL;
    }
    return true;
}

double balls_energy(const Balls *balls) {
    double energy = 0;
    for (int i = 0; i < balls->count; i++) {
        energy += carom_body_energy(&balls->body[i]);
    }
    return energy;
}

void course_begin(Course *course) {
    course->snapshots = (CaromSnapshots){.impulse = course->impulse, .stored = course->stored};
    course->result = (CaromResult){.impulse = course->I,
                                   .events = course->events,
                                   .event_capacity = MOST_EVENTS,
                                   .snapshots = &course->snapshots};
}

static void follow(States *states, const CaromEvent *event) {
    bool *active = &states->active[event->contact];
    if (event->kind == CAROM_EVENT_ACTIVATION || event->kind == CAROM_EVENT_LATCH) {
        *active = true;
    } else if (event->kind == CAROM_EVENT_RESTITUTION_END || event->kind == CAROM_EVENT_RELEASE) {
        *active = false;
    }
}

bool states_next(States *states, const Course *course) {
    int count = course->result.event_count < MOST_EVENTS ? course->result.event_count : MOST_EVENTS;
    while (states->next < count) {
        int k = states->next++;
        const double *now = &course->impulse[6 * k];
        follow(states, &course->events[k]);
        int state = states->active[0] ? (states->active[1] ? 1 : 3) : (states->active[1] ? 2 : 4);
        /* simultaneous events are one change of state */
        bool last = k + 1 == count || memcmp(now, now + 6, 6 * sizeof *now) != 0;
        if (last && state != states->state) {
            states->state = state;
            states->event = k;
            return true;
        }
    }
    return false;
}

void course_states(const Course *course, char *text, int size) {
    States states = {0};
    int used = 0;
    text[0] = '\0';
    while (used < size - 4 && states_next(&states, course)) {
        used +=
            snprintf(text + used, (size_t)(size - used), "%sS%d", used ? " " : "", states.state);
    }
}
