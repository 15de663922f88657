/* Planar and compliant cases of the batch call beside the loop over their solvers for one, in the
 * same run; compliant ones by class (test/support/compliant/impacts.h). In processor time, which a
 * busy machine changes less than the clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compliant_lanes/compliant_lanes.h"
#include "sections.h"
#include "support/compliant/impacts.h"
#include "support/planar/impact.h"
#include "timing.h"

enum { KIND_COUNT = 1 << 13, KIND_REPEATS = 10, SLOPE_COUNT = 1 << 9 };

typedef struct Kind {
    Impact impacts[KIND_COUNT];
    Planar planars[KIND_COUNT];
    CaromCase cases[KIND_COUNT];
    CaromOutcome outcomes[KIND_COUNT];
    unsigned char open[KIND_COUNT];
    CaromCaseDerivative derivatives[SLOPE_COUNT];
} Kind;

/* Largest difference of the impulse to that of the solver for one, relative. */
static double off_by(const double impulse[3], const CaromOutcome *out) {
    double off = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        off += fabs(impulse[k] - out->impulse[k]);
        size += fabs(impulse[k]);
    }
    return off / size;
}

static void solve_planars(const Kind *kind) {
    double impulse[2], velocity[2];
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    for (int i = 0; i < KIND_COUNT; i++) {
        const Planar *one = &kind->planars[i];
        carom_planar_solve(one->W, one->v, &one->contact, one->law, &result);
    }
}

static void solve_compliants(const Kind *kind) {
    double impulse[3], velocity[3];
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    for (int i = 0; i < KIND_COUNT; i++) {
        const Impact *one = &kind->impacts[i];
        carom_compliant_solve(one->W, one->v, &one->contact, &result);
    }
}

/* Alternately both ways. */
static void time_both(Kind *kind, void (*solve)(const Kind *), double *alone, double *lanes) {
    *alone = *lanes = INFINITY;
    for (int k = 0; k < KIND_REPEATS; k++) {
        double start = processor_ns();
        solve(kind);
        *alone = fmin(*alone, processor_ns() - start);
        start = processor_ns();
        carom_batch_solve(KIND_COUNT, kind->cases, kind->outcomes);
        *lanes = fmin(*lanes, processor_ns() - start);
    }
    *alone /= KIND_COUNT;
    *lanes /= KIND_COUNT;
}

/* Derivatives of cases that the batch call follows one after the other. */
static double time_slopes(Kind *kind) {
    double least = INFINITY;
    for (int k = 0; k < KIND_REPEATS; k++) {
        double start = processor_ns();
        carom_batch_differentiate(SLOPE_COUNT, kind->cases, kind->outcomes, kind->derivatives);
        least = fmin(least, processor_ns() - start);
    }
    return least / SLOPE_COUNT;
}

static json_t *bench_planar_lanes(Kind *kind) {
    double alone, lanes;
    for (int i = 0; i < KIND_COUNT; i++) {
        const Planar *one = &kind->planars[i];
        kind->planars[i] = planar_random(7001, (uint64_t)i);
        kind->cases[i] = (CaromCase){.W = {one->W[0], 0, one->W[1], 0, 0, one->W[3]},
                                     .v = {one->v[0], 0, one->v[1]},
                                     .contact = one->contact,
                                     .law = one->law,
                                     .planar = 1};
    }
    time_both(kind, solve_planars, &alone, &lanes);
    double slopes = time_slopes(kind);
    printf("planar: %.1f ns alone, %.1f ns in lanes, ratio %.2f; with derivatives %.0f ns\n", alone,
           lanes, alone / lanes, slopes);
    return json_pack("{s:f, s:f, s:f, s:f}", "scalar_per_s", 1e9 / alone, "lanes_per_s",
                     1e9 / lanes, "ratio", alone / lanes, "derivatives_per_s", 1e9 / slopes);
}

