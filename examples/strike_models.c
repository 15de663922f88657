/* One strike by every model: a foot under a leg comes down on heel and toe (scenes/heel_toe.json),
 * nothing bounces (e = 0). Prints the table of docs/mechanisms.md.
 *
 * M, u and J are the same for all; only the contact model differs. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 4, ROWS = 4 };

static const double M[N * N] = {13.2,  0,     -0.06, 5.4,   /* x of the ankle */
                                0,     13.2,  -0.06, -0.36, /* z */
                                -0.06, -0.06, 0.012, 0,     /* angle of the foot */
                                5.4,   -0.36, 0,     3.3408 /* of the leg */};
static const double J[ROWS * N] = {1, 0, -0.08, 0, /* heel, t */
                                   0, 1, 0.06,  0, /* n */
                                   1, 0, -0.08, 0, /* toe, t */
                                   0, 1, -0.18, 0};
static const double BEFORE[N] = {0.4, -0.7, 0.5, -1.2};

/* One line of the table. */
typedef struct Row {
    const char *name;
    CaromModel model;
    CaromMethod method;
    double toe, ratio; /* stiffness of the toe, that of the heel being 1; stiffness_ratio */
} Row;

static int solve_row(const Row *row, const double *R, const double *W, const double *v) {
    const CaromContact contacts[2] = {
        {.mu = 0.6, .stiffness = 1, .stiffness_ratio = row->ratio},
        {.mu = 0.6, .stiffness = row->toe, .stiffness_ratio = row->ratio}};
    const CaromProblem problem = {.model = row->model,
                                  .law = row->model == CAROM_MODEL_RIGID ? CAROM_LAW_NEWTON
                                                                         : CAROM_LAW_ENERGETIC,
                                  .contact_count = 2,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contacts,
                                  .planar = 1};
    double impulse[ROWS], after[ROWS], u[N];
    CaromOptions options = carom_options_default();
    CaromResult result = {.impulse = impulse, .velocity = after};
    options.method = row->method;
    if (carom_solve(&problem, &options, &result) < 0) {
        fprintf(stderr, "%s: %s\n", carom_status_string(result.status), result.message);
        return 1;
    }
    memcpy(u, BEFORE, sizeof u);
    carom_system_apply(N, ROWS, R, impulse, u);
    double before = carom_system_energy(N, M, BEFORE), lost = before - carom_system_energy(N, M, u);
    printf("%-10s %5.2f %5.1f   slip %6.3f   heel %5.2f toe %5.2f   lost %5.2f\n", row->name,
           row->toe, row->ratio, after[0] + 0.0, impulse[1], impulse[3], lost);
    return fabs(lost + result.energy.change) < 1e-9 * before ? 0 : 1;
}

int main(void) {
    const Row rows[] = {{"rigid", CAROM_MODEL_RIGID, CAROM_METHOD_EXACT, 0, 0},
                        {"sequence", CAROM_MODEL_RIGID, CAROM_METHOD_SEQUENCE, 0, 0},
                        {"compliant", CAROM_MODEL_COMPLIANT, CAROM_METHOD_EXACT, 1, 4},
                        {"compliant", CAROM_MODEL_COMPLIANT, CAROM_METHOD_EXACT, 1, 1.3},
                        {"compliant", CAROM_MODEL_COMPLIANT, CAROM_METHOD_EXACT, 1, 0.5},
                        {"compliant", CAROM_MODEL_COMPLIANT, CAROM_METHOD_EXACT, 0.25, 1.3},
                        {"compliant", CAROM_MODEL_COMPLIANT, CAROM_METHOD_EXACT, 4, 1.3}};
    double factor[N * N], R[ROWS * N], W[ROWS * ROWS], v[ROWS];
    const char *message = "";
    int failed = carom_system_responses(N, M, ROWS, J, factor, R, &message) ||
                 carom_system_contact_space(N, ROWS, J, R, BEFORE, W, v, &message);
    printf("before: slip %.3f, heel and toe come down at %.2f and %.2f m/s\n", v[0], -v[1], -v[3]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !failed; i++) {
        failed = solve_row(&rows[i], R, W, v);
    }
    return failed;
}
