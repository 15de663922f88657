/* Several rigid contacts at impulse level: problems solved by hand, and what is refused. */
#include <string.h>

#include <carom/carom.h>

#include "impulse/impulse.h"
#include "support/check.h"
#include "support/impulse/random.h"
#include "support/math/random.h"

enum { ROOM = 24 };

/* Solve; all outputs in one place. */
typedef struct Outcome {
    double I[ROOM], v[ROOM];
    CaromResult result;
} Outcome;

static void solve(int count, int planar, const double *W, const double *v,
                  const CaromContact *contacts, Outcome *outcome) {
    CaromProblem problem = {.law = CAROM_LAW_NEWTON,
                            .contact_count = count,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = contacts,
                            .planar = planar};
    outcome->result = (CaromResult){.impulse = outcome->I, .velocity = outcome->v};
    carom_solve(&problem, NULL, &outcome->result);
}

static void check_vector(const double *x, const double *expected, int size, double tolerance) {
    for (int i = 0; i < size; i++) {
        check_close(x[i], expected[i], tolerance);
    }
}

/* Three equal balls in a row, e = 1: Moreau's -1/3, 2/3, 2/3. */
static void test_row_of_balls(void **state) {
    (void)state;
    double W[16] = {7, 0, 0, 0, 0, 2, 0, -1, 0, 0, 7, 0, 0, -1, 0, 2};
    double v[4] = {0, -1, 0, 0};
    CaromContact contacts[2] = {{.e = 1}, {.e = 1}};
    Outcome out;
    solve(2, 1, W, v, contacts, &out);
    assert_int_equal(out.result.status, CAROM_OK);
    check_vector(out.I, (double[]){0, 4.0 / 3, 0, 2.0 / 3}, 4, 1e-15);
    check_vector(out.v, (double[]){0, 1, 0, 0}, 4, 1e-15);
    check_close(out.result.energy.change, 0, 1e-15);
    assert_int_equal(out.result.solutions, 1);
    assert_string_equal(out.result.sequence, "");
    assert_int_equal(out.result.event_count, 0);
}

/* A point of mass 1 in a right-angled corner, v- = (-1, -1). Rows: wall x (t = y, n = x), wall y.
 */
static const double CORNER_W[16] = {1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1};
static const double CORNER_V[4] = {-1, -1, -1, -1};

static void test_corner(void **state) {
    (void)state;
    Outcome out;
    for (int i = 0; i <= 4; i++) {
        double e = 0.25 * i;
        CaromContact smooth[2] = {{.e = e}, {.e = e}};
        solve(2, 1, CORNER_W, CORNER_V, smooth, &out);
        check_vector(out.v, (double[]){e, e, e, e}, 4, 1e-15);
        check_vector(out.I, (double[]){0, 1 + e, 0, 1 + e}, 4, 1e-15);
    }
    /* e = 0 with friction: v = 0, and the least impulse lies on both cones: I_n + mu I_n = 1 */
    for (double mu = 0.125; mu < 1; mu *= 2) {
        CaromContact rough[2] = {{.mu = mu}, {.mu = mu}};
        solve(2, 1, CORNER_W, CORNER_V, rough, &out);
        double n = 1 / (1 + mu);
        check_vector(out.v, (double[]){0, 0, 0, 0}, 4, 1e-15);
        check_vector(out.I, (double[]){mu * n, n, mu * n, n}, 4, 1e-14);
    }
    CaromContact rough[2] = {{.mu = 2}, {.mu = 2}};
    solve(2, 1, CORNER_W, CORNER_V, rough, &out);
    check_vector(out.I, (double[]){0.5, 0.5, 0.5, 0.5}, 4, 1e-14);
}

