/* One rigid contact by its velocity, in closed form (docs/derivatives.md).
 *
 * With X = [gamma', gamma - p gamma'] the change of gamma at fixed p is X(p) c, c = X(0)^-1
 * dgamma-, and that of int gamma dp is [gamma - gamma-, 2 int gamma dp - p gamma] c: only the
 * states at the events are needed. In the caller's units, with K = B^-1 d, k = w - K.d, C = v_n- -
 * K.gamma-:
 *
 *   v_n = C + k p + K.gamma,   E = -(C p + k p^2/2 + K.int gamma dp) */
#include <carom/derivative.h>

#include <math.h>
#include <string.h>

#include "derivative/one.h"
#include "derivative/rigid_choice.h"
#include "math/vec2.h"
#include "rigid/rigid.h"

/* Below this part of the scale of gamma' slip turns so little that X is nearly singular. */
static const double STEADY = 1e-6;

/* Below this e, or above this speed of slip over that of approach, digits would be lost; or where
 * friction changes slip by more than this. */
static const double LEAST_E = 1e-3, LARGEST_SPEED = 1e3;

/* Slip below this part of its scale has lost the digits of its direction. */
static const double SLOWEST = 1e-4;

/* Largest accepted error of the identity of homogeneity; beyond, the general way has more digits.
 */
static const double HOMOGENEOUS = 1e-12;

typedef struct Closed {
    const double *W, *v;
    const CaromContact *contact;
    CaromLaw law;
    double B[3], d[2], K[2], k, C;
    double X[2][2]; /* rows of X(0)^-1 */
} Closed;

/* Returns 0 if the general way is needed. */
static int closed_begin(Closed *closed) {
    const double *W = closed->W, *v = closed->v, mu = closed->contact->mu;
    double *B = closed->B, *d = closed->d, r = norm2(v);
    B[0] = W[0];
    B[1] = W[1];
    B[2] = W[4];
    d[0] = W[2];
    d[1] = W[5];
    double det = B[0] * B[2] - B[1] * B[1], over = 1 / det, inverse = 1 / r;
    double s[2] = {v[0] * inverse, v[1] * inverse};
    closed->K[0] = (B[2] * d[0] - B[1] * d[1]) * over;
    closed->K[1] = (B[0] * d[1] - B[1] * d[0]) * over;
    closed->k = W[8] - dot2(closed->K, d);
    closed->C = v[2] - dot2(closed->K, v);
    double rate[2] = {d[0] - mu * (B[0] * s[0] + B[1] * s[1]),
                      d[1] - mu * (B[1] * s[0] + B[2] * s[1])};
    double g = cross2(s, rate), by = -1 / g, scale = fabs(d[0]) + fabs(d[1]) + mu * (B[0] + B[2]);
    closed->X[0][0] = s[1] * by;
    closed->X[0][1] = -s[0] * by;
    closed->X[1][0] = -by * rate[1] * inverse;
    closed->X[1][1] = by * rate[0] * inverse;
    return det > 1e-12 * B[0] * B[2] && fabs(g) > STEADY * scale && r < -LARGEST_SPEED * v[2] &&
           LARGEST_SPEED * r * W[8] > -v[2] * scale && closed->contact->e > LEAST_E;
}

/* The state at an event. */
typedef struct ClosedEvent {
    double p, gamma[2], rate[2], vn, rise;
    double by[2][3];  /* of gamma at fixed p, by v */
    double normal[3]; /* of v_n */
    double energy[3]; /* of E without its losses */
} ClosedEvent;

/* E is the energy of the path without losses. After a stop that sticks, gamma = 0 for good. Returns
 * 0 if slip is too slow. */
