/* Several rigid contacts at impulse level: two feet with four corners each (W 24 x 24 of rank 12)
 * that strike the ground, and Siconos' frictional solver on the same problems.
 *
 * Residuals are those of the law, relative to the largest velocity before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sections.h"
#ifdef CAROM_BENCH_SICONOS
#include "siconos.h"
#endif
#include "support/impulse/random.h"
#include "timing.h"

enum { FEET = 100, ROWS = 24 };

/* The problem at hand; the timer passes impacts of one contact, which are not used here. */
static struct {
    MultipleProblem problem;
    double impulse[MULTIPLE_ROWS], velocity[MULTIPLE_ROWS];
#ifdef CAROM_BENCH_SICONOS
    SiconosFriction *siconos;
#endif
} foot;

static void solve_carom(const Impact *unused, Answer *answer) {
    CaromProblem problem = multiple_as_problem(&foot.problem);
    CaromResult result = {.impulse = foot.impulse, .velocity = foot.velocity};
    (void)unused;
    problem.model = CAROM_MODEL_RIGID;
    answer->ok = carom_solve(&problem, NULL, &result) >= 0;
}

/* How far the impulse is from the law, by the natural map. */
static double residual(void) {
    const MultipleProblem *problem = &foot.problem;
    double most = 0, speed = 0;
    for (int i = 0; i < problem->count; i++) {
        double v[3], trial[2], *I = foot.impulse + 3 * i;
        for (int k = 0; k < 3; k++) {
            v[k] = problem->v[3 * i + k];
            speed = fmax(speed, fabs(v[k]));
            for (int j = 0; j < ROWS; j++) {
                v[k] += problem->W[(3 * i + k) * ROWS + j] * foot.impulse[j];
            }
        }
        double w = problem->W[(3 * i + 2) * (ROWS + 1)], mu = problem->contacts[i].mu;
        double b = problem->contacts[i].e * fmax(-problem->v[3 * i + 2], 0);
        most = fmax(most, fabs(fmin(w * I[2], v[2] - b)));
        trial[0] = I[0] - v[0] / w;
        trial[1] = I[1] - v[1] / w;
        double length = hypot(trial[0], trial[1]), radius = mu * fmax(I[2], 0);
        double part = length > radius ? radius / length : 1;
        most = fmax(most, w * hypot(I[0] - part * trial[0], I[1] - part * trial[1]));
    }
    return most / speed;
}

/* Times in microseconds, and residuals. */
typedef struct FeetRun {
    double minimum[FEET], residual[FEET];
    int solved;
} FeetRun;

static void time_foot(const Contender *contender, FeetRun *run) {
    Answer answer = {0};
    contender->solve(NULL, &answer);
    if (answer.ok) {
        run->residual[run->solved] = residual();
        run->minimum[run->solved++] = time_solve(contender, NULL, NULL) / 1000;
    }
}

static void report_feet(const char *name, const FeetRun *run, json_t *out) {
    int n = run->solved;
    printf("%-30s %6d %9.1f %9.1f %9.1f %9.1e\n", name, n, quantile(run->minimum, n, 0.5),
           quantile(run->minimum, n, 0.9), quantile(run->minimum, n, 1),
           quantile(run->residual, n, 1));
    put(out, name, "us", quantile(run->minimum, n, 0.5));
    put(out, name, "p90_us", quantile(run->minimum, n, 0.9));
    put(out, name, "worst_us", quantile(run->minimum, n, 1));
    put(out, name, "residual", quantile(run->residual, n, 1));
    put(out, name, "solved", n);
}

#ifdef CAROM_BENCH_SICONOS

static void solve_siconos_friction(const Impact *unused, Answer *answer) {
    (void)unused;
    answer->ok = siconos_friction_solve(foot.siconos, foot.impulse) == 0;
}

static void time_siconos_foot(double tolerance, FeetRun *run) {
    const Contender siconos = {"siconos", solve_siconos_friction};
    double q[ROWS], mu[ROWS / 3];
    memcpy(q, foot.problem.v, sizeof q);
    for (int i = 0; i < ROWS / 3; i++) {
        mu[i] = foot.problem.contacts[i].mu;
        q[3 * i + 2] -= foot.problem.contacts[i].e * fmax(-q[3 * i + 2], 0);
    }
    foot.siconos = siconos_friction_create(ROWS / 3, foot.problem.W, q, mu, tolerance);
    time_foot(&siconos, run);
    siconos_friction_destroy(foot.siconos);
}

static void measure_siconos_feet(json_t *out) {
    static FeetRun coarse, fine;
    for (uint64_t i = 0; i < FEET; i++) {
        impulse_random(1, i, IMPULSE_FEET, &foot.problem);
        time_siconos_foot(1e-4, &coarse);
        time_siconos_foot(1e-10, &fine);
    }
    report_feet("siconos_coarse_rigid_foot", &coarse, out);
    report_feet("siconos_rigid_foot", &fine, out);
}

#else

static void measure_siconos_feet(json_t *out) {
    (void)out;
}

#endif

/* Times of all random families of the tests. */
static void time_families(void) {
    static double minimum[FEET];
    const Contender carom = {"carom", solve_carom};
    printf("\n%-30s %6s %9s %9s %9s\n", "several rigid contacts, us", "solved", "median", "p90",
           "worst");
    for (int family = 0; family < IMPULSE_FAMILIES; family++) {
        const char *name = impulse_family_name((ImpulseFamily)family);
        int solved = 0;
        for (uint64_t i = 0; i < FEET; i++) {
            Answer answer = {0};
            impulse_random(1, i, (ImpulseFamily)family, &foot.problem);
            solve_carom(NULL, &answer);
            if (answer.ok) {
                minimum[solved++] = time_solve(&carom, NULL, NULL) / 1000;
            }
        }
        printf("%-30s %6d %9.1f %9.1f %9.1f\n", name, solved, quantile(minimum, solved, 0.5),
               quantile(minimum, solved, 0.9), quantile(minimum, solved, 1));
    }
}

void bench_rigid_feet(json_t *out) {
    static FeetRun run;
    const Contender carom = {"carom", solve_carom};
    run.solved = 0;
    for (uint64_t i = 0; i < FEET; i++) {
        impulse_random(1, i, IMPULSE_FEET, &foot.problem);
        time_foot(&carom, &run);
    }
    printf("\n%-30s %6s %9s %9s %9s %9s\n", "feet of 8 rigid contacts, us", "solved", "median",
           "p90", "worst", "residual");
    report_feet("rigid_foot", &run, out);
    time_families();
    measure_siconos_feet(out);
}
