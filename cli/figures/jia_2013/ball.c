/* The ball of [J], section 8.1. */
#include "figures/jia_2013/ball.h"

#include <math.h>

const JBall j_thrown = {{-1, 0, -5}, {0, 2, 0}};
const JSurface j_rubber = {0.4, 0.5, 1.1019463300386794}; /* sqrt(17/14) */

static const double W[9] = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1};

/* The impact in contact space: *contact and v are filled, the problem refers to them. */
static CaromProblem pose(const JBall *ball, const JSurface *surface, CaromContact *contact,
                         double v[3]) {
    *contact = carom_contact_default();
    contact->mu = surface->mu;
    contact->e = surface->e;
    contact->stiffness_ratio = surface->eta * surface->eta;
    v[0] = ball->V[0] - ball->omega[1];
    v[1] = ball->V[1] + ball->omega[0];
    v[2] = ball->V[2];
    return (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                          .contact_count = 1,
                          .inverse_inertia = W,
                          .velocity = v,
                          .contacts = contact};
}

static void begin(JImpact *impact) {
    *impact = (JImpact){.result = {.event_capacity = CAROM_SEQUENCE_SIZE}};
    impact->result.impulse = impact->I;
    impact->result.velocity = impact->v;
    impact->result.events = impact->events;
}

/* It starts with slip if |v_t| > mu eta^2 |v_n|. */
static bool slides_all_the_way(const JImpact *impact, const JSurface *surface, const double v[3]) {
    bool slips = hypot(v[0], v[1]) > surface->mu * surface->eta * surface->eta * -v[2];
    for (int i = 0; i < impact->result.event_count && i < CAROM_SEQUENCE_SIZE; i++) {
        slips = slips && impact->events[i].kind != CAROM_EVENT_STICK;
    }
    return slips;
}

bool j_bounce(FigureSheet *sheet, const JBall *before, const JSurface *surface, JRule rule,
              JBall *after, JImpact *impact) {
    CaromContact contact;
    double v[3];
    const CaromProblem problem = pose(before, surface, &contact, v);
    CaromOptions options = carom_options_default();
    if (rule != J_COULOMB) {
        options.method = CAROM_METHOD_EULER;
        options.scheme.absolute = 1;
        options.scheme.step = 5e-5;
        options.scheme.as_printed = 1;
        options.scheme.stop_energy = rule == J_PRINTED_STOP ? 1e-4 : 0;
    }
    JImpact own, *out = impact ? impact : &own;
    begin(out);
    if (carom_solve(&problem, &options, &out->result) < 0) {
        return figure_fail(sheet, "the ball: %s", out->result.message);
    }
    out->slides = slides_all_the_way(out, surface, v);
    JBall ball = *before;
    for (int k = 0; k < 3; k++) {
        ball.V[k] += out->I[k];
    }
    ball.omega[0] += 2.5 * out->I[1];
    ball.omega[1] -= 2.5 * out->I[0];
    *after = ball;
    return true;
}

bool j_trace(FigureSheet *sheet, const JBall *before, const JSurface *surface, CaromTrace *trace,
             JImpact *impact) {
    CaromContact contact;
    double v[3];
    const CaromProblem problem = pose(before, surface, &contact, v);
    begin(impact);
    if (carom_trace(&problem, NULL, trace, &impact->result) < 0) {
        return figure_fail(sheet, "the ball: %s", impact->result.message);
    }
    return true;
}

static double energy(const JBall *ball, double inertia) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += ball->V[k] * ball->V[k] + inertia * ball->omega[k] * ball->omega[k];
    }
    return sum / 2;
}

double j_energy(const JBall *ball) {
    return energy(ball, 0.4);
}

double j_energy_by_half(const JBall *ball) {
    return energy(ball, 0.2);
}