/* The part of the cases that lanes leave to the solver for one. */
static double left_over(Kind *kind) {
    int left = 0;
    memset(kind->open, 1, sizeof kind->open);
    for (int i = 0; i < KIND_COUNT; i += COMPLIANT_LANES_BLOCK) {
        crm_compliant_lanes(COMPLIANT_LANES_BLOCK, kind->cases + i, kind->outcomes + i,
                            kind->open + i);
    }
    for (int i = 0; i < KIND_COUNT; i++) {
        left += kind->open[i];
    }
    return left / (double)KIND_COUNT;
}

static double worst_difference(const Kind *kind) {
    double worst = 0;
    for (int i = 0; i < KIND_COUNT; i++) {
        const Impact *one = &kind->impacts[i];
        double impulse[3], velocity[3];
        CaromResult result = {.impulse = impulse, .velocity = velocity};
        carom_compliant_solve(one->W, one->v, &one->contact, &result);
        worst = fmax(worst, off_by(impulse, &kind->outcomes[i]));
    }
    return worst;
}

static json_t *bench_compliant_lanes(Kind *kind, const char *name) {
    double alone, lanes;
    for (int i = 0; i < KIND_COUNT; i++) {
        const double *W = kind->impacts[i].W, *v = kind->impacts[i].v;
        kind->cases[i] = (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                                     .v = {v[0], v[1], v[2]},
                                     .contact = kind->impacts[i].contact,
                                     .model = CAROM_MODEL_COMPLIANT};
    }
    time_both(kind, solve_compliants, &alone, &lanes);
    double worst = worst_difference(kind), left = left_over(kind), slopes = time_slopes(kind);
    printf("compliant, %-12s %6.0f ns alone, %6.0f ns in lanes, ratio %.2f; %4.1f %% left to the "
           "solver for one; worst difference %.1e; with derivatives %.0f ns\n",
           name, alone, lanes, alone / lanes, 100 * left, worst, slopes);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "scalar_per_s", 1e9 / alone, "lanes_per_s",
                     1e9 / lanes, "ratio", alone / lanes, "fallback_fraction", left,
                     "worst_difference", worst, "derivatives_per_s", 1e9 / slopes);
}

/* The common impact with the W of a uniform ball, exactly. */
static Impact made_ball(uint64_t index) {
    Impact impact = compliant_random(7001, index * COMPLIANT_CLASS_COUNT + COMPLIANT_COMMON);
    double w = impact.W[8];
    memcpy(impact.W, (double[9]){3.5 * w, 0, 0, 0, 3.5 * w, 0, 0, 0, w}, sizeof impact.W);
    return impact;
}

void bench_batch_kinds(json_t *out) {
    static const CompliantClass classes[] = {COMPLIANT_COMMON,  COMPLIANT_CENTRAL, COMPLIANT_BALL,
                                             COMPLIANT_NO_SLIP, COMPLIANT_RATIO,   COMPLIANT_PLANAR,
                                             COMPLIANT_OBLIQUE, COMPLIANT_ROUGH};
    Kind *kind = calloc(1, sizeof *kind);
    if (kind == NULL) {
        return;
    }
    json_object_set_new(out, "planar", bench_planar_lanes(kind));
    json_t *compliant = json_object();
    for (int i = 0; i < KIND_COUNT; i++) {
        kind->impacts[i] = made_ball((uint64_t)i);
    }
    json_object_set_new(compliant, "uniform_ball", bench_compliant_lanes(kind, "uniform ball"));
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        const char *name = compliant_class_name(classes[c]);
        for (int i = 0; i < KIND_COUNT; i++) {
            kind->impacts[i] =
                compliant_random(7001, (uint64_t)i * COMPLIANT_CLASS_COUNT + (uint64_t)classes[c]);
        }
        json_object_set_new(compliant, name, bench_compliant_lanes(kind, name));
    }
    json_object_set_new(out, "compliant", compliant);
    free(kind);
}