/* A planar block lands flat on two feet at (+-a, -h): N = (1 -+ mu h/a)/2, v_t+ = v_t - mu. */
static void test_block_on_two_feet(void **state) {
    (void)state;
    double a = 0.6, h = 0.8, inverse = 2.5, mu = 0.3, speed = 1.5, W[16], v[4];
    const double J[4][3] = {{1, 0, h}, {0, 1, -a}, {1, 0, h}, {0, 1, a}};
    const double u[3] = {speed, -1, 0}, mobility[3] = {1, 1, inverse};
    for (int i = 0; i < 4; i++) {
        v[i] = J[i][0] * u[0] + J[i][1] * u[1];
        for (int j = 0; j < 4; j++) {
            W[4 * i + j] = 0;
            for (int k = 0; k < 3; k++) {
                W[4 * i + j] += J[i][k] * mobility[k] * J[j][k];
            }
        }
    }
    CaromContact contacts[2] = {{.mu = mu}, {.mu = mu}};
    Outcome out;
    solve(2, 1, W, v, contacts, &out);
    double left = (1 - mu * h / a) / 2, right = (1 + mu * h / a) / 2;
    check_vector(out.I, (double[]){-mu * left, left, -mu * right, right}, 4, 2e-15);
    check_vector(out.v, (double[]){speed - mu, 0, speed - mu, 0}, 4, 2e-15);
    check_close(out.result.energy.friction_loss, mu * (speed + speed - mu) / 2, 2e-15);
    check_close(out.result.energy.normal_loss, 0.5, 2e-15);
    check_close(out.result.energy.residual, 0, 1e-15);
    /* all stick: both parts of the speed are gone */
    contacts[0].mu = contacts[1].mu = 1.6;
    v[0] = v[2] = 0.2;
    solve(2, 1, W, v, contacts, &out);
    check_vector(out.v, (double[]){0, 0, 0, 0}, 4, 2e-15);
}

/* A contact that approaches, and one that separates but may jam (mu d > w): open, slip or stick. */
static void test_three_solutions(void **state) {
    (void)state;
    const double W[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 2, 5};
    const double v[4] = {0, -1, 2, 1};
    CaromContact contacts[2] = {{.mu = 0.5}, {.mu = 3}};
    Outcome out;
    solve(2, 1, W, v, contacts, &out);
    assert_int_equal(out.result.status, CAROM_OK);
    assert_int_equal(out.result.solutions, 3);
    assert_true(out.result.message[0]);
    check_vector(out.I, (double[]){0, 1, -8, 3}, 4, 1e-13);
    check_vector(out.v, (double[]){0, 0, 0, 0}, 4, 1e-14);
    check_close(out.result.energy.change, -7, 1e-13);
    /* the same in space, the second tangent free */
    double W3[36] = {0}, v3[6] = {0, 0, -1, 2, 0, 1};
    W3[0] = W3[7] = W3[14] = W3[28] = W3[21] = 1;
    W3[23] = W3[33] = 2;
    W3[35] = 5;
    solve(2, 0, W3, v3, contacts, &out);
    assert_int_equal(out.result.solutions, 3);
    check_vector(out.I, (double[]){0, 0, 1, -8, 0, 3}, 6, 1e-13);
    /* mu = 2: no jam */
    contacts[1].mu = 2;
    solve(2, 1, W, v, contacts, &out);
    assert_int_equal(out.result.solutions, 1);
    check_vector(out.I, (double[]){0, 1, 0, 0}, 4, 1e-15);
}

/* A ball between two parallel walls cannot leave both at a speed; at e = 0 it stops. */
static void test_between_walls(void **state) {
    (void)state;
    const double W[36] = {3.5, 0, 0, 1,   0, 0, 0, 3.5, 0, 0, 1,   0, 0, 0, 1,  0, 0, -1,
                          1,   0, 0, 3.5, 0, 0, 0, 1,   0, 0, 3.5, 0, 0, 0, -1, 0, 0, 1};
    const double v[6] = {0, 0, -1, 0, 0, 1};
    CaromContact contacts[2] = {{.mu = 0.3, .e = 0.5}, {.mu = 0.3, .e = 0.5}};
    Outcome out;
    solve(2, 0, W, v, contacts, &out);
    assert_int_equal(out.result.status, CAROM_NO_SOLUTION);
    assert_string_equal(carom_status_string(out.result.status), "no_solution");
    assert_true(isnan(out.I[0]) && isnan(out.v[5]) && isnan(out.result.error));
    assert_int_equal(out.result.solutions, 0);
    contacts[0].e = contacts[1].e = 0;
    solve(2, 0, W, v, contacts, &out);
    assert_int_equal(out.result.status, CAROM_OK);
    check_vector(out.v, (double[]){0, 0, 0, 0, 0, 0}, 6, 1e-15);
    check_vector(out.I, (double[]){0, 0, 1, 0, 0, 0}, 6, 1e-14);
}

