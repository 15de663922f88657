/* The planar solver on the rigid scenes, restricted to the plane of their first slip. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sections.h"
#include "timing.h"

Impact cut_to_plane(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    double r = hypot(v[0], v[1]), c = r > 0 ? v[0] / r : 1, s = r > 0 ? v[1] / r : 0;
    double B = c * c * W[0] + 2 * c * s * W[1] + s * s * W[4], d = c * W[2] + s * W[5];
    Impact cut = *impact;
    memcpy(cut.W, (double[9]){B, 0, d, 0, B, 0, d, 0, W[8]}, sizeof cut.W);
    memcpy(cut.v, (double[3]){r, 0, v[2]}, sizeof cut.v);
    return cut;
}

/* The planar problem of cut_to_plane(), without its second tangent. */
static Impact as_planar(const Impact *cut) {
    const double *W = cut->W, *v = cut->v;
    Impact planar = *cut;
    memcpy(planar.W, (double[4]){W[0], W[2], W[6], W[8]}, 4 * sizeof *W);
    memcpy(planar.v, (double[2]){v[0], v[2]}, 2 * sizeof *v);
    return planar;
}

static void solve_planar(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok =
        carom_planar_solve(impact->W, impact->v, &impact->contact, impact->law, &result) >= 0;
}

/* The same planar impacts by the planar solver and, with a decoupled second tangent, by the spatial
 * one. */
json_t *bench_planar(const ReferenceSet *scenes, const json_t *rigid) {
    static const Contender contenders[2] = {{"planar", solve_planar}, {"spatial", solve_rigid}};
    double times[2][REFERENCE_CAPACITY], ns[2];
    for (int pass = 0; pass < TIMING_PASSES; pass++) {
        for (int i = 0; i < scenes->count; i++) {
            Impact spatial = cut_to_plane(&scenes->impacts[i]);
            const Impact impacts[2] = {as_planar(&spatial), spatial};
            for (int k = 0; k < 2; k++) {
                double time = time_solve(&contenders[k], &impacts[k], NULL);
                times[k][i] = pass > 0 ? fmin(time, times[k][i]) : time;
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        ns[k] = quantile(times[k], scenes->count, 0.5);
    }
    double general = json_real_value(json_object_get(rigid, "exact_ns")) / ns[0];
    printf("\nplanar: %.1f ns, slowest scene %.1f; as spatial impacts %.0f ns, %.2f times\n", ns[0],
           quantile(times[0], scenes->count, 1), ns[1], ns[1] / ns[0]);
    printf("the spatial scenes themselves take %.1f times as long as their planar cuts\n", general);
    return json_pack("{s:f, s:f, s:f, s:f}", "planar_ns", ns[0], "spatial_ns", ns[1], "ratio",
                     ns[1] / ns[0], "ratio_rigid", general);
}
