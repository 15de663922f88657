#include "support/compliant/impacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/rigid/impacts.h"

/* ---- random ---- */

typedef struct Recipe {
    const char *name;
    ImpactClass base; /* the rigid impact to start from */
    double low, high; /* of eta^2 */
} Recipe;

static const Recipe RECIPES[COMPLIANT_CLASS_COUNT] = {
    [COMPLIANT_COMMON] = {"common", IMPACT_COMMON, 0.3, 10},
    [COMPLIANT_RATIO] = {"ratio", IMPACT_COMMON, 1e-3, 1e3},
    [COMPLIANT_STIFF] = {"stiff", IMPACT_COMMON, 1e-6, 1e-3},
    [COMPLIANT_SOFT] = {"soft", IMPACT_COMMON, 1e3, 1e4},
    [COMPLIANT_CONDITIONED] = {"conditioned", IMPACT_CONDITIONED, 0.3, 10},
    [COMPLIANT_SMOOTH] = {"smooth", IMPACT_SMOOTH, 0.3, 10},
    [COMPLIANT_ROUGH] = {"rough", IMPACT_ROUGH, 0.1, 10},
    [COMPLIANT_RESTITUTION] = {"restitution", IMPACT_RESTITUTION, 0.3, 10},
    [COMPLIANT_OBLIQUE] = {"oblique", IMPACT_OBLIQUE, 0.3, 10},
    [COMPLIANT_NO_SLIP] = {"no-slip", IMPACT_NO_SLIP, 0.3, 10},
    [COMPLIANT_CENTRAL] = {"central", IMPACT_CENTRAL, 0.1, 10},
    [COMPLIANT_BALL] = {"ball", IMPACT_BALL, 0.1, 10},
    [COMPLIANT_PLANAR] = {"planar", IMPACT_ON_INVARIANT, 0.1, 10},
    [COMPLIANT_THRESHOLD] = {"threshold", IMPACT_COMMON, 0.3, 10},
    [COMPLIANT_JAM] = {"jam", IMPACT_JAM, 0.1, 10},
    [COMPLIANT_SINGULAR] = {"singular", IMPACT_COMMON, 0.3, 10},
    [COMPLIANT_UNITS] = {"units", IMPACT_UNITS, 0.3, 10},
};

const char *compliant_class_name(CompliantClass which) {
    return which < COMPLIANT_CLASS_COUNT ? RECIPES[which].name : "?";
}

/* The largest mu for which no impulse inside the cone leaves the velocities as they are: beyond it
 * compression need not end. W = a a^T + b b^T. */