static int closed_event(const Closed *closed, const CaromEvent *event, double E, int stuck,
                        const double work[2], ClosedEvent *out) {
    const double *B = closed->B, *d = closed->d, *K = closed->K, *v = closed->v;
    double p = event->normal_impulse, r = norm2(event->velocity), mu = closed->contact->mu;
    out->p = p;
    out->vn = event->velocity[2];
    out->gamma[0] = event->velocity[0];
    out->gamma[1] = event->velocity[1];
    out->rate[0] = out->rate[1] = 0;
    double area[2] = {work[0], work[1]}; /* of K.int gamma dp by gamma- */
    memset(out->by, 0, sizeof out->by);
    if (!stuck) {
        double s[2] = {out->gamma[0] / r, out->gamma[1] / r};
        out->rate[0] = d[0] - mu * (B[0] * s[0] + B[1] * s[1]);
        out->rate[1] = d[1] - mu * (B[1] * s[0] + B[2] * s[1]);
        double sum = -(E + p * (closed->C + closed->k * p / 2)); /* K.int gamma dp */
        double xi[2] = {dot2(K, out->gamma) - dot2(K, v), 2 * sum - p * dot2(K, out->gamma)};
        for (int j = 0; j < 2; j++) {
            double scaling = closed->X[1][j], shift = closed->X[0][j] - p * scaling;
            out->by[0][j] = out->rate[0] * shift + out->gamma[0] * scaling;
            out->by[1][j] = out->rate[1] * shift + out->gamma[1] * scaling;
            area[j] = xi[0] * closed->X[0][j] + xi[1] * scaling;
        }
    }
    out->rise = closed->k + dot2(K, out->rate);
    for (int j = 0; j < 2; j++) {
        out->normal[j] = K[0] * out->by[0][j] + K[1] * out->by[1][j] - K[j];
        out->energy[j] = p * K[j] - area[j];
    }
    out->normal[2] = 1;
    out->energy[2] = -p;
    return stuck || r > SLOWEST * (norm2(v) + p * norm2(d));
}

/* K.int delta gamma dp up to a stop, where gamma = 0. */
static void closed_stop(const Closed *closed, const CaromEvent *event, double E, double work[2]) {
    double p = event->normal_impulse, sum = -(E + p * (closed->C + closed->k * p / 2));
    for (int j = 0; j < 2; j++) {
        work[j] = -dot2(closed->K, closed->v) * closed->X[0][j] + 2 * sum * closed->X[1][j];
    }
}

static void closed_outcome(const Closed *closed, const ClosedEvent *last, const double end[3],
                           double impulse[9], double velocity[9]) {
    const double *B = closed->B, *d = closed->d;
    double det = B[0] * B[2] - B[1] * B[1], over = 1 / det;
    for (int j = 0; j < 3; j++) {
        double x = last->by[0][j] + last->rate[0] * end[j];
        double y = last->by[1][j] + last->rate[1] * end[j];
        double a = x - (j == 0) - d[0] * end[j], b = y - (j == 1) - d[1] * end[j];
        velocity[j] = x;
        velocity[3 + j] = y;
        velocity[6 + j] = last->normal[j] + last->rise * end[j];
        impulse[j] = (B[2] * a - B[1] * b) * over;
        impulse[3 + j] = (B[0] * b - B[1] * a) * over;
        impulse[6 + j] = end[j];
    }
}

/* dI/dv.v = I: does it hold? */
static int closed_is_homogeneous(const Closed *closed, const CaromEvent *last, const double *by_v) {
    const double *v = closed->v, *I = last->impulse;
    double off = 0, all = fabs(I[0]) + fabs(I[1]) + I[2];
    for (int i = 0; i < 9; i += 3) {
        double a = by_v[i] * v[0], b = by_v[i + 1] * v[1], c = by_v[i + 2] * v[2];
        off += fabs(a + b + c - I[i / 3]);
        all += fabs(a) + fabs(b) + fabs(c);
    }
    return off <= HOMOGENEOUS * all;
}

