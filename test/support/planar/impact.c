#include "support/planar/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/math/random.h"

void planar_solve(const Planar *planar, PlanarOutcome *out) {
    memset(out, 0x55, sizeof *out);
    out->result.impulse = out->impulse;
    out->result.velocity = out->velocity;
    out->result.events = out->events;
    out->result.event_capacity = CAROM_RIGID_EVENTS;
    out->status =
        carom_planar_solve(planar->W, planar->v, &planar->contact, planar->law, &out->result);
}

Planar planar_make(double Wtt, double Wtn, double vt, double mu, double e) {
    Planar planar = {.W = {Wtt, Wtn, Wtn, 1}, .v = {vt, -1}, .contact = carom_contact_default()};
    planar.contact.mu = mu;
    planar.contact.e = e;
    return planar;
}

Impact planar_embed(const Planar *planar) {
    const double *W = planar->W;
    return (Impact){.W = {W[0], 0, W[1], 0, W[0], 0, W[1], 0, W[3]},
                    .v = {planar->v[0], 0, planar->v[1]},
                    .contact = planar->contact,
                    .law = planar->law,
                    .tag = "planar"};
}

Answer planar_answer(const PlanarOutcome *out) {
    Answer answer = {.ok = out->status >= 0,
                     .impulse = {out->impulse[0], 0, out->impulse[1]},
                     .velocity = {out->velocity[0], 0, out->velocity[1]},
                     .normal_loss = out->result.energy.normal_loss,
                     .friction_loss = out->result.energy.friction_loss};
    memcpy(answer.sequence, out->result.sequence, sizeof answer.sequence);
    return answer;
}

Planar planar_random(uint64_t seed, uint64_t index) {
    Random random = random_start(seed, index);
    Planar planar = {.contact = carom_contact_default()};
    double a = random_log(&random, 0.03, 30), b = random_log(&random, 0.03, 30);
    double correlation = 2 * random_uniform(&random) - 1;
    if (index % 8 == 1) {
        correlation = copysign(1 - random_log(&random, 1e-7, 1), correlation);
    }
    planar.W[0] = a;
    planar.W[1] = planar.W[2] = correlation * sqrt(a * b);
    planar.W[3] = b;
    planar.v[0] = (random_bits(&random) & 1 ? 1 : -1) * random_log(&random, 0.01, 10);
    planar.v[1] = -random_log(&random, 0.1, 10);
    if (index % 16 == 2) {
        planar.v[0] = 0;
    }
    planar.contact.mu = index % 16 == 3 ? 0 : random_log(&random, 0.01, 10);
    if (index % 4 == 1) {
        planar.contact.mu_static = planar.contact.mu * (1 + random_uniform(&random));
    }
    planar.contact.e = index % 16 == 4 ? 0 : index % 16 == 5 ? 1 : random_uniform(&random);
    planar.law = (CaromLaw)(index % 3);
    return planar;
}

void planar_print(const Planar *p) {
    fprintf(stderr, "W {%.17g, %.17g, %.17g}, v {%.17g, %.17g}, mu %.17g, %.17g, e %.17g, law %d\n",
            p->W[0], p->W[1], p->W[3], p->v[0], p->v[1], p->contact.mu, p->contact.mu_static,
            p->contact.e, (int)p->law);
}

CaromProblem planar_problem(const Planar *planar) {
    return (CaromProblem){.law = planar->law,
                          .contact_count = 1,
                          .inverse_inertia = planar->W,
                          .velocity = planar->v,
                          .contacts = &planar->contact,
                          .planar = 1};
}