static double jamming_friction(const double a[3], const double b[3]) {
    const double z[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    if (z[0] == 0 && z[1] == 0 && z[2] == 0) {
        return fabs(a[2]) / hypot(a[0], a[1]);
    }
    return z[2] == 0 ? INFINITY : hypot(z[0], z[1]) / fabs(z[2]);
}

/* A sum of squares of one or two vectors. */
static void make_singular(Random *random, Impact *impact) {
    double a[3], b[3];
    int rank = 1 + (int)(random_bits(random) & 1);
    for (int i = 0; i < 3; i++) {
        /* few digits, so that the products are exact and the rank is too */
        a[i] = floor(16 * random_uniform(random) - 8) / 4;
        b[i] = rank == 1 ? 0 : floor(16 * random_uniform(random) - 8) / 4;
    }
    a[2] = a[2] == 0 ? 1 : a[2];
    for (int i = 0; i < 9; i++) {
        impact->W[i] = a[i / 3] * a[i % 3] + b[i / 3] * b[i % 3];
    }
    impact->contact.mu = fmin(impact->contact.mu, 0.9 * jamming_friction(a, b));
}

static void set_threshold(Random *random, Impact *impact) {
    double off = random_log(random, 1e-12, 1e-2) * (random_bits(random) & 1 ? 1 : -1);
    double limit = impact->contact.mu * impact->contact.stiffness_ratio * -impact->v[2];
    double by = limit * (1 + off) / hypot(impact->v[0], impact->v[1]);
    impact->v[0] *= by;
    impact->v[1] *= by;
}

/* Half of the planar ones nearly so. */
static void leave_plane(Random *random, Impact *impact) {
    double angle = random_log(random, 1e-14, 1e-2), x = impact->v[0], y = impact->v[1];
    if (random_bits(random) & 1) {
        impact->v[0] = x - angle * y;
        impact->v[1] = y + angle * x;
    }
}

Impact compliant_random(uint64_t seed, uint64_t index) {
    CompliantClass which = (CompliantClass)(index % COMPLIANT_CLASS_COUNT);
    const Recipe *recipe = &RECIPES[which];
    uint64_t number = index / COMPLIANT_CLASS_COUNT;
    Impact impact =
        random_impact(seed + (uint64_t)which, number * IMPACT_CLASS_COUNT + (uint64_t)recipe->base);
    Random random = random_start(seed ^ 0x636f6d706cu, index);
    impact.tag = recipe->name;
    impact.contact.stiffness_ratio = random_log(&random, recipe->low, recipe->high);
    if (which == COMPLIANT_ROUGH) {
        impact.contact.mu *= random_log(&random, 1, 128);
    } else if (which == COMPLIANT_PLANAR) {
        leave_plane(&random, &impact);
    } else if (which == COMPLIANT_THRESHOLD) {
        set_threshold(&random, &impact);
    } else if (which == COMPLIANT_SINGULAR) {
        make_singular(&random, &impact);
    }
    return impact;
}

double compliant_stiffness(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    const CaromContact *contact = &impact->contact;
    double slip = hypot(v[0], v[1]) / -v[2] + (W[0] + W[4]) / W[8];
    double turns = contact->mu > 0 ? slip / (contact->mu * contact->stiffness_ratio) : 0;
    double swings = sqrt((W[0] + W[4]) / (W[8] * contact->stiffness_ratio));
    return turns + swings;
}

/* ---- answers ---- */

CompliantAnswer compliant_library(const Impact *impact) {
    CompliantAnswer out = {.answer = {.first_compression = NAN}};
    Answer *answer = &out.answer;
    CaromResult result = {.impulse = answer->impulse,
                          .velocity = answer->velocity,
                          .events = out.events,
                          .event_capacity = COMPLIANT_EVENTS};
    answer->ok = carom_compliant_solve(impact->W, impact->v, &impact->contact, &result) >= 0;
    memcpy(answer->sequence, result.sequence, sizeof answer->sequence);
    answer->normal_loss = result.energy.normal_loss;
    answer->friction_loss = result.energy.friction_loss;
    out.message = result.message;
    out.event_count = result.event_count;
    out.energy = result.energy;
    for (int i = 0; i < out.event_count && i < COMPLIANT_EVENTS; i++) {
        if (out.events[i].kind == CAROM_EVENT_COMPRESSION_RESTART) {
            answer->restarts++;
        } else if (out.events[i].kind == CAROM_EVENT_COMPRESSION_END &&
                   isnan(answer->first_compression)) {
            answer->first_compression = out.events[i].normal_impulse;
        }
    }
    return out;
}

int compliant_same_events(const CompliantAnswer *a, const CompliantAnswer *b) {
    if (a->event_count != b->event_count || strcmp(a->answer.sequence, b->answer.sequence) != 0) {
        return 0;
    }
    for (int i = 0; i < a->event_count && i < COMPLIANT_EVENTS; i++) {
        if (a->events[i].kind != b->events[i].kind) {
            return 0;
        }
    }
    return 1;
}

double compliant_event_error(const CompliantAnswer *a, const CompliantAnswer *b) {
    double worst = 0, p = b->answer.impulse[2];
    for (int i = 0; i < b->event_count && i < COMPLIANT_EVENTS; i++) {
        double off = fabs(a->events[i].normal_impulse - b->events[i].normal_impulse) / p;
        worst = larger(worst, off);
    }
    return worst;
}

Distance compliant_sensitivity(const Impact *impact, const CompliantAnswer *truth, int count,
                               uint64_t seed, int *events_differ) {
    Distance largest = {0};
    for (int k = 0; k < count; k++) {
        Random random = random_start(seed, (uint64_t)k);
        Impact moved = impact_disturbed(impact, &random);
        CompliantAnswer answer = compliant_oracle_solve(&moved);
        largest = distance_max(largest, answer_distance(impact, &answer.answer, &truth->answer));
        if (events_differ != NULL && !compliant_same_events(&answer, truth)) {
            *events_differ = 1;
        }
    }
    return largest;
}

void compliant_print_events(const char *who, const CompliantAnswer *answer) {
    const double *I = answer->answer.impulse;
    fprintf(stderr, "  %s: I %.17g %.17g %.17g %s\n", who, I[0], I[1], I[2],
            answer->message != NULL ? answer->message : "");
    for (int i = 0; i < answer->event_count && i < COMPLIANT_EVENTS; i++) {
        const CaromEvent *event = &answer->events[i];
        fprintf(stderr, "    %-19s p %.17g\n", carom_event_string(event->kind),
                event->normal_impulse);
    }
}