/* The derivatives from the events. Returns 0 if the general way is needed. */
static int closed_form(const Closed *closed, const CaromEvent *events, int count, double impulse[9],
                       double velocity[9]) {
    double e = closed->contact->e, lost = 0, dlost[3] = {0}, end[3], compression[3] = {0};
    double work[2] = {0, 0};
    int stuck = 0;
    ClosedEvent at;
    for (int i = 0; i < count; i++) {
        const CaromEvent *event = &events[i];
        double E = event->stored + lost;
        if (event->kind == CAROM_EVENT_SLIP || event->kind == CAROM_EVENT_COMPRESSION_RESTART) {
            return 0;
        }
        if (event->kind == CAROM_EVENT_STICK) {
            closed_stop(closed, event, E, work);
            stuck = 1;
            continue;
        }
        if (!closed_event(closed, event, E, stuck, work, &at)) {
            return 0;
        }
        if (event->kind == CAROM_EVENT_COMPRESSION_END) {
            lost = (1 - e) * (1 + e) * event->stored;
            for (int j = 0; j < 3; j++) {
                compression[j] = -at.normal[j] / at.rise;
                dlost[j] = (1 - e) * (1 + e) * at.energy[j];
            }
        }
    }
    for (int j = 0; j < 3; j++) {
        end[j] = closed->law == CAROM_LAW_POISSON  ? (1 + e) * compression[j]
                 : closed->law == CAROM_LAW_NEWTON ? -(at.normal[j] + (j == 2 ? e : 0)) / at.rise
                                                   : (at.energy[j] - dlost[j]) / at.vn;
    }
    closed_outcome(closed, &at, end, impulse, velocity);
    return closed_is_homogeneous(closed, &events[count - 1], impulse);
}

/* Solve with room for all events, whatever room the caller has. */
static CaromStatus solve_with_events(const Closed *closed, CaromResult *result,
                                     CaromEvent events[CAROM_RIGID_EVENTS]) {
    CaromEvent *theirs = result->events;
    int capacity = result->event_capacity;
    result->events = events;
    result->event_capacity = CAROM_RIGID_EVENTS;
    CaromStatus status =
        crm_rigid_solve(closed->W, closed->v, closed->contact, closed->law, NULL, result);
    result->events = theirs;
    result->event_capacity = capacity;
    for (int i = 0; theirs && i < capacity && i < result->event_count; i++) {
        theirs[i] = events[i];
    }
    return status;
}

/* By v, from the derivatives by all inputs. */
static CaromStatus general_way(const Closed *closed, CaromResult *result, double impulse[9],
                               double velocity[9], CaromSmoothness *smoothness) {
    OneSlope slope;
    slope.weights = NULL;
    slope.wants_kinks = slope.wants_near = 0;
    CaromStatus status =
        crm_rigid_slope(closed->W, closed->v, closed->contact, closed->law, result, &slope);
    for (int i = 0; i < 9; i++) {
        impulse[i] = status < 0 ? NAN : slope.outcome[i / 3][ONE_V + i % 3];
        velocity[i] = status < 0 ? NAN : slope.outcome[3 + i / 3][ONE_V + i % 3];
    }
    *smoothness = status < 0 ? CAROM_NOT_SMOOTH : slope.smoothness;
    return status;
}

CaromStatus carom_rigid_velocity_derivative(const double W[9], const double v[3],
                                            const CaromContact *contact, CaromLaw law,
                                            CaromResult *result, double impulse_by_v[9],
                                            double velocity_by_v[9], CaromSmoothness *smoothness) {
    CaromSmoothness own;
    smoothness = smoothness ? smoothness : &own;
    if (!W || !v || !contact || !result || !impulse_by_v || !velocity_by_v) {
        return CAROM_INVALID_INPUT;
    }
    Closed closed = {.W = W, .v = v, .contact = contact, .law = law};
    if (closed_begin(&closed)) {
        CaromEvent events[CAROM_RIGID_EVENTS];
        CaromStatus status = solve_with_events(&closed, result, events);
        *smoothness = contact->mu == 0 ? CAROM_ONE_SIDED : CAROM_SMOOTH;
        if (status >= 0 &&
            closed_form(&closed, events, result->event_count, impulse_by_v, velocity_by_v)) {
            return status;
        }
    }
    return general_way(&closed, result, impulse_by_v, velocity_by_v, smoothness);
}