/* A box falls flat, without spin: a quarter of the impulse at each corner. */
static void test_flat_box(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        MultipleProblem problem = {.planar = 0};
        ImpulseMechanism box = {.twists = 6, .u = {0.3, 0, -1}};
        const double inertia[6] = {1, 1, 1, 3, 4, 5}, up[3] = {0, 0, 1};
        CaromContact contacts[4];
        double e = 0.25 * i, mu = 0.1;
        for (int k = 0; k < 6; k++) {
            box.A[k][k] = inertia[k];
        }
        for (int k = 0; k < 4; k++) {
            double r[3] = {k & 1 ? 1 : -1, k & 2 ? 0.5 : -0.5, 0}; /* centre of mass in the plane */
            impulse_contact(&box, &problem, 0, r, -1, NULL, up);
            contacts[k] = (CaromContact){.mu = mu, .e = e};
        }
        impulse_assemble(&box, &problem);
        Outcome out;
        solve(4, 0, problem.W, problem.v, contacts, &out);
        assert_true(out.result.status >= 0);
        assert_int_equal(out.result.solutions, 1);
        for (int k = 0; k < 4; k++) {
            check_close(out.I[3 * k + 2], (1 + e) / 4, 2e-15);
            check_close(hypot(out.I[3 * k], out.I[3 * k + 1]), mu * (1 + e) / 4, 2e-15);
            check_close(out.v[3 * k + 2], e, 4e-15);
        }
    }
}

/* A box that slides and spins: the corners share the load in many ways, and say so. */
static void test_continuum(void **state) {
    (void)state;
    MultipleProblem problem;
    for (uint64_t index = 0, found = 0; found == 0; index++) {
        assert_true(index < 200);
        impulse_random(3, index, IMPULSE_BOX, &problem);
        Outcome out;
        solve(4, 0, problem.W, problem.v, problem.contacts, &out);
        found = out.result.status >= 0 && out.result.solutions == CAROM_SOLUTIONS_CONTINUUM;
        assert_true(!found || out.result.message[0]);
    }
}

static void check_refused(CaromProblem problem, CaromOptions options, const char *word) {
    double I[6], v[6];
    CaromResult result = {.impulse = I, .velocity = v};
    assert_int_equal(carom_solve(&problem, &options, &result), CAROM_INVALID_INPUT);
    if (!strstr(result.message, word)) {
        fail_msg("\"%s\" does not say \"%s\"", result.message, word);
    }
    assert_true(isnan(I[0]) && isnan(v[0]));
}

