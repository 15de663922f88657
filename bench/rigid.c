/* One rigid contact. Errors are against the series in long double (test/support/rigid/truth.h),
 * which agree with the stored answers to their 1e-11. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cvode_contact.h"
#include "sections.h"
#include "support/rigid/truth.h"
#include "timing.h"

/* Many passes: each is short, and some avoid the disturbances by other processes. */
enum { PASSES = 10 * TIMING_PASSES };

static CvodeContact *cvode;

void solve_rigid(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok =
        carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &result) >= 0;
}

void solve_published(const Impact *impact, CaromModel model, CaromMethod method, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    CaromProblem problem = {.model = model,
                            .law = impact->law,
                            .contact_count = 1,
                            .inverse_inertia = impact->W,
                            .velocity = impact->v,
                            .contacts = &impact->contact};
    CaromOptions options = carom_options_default();
    options.method = method;
    if (model == CAROM_MODEL_RIGID) { /* as published: in the units of the examples */
        options.scheme = (CaromSchemeOptions){
            .absolute = 1, .h1 = 0.01, .h2 = 0.01, .straight = 0.06, .zero = 0.015};
    }
    answer->ok = carom_solve(&problem, &options, &result) >= 0;
}

static void solve_vs(const Impact *impact, Answer *answer) {
    solve_published(impact, CAROM_MODEL_RIGID, CAROM_METHOD_VS, answer);
}

static void solve_fs(const Impact *impact, Answer *answer) {
    solve_published(impact, CAROM_MODEL_RIGID, CAROM_METHOD_FS, answer);
}

static void solve_cvode(const Impact *impact, Answer *answer) {
    cvode_contact_solve(cvode, impact, answer);
}

static const Contender CONTENDERS[] = {
    {"exact", solve_rigid},
    {"vs", solve_vs},
    {"fs", solve_fs},
    {"cvode", solve_cvode},
};
enum { CONTENDER_COUNT = sizeof CONTENDERS / sizeof *CONTENDERS };

/* Median time of the exact method by the scenes' tag. */
static json_t *by_tag(const ReferenceSet *scenes, const Timing *timing) {
    json_t *out = json_object();
    printf("exact, by tag:");
    for (int i = 0; i < scenes->count; i++) {
        double times[TIMING_CAPACITY];
        int count = 0;
        if (json_object_get(out, scenes->tags[i]) != NULL) {
            continue;
        }
        for (int k = i; k < scenes->count; k++) {
            if (strcmp(scenes->tags[k], scenes->tags[i]) == 0 && !isnan(timing->by_impact[k])) {
                times[count++] = timing->by_impact[k];
            }
        }
        double ns = quantile(times, count, 0.5);
        printf(" %s %.0f", scenes->tags[i], ns);
        json_object_set_new(out, scenes->tags[i], isfinite(ns) ? json_real(ns) : json_null());
    }
    printf("\n");
    return out;
}

json_t *bench_rigid(const ReferenceSet *scenes) {
    static Timing timings[CONTENDER_COUNT];
    static Answer truths[REFERENCE_CAPACITY];
    cvode = cvode_contact_create(1e-10);
    if (cvode == NULL) {
        fprintf(stderr, "carom_bench: out of memory\n");
        return NULL;
    }
    json_t *rigid = json_object();
    for (int i = 0; i < scenes->count; i++) {
        truths[i] = truth_solve(&scenes->impacts[i]);
    }
    timing_heading("rigid", PASSES, scenes->count);
    timing_measure(CONTENDERS, CONTENDER_COUNT, PASSES, scenes->impacts, truths, scenes->count,
                   timings);
    for (int i = 0; i < CONTENDER_COUNT; i++) {
        timing_report(&CONTENDERS[i], &timings[i], scenes->count, rigid);
    }
    double vs = ratio_to_exact(rigid, "vs_ns"), by_cvode = ratio_to_exact(rigid, "cvode_ns");
    put(rigid, "ratio", "vs", vs);
    put(rigid, "ratio", "cvode", by_cvode);
    printf("CVODE takes %.0f times as long as exact, vs %.2f times\n", by_cvode, vs);
    json_object_set_new(rigid, "exact_ns_by_tag", by_tag(scenes, &timings[0]));
    cvode_contact_destroy(cvode);
    return rigid;
}
