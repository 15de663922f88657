/* One compliant contact: time and error of each method on the reference scenes, and the time of the
 * exact one where slip keeps its direction. Errors are against the oracle of the tests
 * (test/support/compliant/oracle.h), which agrees with the stored answers to their 1e-10. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cvode_compliant.h"
#include "sections.h"
#include "support/compliant/impacts.h"
#include "support/compliant/reference.h"
#include "timing.h"

static CvodeCompliant *cvode;

static void solve_exact(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok = carom_compliant_solve(impact->W, impact->v, &impact->contact, &result) >= 0;
}

static void solve_euler(const Impact *impact, Answer *answer) {
    solve_published(impact, CAROM_MODEL_COMPLIANT, CAROM_METHOD_EULER, answer);
}

static void solve_cvode(const Impact *impact, Answer *answer) {
    cvode_compliant_solve(cvode, impact, answer);
}

static const Contender CONTENDERS[] = {
    {"exact", solve_exact},
    {"euler", solve_euler},
    {"cvode", solve_cvode},
};
enum { CONTENDER_COUNT = sizeof CONTENDERS / sizeof *CONTENDERS };

/* W of a ball: B a multiple of the identity, no coupling of normal and tangential motion. */
static Impact made_central(const Impact *impact) {
    double b = (impact->W[0] + impact->W[4]) / 2;
    Impact central = *impact;
    memcpy(central.W, (double[9]){b, 0, 0, 0, b, 0, 0, 0, impact->W[8]}, sizeof central.W);
    return central;
}

/* Median time of the exact method on the changed scenes. */
static double changed_ns(const CompliantReference *scenes, Impact (*change)(const Impact *)) {
    double times[COMPLIANT_REFERENCE_CAPACITY];
    for (int pass = 0; pass < TIMING_PASSES; pass++) {
        for (int i = 0; i < scenes->count; i++) {
            Impact impact = change(&scenes->impacts[i]);
            double time = time_solve(&CONTENDERS[0], &impact, NULL);
            times[i] = pass > 0 ? fmin(time, times[i]) : time;
        }
    }
    return quantile(times, scenes->count, 0.5);
}

json_t *bench_compliant(const char *path) {
    static Timing timings[CONTENDER_COUNT];
    static CompliantReference scenes;
    static Answer truths[COMPLIANT_REFERENCE_CAPACITY];
    if (compliant_reference_load(path, &scenes) != 0) {
        return NULL;
    }
    cvode = cvode_compliant_create(1e-10);
    if (cvode == NULL) {
        fprintf(stderr, "carom_bench: out of memory\n");
        return NULL;
    }
    json_t *out = json_object();
    for (int i = 0; i < scenes.count; i++) {
        truths[i] = compliant_oracle_solve(&scenes.impacts[i]).answer;
    }
    timing_heading("compliant", TIMING_PASSES, scenes.count);
    timing_measure(CONTENDERS, CONTENDER_COUNT, TIMING_PASSES, scenes.impacts, truths, scenes.count,
                   timings);
    for (int i = 0; i < CONTENDER_COUNT; i++) {
        timing_report(&CONTENDERS[i], &timings[i], scenes.count, out);
    }
    double euler = ratio_to_exact(out, "euler_ns"), by_cvode = ratio_to_exact(out, "cvode_ns");
    double planar = changed_ns(&scenes, cut_to_plane), central = changed_ns(&scenes, made_central);
    put(out, "ratio", "euler", euler);
    put(out, "ratio", "cvode", by_cvode);
    put(out, "planar", "ns", planar);
    put(out, "central", "ns", central);
    printf("CVODE takes %.0f times as long as exact, euler %.0f times; cut to a plane exact takes "
           "%.0f ns, made central %.0f ns\n",
           by_cvode, euler, planar, central);
    cvode_compliant_destroy(cvode);
    return out;
}
