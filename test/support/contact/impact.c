#include "support/contact/impact.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Answer answer_of_library(const Impact *impact) {
    Answer answer = {0};
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result = {.impulse = answer.impulse,
                          .velocity = answer.velocity,
                          .events = events,
                          .event_capacity = CAROM_RIGID_EVENTS};
    CaromStatus status =
        carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &result);
    answer.ok = status >= 0;
    memcpy(answer.sequence, result.sequence, sizeof answer.sequence);
    answer.normal_loss = result.energy.normal_loss;
    answer.friction_loss = result.energy.friction_loss;
    answer.first_compression = NAN;
    for (int i = 0; i < result.event_count && i < CAROM_RIGID_EVENTS; i++) {
        if (events[i].kind == CAROM_EVENT_COMPRESSION_RESTART) {
            answer.restarts++;
        } else if (events[i].kind == CAROM_EVENT_COMPRESSION_END &&
                   isnan(answer.first_compression)) {
            answer.first_compression = events[i].normal_impulse;
        }
    }
    return answer;
}

/* a / b where a = 0 says 0 whatever b is. */
static double relative(double a, double b) {
    return a == 0 ? 0 : a / b;
}

static double norm3(const double a[3]) {
    return hypot(hypot(a[0], a[1]), a[2]);
}

Distance answer_distance(const Impact *impact, const Answer *answer, const Answer *truth) {
    Distance distance = {0};
    double difference[3], size[3], scale = 0;
    for (int i = 0; i < 3; i++) {
        difference[i] = answer->impulse[i] - truth->impulse[i];
    }
    distance.impulse = relative(norm3(difference), norm3(truth->impulse));
    distance.tangential =
        relative(hypot(difference[0], difference[1]), impact_mu_static(impact) * truth->impulse[2]);
    for (int i = 0; i < 3; i++) {
        size[i] = fabs(impact->v[i]);
        for (int j = 0; j < 3; j++) {
            size[i] += fabs(impact->W[3 * i + j] * truth->impulse[j]);
        }
        scale += fabs(truth->impulse[i]) * (fabs(impact->v[i]) + fabs(truth->velocity[i]));
    }
    size[0] = size[1] = hypot(size[0], size[1]);
    for (int i = 0; i < 3; i++) {
        double off = relative(fabs(answer->velocity[i] - truth->velocity[i]), size[i]);
        distance.velocity = larger(distance.velocity, off);
    }
    distance.energy = relative(fabs(answer->normal_loss - truth->normal_loss) +
                                   fabs(answer->friction_loss - truth->friction_loss),
                               scale);
    return distance;
}

Distance distance_max(Distance a, Distance b) {
    return (Distance){larger(a.impulse, b.impulse), larger(a.velocity, b.velocity),
                      larger(a.tangential, b.tangential), larger(a.energy, b.energy)};
}

double answer_error(const Impact *impact, const Answer *answer, const Answer *truth) {
    Distance distance = answer_distance(impact, answer, truth);
    double error = larger(distance.impulse, distance.velocity);
    return answer->ok && !isnan(error) ? error : INFINITY;
}

double impact_energy(const Impact *impact) {
    /* Cholesky in long double: v . W^-1 v is |L^-1 v|^2 */
    long double L[9] = {0}, x[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            long double a = impact->W[3 * j + i];
            for (int k = 0; k < j; k++) {
                a -= L[3 * i + k] * L[3 * j + k];
            }
            L[3 * i + j] = i == j ? sqrtl(a) : a / L[4 * j];
        }
        x[i] = impact->v[i];
        for (int k = 0; k < i; k++) {
            x[i] -= L[3 * i + k] * x[k];
        }
        x[i] /= L[4 * i];
        sum += x[i] * x[i];
    }
    return (double)(sum / 2);
}

double impact_mu_static(const Impact *impact) {
    const CaromContact *contact = &impact->contact;
    return contact->mu_static > 0 ? contact->mu_static : contact->mu;
}

void sequence_without_l(const char *sequence, char out[CAROM_SEQUENCE_SIZE]) {
    size_t count = 0;
    for (; *sequence != '\0' && count + 1 < CAROM_SEQUENCE_SIZE; sequence++) {
        if (*sequence != 'l') {
            out[count++] = *sequence;
        }
    }
    out[count] = '\0';
}

void impact_print(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    const CaromContact *contact = &impact->contact;
    fprintf(stderr, "/* %s */ {.W = {", impact->tag);
    for (int i = 0; i < 9; i++) {
        fprintf(stderr, "%.17g%s", W[i], i < 8 ? ", " : "},\n");
    }
    fprintf(stderr, "  .v = {%.17g, %.17g, %.17g}, .contact = {%.17g, %.17g, %.17g, %.17g, %.17g}",
            v[0], v[1], v[2], contact->mu, contact->mu_static, contact->e, contact->stiffness,
            contact->stiffness_ratio);
    fprintf(stderr, ", .law = %d}\n", (int)impact->law);
}

/* Change a block of numbers by the last place of its norm; a 0 is structure and stays. */
static void disturb(Random *random, double *const *numbers, int count) {
    double norm = 0;
    for (int i = 0; i < count; i++) {
        norm = hypot(norm, *numbers[i]);
    }
    for (int i = 0; i < count; i++) {
        double change = DBL_EPSILON * norm * (random_uniform(random) < 0.5 ? -1 : 1);
        *numbers[i] += *numbers[i] == 0 ? 0 : change;
    }
}

Impact impact_disturbed(const Impact *impact, Random *random) {
    Impact to = *impact;
    double *W = to.W, *v = to.v;
    disturb(random, (double *const[]){&W[0], &W[1], &W[4]}, 3);
    disturb(random, (double *const[]){&W[2], &W[5]}, 2);
    disturb(random, (double *const[]){&W[8]}, 1);
    disturb(random, (double *const[]){&v[0], &v[1]}, 2);
    disturb(random, (double *const[]){&v[2]}, 1);
    disturb(random, (double *const[]){&to.contact.mu}, 1);
    disturb(random, (double *const[]){&to.contact.stiffness_ratio}, 1);
    W[3] = W[1];
    W[6] = W[2];
    W[7] = W[5];
    if (to.contact.mu_static > 0 && to.contact.mu_static < to.contact.mu) {
        to.contact.mu_static = to.contact.mu;
    }
    return to;
}