static void test_refusals(void **state) {
    (void)state;
    CaromContact contacts[2] = {{.mu = 0.5}, {.mu = 0.5}};
    const double indefinite[16] = {1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, zero[16] = {0};
    CaromProblem good = {.law = CAROM_LAW_NEWTON,
                         .contact_count = 2,
                         .inverse_inertia = CORNER_W,
                         .velocity = CORNER_V,
                         .contacts = contacts,
                         .planar = 1};
    CaromOptions none = {0};
    CaromProblem bad = good;
    bad.law = CAROM_LAW_ENERGETIC; /* the zero default is no choice */
    check_refused(bad, none, "restitution: several rigid contacts take newton's law only");
    bad.law = CAROM_LAW_POISSON;
    check_refused(bad, none, "newton's law only");
    bad.law = CAROM_LAW_MONO_STIFFNESS;
    check_refused(bad, none, "restitution");
    bad = good;
    bad.inverse_inertia = indefinite;
    check_refused(bad, none, "inverse_inertia is not positive semidefinite");
    bad.inverse_inertia = zero;
    check_refused(bad, none, "inverse_inertia");
    bad = good;
    bad.planar = 0;
    double W[36] = {0}, v[6] = {0, 0, -1, 0, 0, -1};
    for (int i = 0; i < 6; i++) {
        W[7 * i] = 1;
    }
    bad.inverse_inertia = W;
    bad.velocity = v;
    check_refused(bad, (CaromOptions){.method = CAROM_METHOD_VS}, "method");
    CaromTrace trace = {.capacity = 10};
    CaromResult result = {0};
    assert_int_equal(carom_trace(&good, NULL, &trace, &result), CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "no process"));
    contacts[1].mu_static = 0.7;
    check_refused(good, none, "mu_static must equal mu");
    contacts[1].mu_static = 0.5;
    contacts[0].stiffness = -1; /* plays no part */
    assert_int_equal(carom_solve(&good, NULL, &result), CAROM_OK);
    const double away[4] = {0, 1, 0, 0};
    good.velocity = away;
    assert_int_equal(carom_solve(&good, NULL, &result), CAROM_NOT_APPROACHING);
}

/* More contacts than fit on the stack: own memory, or the caller's, with the same bits. */
static void test_many_contacts(void **state) {
    (void)state;
    enum { N = 40 };
    static double W[9 * N * N], v[3 * N], I[2][3 * N], after[3 * N], workspace[1 << 21];
    static CaromContact contacts[N];
    for (int i = 0; i < N; i++) { /* a column of blocks that slide */
        for (int k = 0; k < 3; k++) {
            W[(3 * i + k) * (3 * N + 1)] = 2;
            if (i > 0) {
                int a = 3 * i + k, b = 3 * (i - 1) + k;
                W[a * 3 * N + b] = W[b * 3 * N + a] = -1;
            }
        }
        contacts[i] = (CaromContact){.mu = 0.2 + 0.01 * (i % 7), .e = 0};
        v[3 * i] = 0.3;
    }
    v[2] = -1;
    CaromProblem problem = {.law = CAROM_LAW_NEWTON,
                            .contact_count = N,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = contacts};
    assert_true(carom_workspace_size(N) <= sizeof workspace);
    /* as many as impulse.c has on its stack */
    assert_true(crm_impulse_workspace_size(CAROM_STACK_CONTACTS) <= 64000);
    for (int own = 0; own < 2; own++) {
        CaromOptions options = {.workspace = own ? NULL : workspace};
        CaromResult result = {.impulse = I[own], .velocity = after};
        assert_int_equal(carom_solve(&problem, &options, &result), CAROM_OK);
    }
    assert_memory_equal(I[0], I[1], sizeof I[0]);
}

/* Other solvers have one answer. */
static void test_solutions_elsewhere(void **state) {
    (void)state;
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v[3] = {1, 0, -1};
    CaromContact contact = {.mu = 0.3, .e = 0.5};
    for (int model = CAROM_MODEL_RIGID; model <= CAROM_MODEL_COMPLIANT; model++) {
        CaromProblem problem = {.model = (CaromModel)model,
                                .contact_count = 1,
                                .inverse_inertia = W,
                                .velocity = v,
                                .contacts = &contact};
        CaromResult result = {0};
        assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_OK);
        assert_int_equal(result.solutions, 1);
    }
}

