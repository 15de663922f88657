/* Table 1 of Jia and Wang, "Analysis and Computation of Two Body Impact in Three Dimensions",
 * recomputed: three Euler schemes on two impacts, beside the exact method.
 *
 * Each line has the number of steps, the distance of the impulse from the exact one and the time of
 * a solve, each with the printed value (Mathematica 10.3 on a Core i3-3120M). The paper prints
 * neither the contact velocities (they follow from the printed W, impulse and line of sticking) nor
 * the tolerances of its events: slip is straight (here |s x gamma'| <= 0.06), slip is zero (here
 * |gamma| <= 0.015). With that choice the steps agree in five of six cases; VS on the icosahedron
 * takes 66 instead of 29. Errors agree in magnitude except for VS on the pin.
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef struct {
    const char *name;
    double W[9], v[3], mu, e;
} Instance;

typedef struct {
    int instance;
    CaromMethod method;
    const char *name;
    double step;
    int steps;             /* printed */
    double error, seconds; /* printed */
} Row;

static const Instance instances[] = {
    {"icosahedron and tetrahedron",
     {11.5984, -0.910367, 2.442355, -0.910367, 9.90134, 1.957465, 2.442355, 1.957465, 2.59042},
     {-0.26197583, 0.38632923, -0.07685529},
     0.8,
     0.95},
    {"bowling pin and ball",
     {1.55465, 0.002386755, -0.360808, 0.002386755, 5.15191, -0.00313296, -0.360808, -0.00313296,
      1.105},
     {-0.20691338, 0.11765509, -1.50690298},
     0.7,
     0.7},
};

static const Row rows[] = {
    {0, CAROM_METHOD_EXACT, "exact", 0, 0, 0, 0},
    {0, CAROM_METHOD_NI, "NI", 0.00095, 107, 8.77e-4, 0.0312002},
    {0, CAROM_METHOD_FS, "FS", 0.001, 69, 1.08669e-3, 0.000624},
    {0, CAROM_METHOD_VS, "VS", 0.01, 29, 1.11229e-3, 0.0004134},
    {1, CAROM_METHOD_EXACT, "exact", 0, 0, 0, 0},
    {1, CAROM_METHOD_NI, "NI", 0.001, 2586, 1.43e-3, 0.2652},
    {1, CAROM_METHOD_FS, "FS", 0.002, 83, 6.0469e-5, 0.000936},
    {1, CAROM_METHOD_VS, "VS", 0.01, 29, 5.70441e-5, 0.0004006},
};

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Solve; the impulse and the steps taken. */
static int solve(const Row *row, double impulse[3]) {
    const Instance *instance = &instances[row->instance];
    CaromContact contact = carom_contact_default();
    contact.mu = instance->mu;
    contact.e = instance->e;
    CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                            .law = CAROM_LAW_ENERGETIC,
                            .contact_count = 1,
                            .inverse_inertia = instance->W,
                            .velocity = instance->v,
                            .contacts = &contact};
    CaromOptions options = carom_options_default();
    options.method = row->method;
    options.scheme = (CaromSchemeOptions){.absolute = 1,
                                          .step = row->step,
                                          .h1 = row->step,
                                          .h2 = row->step,
                                          .straight = 0.06,
                                          .zero = 0.015};
    CaromResult result = {.impulse = impulse};
    return carom_solve(&problem, &options, &result) == CAROM_OK ? result.work : -1;
}

/* Least time of a solve over several rounds of about 2 ms. */
static double seconds_per_solve(const Row *row) {
    double impulse[3], best = INFINITY;
    int repeat = row->method == CAROM_METHOD_NI ? 50 : 1000;
    for (int round = 0; round < 5; round++) {
        double start = now();
        for (int i = 0; i < repeat; i++) {
            solve(row, impulse);
        }
        best = fmin(best, (now() - start) / repeat);
    }
    return best;
}

int main(void) {
    double exact[3] = {0, 0, 0}, impulse[3];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Row *row = &rows[i];
        int steps = solve(row, impulse);
        if (steps < 0) {
            return 1;
        }
        if (row->method == CAROM_METHOD_EXACT) {
            for (int k = 0; k < 3; k++) {
                exact[k] = impulse[k];
            }
            printf("%s: impulse (%.8f, %.8f, %.8f)\n", instances[row->instance].name, exact[0],
                   exact[1], exact[2]);
            printf("         steps printed     error    printed        time     printed\n");
            printf("  exact %6d       -         -          - %8.0f ns           -\n", steps,
                   1e9 * seconds_per_solve(row));
            continue;
        }
        double error =
            hypot(hypot(impulse[0] - exact[0], impulse[1] - exact[1]), impulse[2] - exact[2]);
        printf("  %-5s %6d  %6d  %.2e   %.2e %8.0f ns %8.0f us\n", row->name, steps, row->steps,
               error, row->error, 1e9 * seconds_per_solve(row), 1e6 * row->seconds);
    }
    return 0;
}