/* M and R lead to the same speeds; one contact by hand; failure leaves u alone. */
static void test_strike(void **state) {
    (void)state;
    const double M[4] = {2, 0.5, 0.5, 1}, J[4] = {1, 0.5, 0.25, 1};
    double R[4], factor[4], dense[2] = {1, -2}, fast[2] = {1, -2}, I[2], v[2];
    CaromContact contact = {.mu = 0.1, .e = 0.5};
    CaromStrike strike = {
        .speed_count = 2, .contact_count = 1, .planar = 1, .M = M, .J = J, .contacts = &contact};
    CaromResult result = {.impulse = I, .velocity = v};
    double workspace[512];
    assert_true(carom_strike_workspace(2, 1) <= 512);
    assert_int_equal(carom_strike_solve(&strike, dense, workspace, &result), CAROM_OK);
    /* v_n- = 0.25 - 2 = -1.75 goes to 0.875; v_t stays <= 0: friction along +t */
    check_close(0.25 * dense[0] + dense[1], 0.875, 1e-14);
    check_close(v[1], 0.875, 1e-14);
    check_close(dense[0] + 0.5 * dense[1], v[0], 1e-14);
    assert_true(fabs(I[0]) <= 0.1 * I[1] * (1 + 1e-15));
    assert_int_equal(carom_system_responses(2, M, 2, J, factor, R, NULL), CAROM_OK);
    strike.M = NULL;
    strike.R = R;
    assert_int_equal(carom_strike_solve(&strike, fast, NULL, NULL), CAROM_OK);
    check_vector(fast, dense, 2, 1e-15);
    strike.R = NULL;
    double kept[2] = {1, -2};
    assert_int_equal(carom_strike_solve(&strike, kept, NULL, &result), CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "M and R"));
    strike.R = R;
    kept[1] = 2;
    assert_int_equal(carom_strike_solve(&strike, kept, NULL, &result), CAROM_NOT_APPROACHING);
    check_vector(kept, (double[]){1, 2}, 2, 0);
    assert_true(isnan(I[0]));
}

/* Four corners of a box that is flat on the floor stick. Their velocities are differences of large
 * ones, and so rounded that no body has them: the answer is that of the body, and error says how
 * far it is off. */
static void test_rounded_velocities(void **state) {
    (void)state;
    Random random = random_start(5, 0);
    for (int i = 0; i < 300; i++) {
        CaromBody bodies[2] = {carom_body_default(), carom_body_fixed()};
        CaromSite sites[4];
        CaromContact contacts[4];
        double half[2] = {random_between(&random, 0.2, 1), random_between(&random, 0.2, 1)};
        double size = pow(10, random_between(&random, -13, -9));
        bodies[0].position[2] = random_between(&random, 0.2, 1);
        for (int k = 0; k < 4; k++) {
            sites[k] = (CaromSite){.first = 0, .second = 1, .normal = {0, 0, 1}};
            sites[k].point[0] = (k & 1 ? 1 : -1) * half[0];
            sites[k].point[1] = (k & 2 ? 1 : -1) * half[1];
            contacts[k] = (CaromContact){.mu = 0.9};
        }
        random_vector(&random, 0.01, bodies[0].velocity);
        random_vector(&random, 0.01, bodies[0].angular_velocity);
        bodies[0].velocity[2] = -1;
        double W[144], v[12];
        carom_bodies_contact_space(bodies, 2, sites, 4, W, v, NULL);
        for (int k = 0; k < 12; k++) {
            v[k] += size * random_between(&random, -1, 1);
        }
        Outcome out;
        solve(4, 0, W, v, contacts, &out);
        assert_int_equal(out.result.status, CAROM_OK);
        check_vector(out.v, (double[12]){0}, 12, 10 * size);
        assert_true(out.result.error < 1e4 * size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_row_of_balls),
                                       cmocka_unit_test(test_corner),
                                       cmocka_unit_test(test_block_on_two_feet),
                                       cmocka_unit_test(test_three_solutions),
                                       cmocka_unit_test(test_between_walls),
                                       cmocka_unit_test(test_flat_box),
                                       cmocka_unit_test(test_continuum),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_many_contacts),
                                       cmocka_unit_test(test_solutions_elsewhere),
                                       cmocka_unit_test(test_strike),
                                       cmocka_unit_test(test_rounded_velocities)};
    return cmocka_run_group_tests_name("impulse: closed forms", tests, NULL, NULL);
}
