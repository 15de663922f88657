/* Contacts that the mechanism cannot move in every direction: W is singular. An answer
 * that is defined is found, as a limit; otherwise W is refused by name. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/rigid/truth.h"

enum { SEED = 7341, CASES = 20000 };

typedef struct Outcome {
    CaromStatus status;
    double impulse[3], velocity[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} Outcome;

static void outcome_begin(Outcome *out) {
    memset(out, 0x55, sizeof *out);
    out->result.impulse = out->impulse;
    out->result.velocity = out->velocity;
    out->result.events = out->events;
    out->result.event_capacity = CAROM_RIGID_EVENTS;
}

static void solve(const Impact *impact, Outcome *out) {
    outcome_begin(out);
    out->status =
        carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &out->result);
}

static void solve_planar(const Impact *planar, Outcome *out) {
    outcome_begin(out);
    out->status =
        carom_planar_solve(planar->W, planar->v, &planar->contact, planar->law, &out->result);
}

static void check_refused(const Outcome *out, const char *word) {
    assert_int_equal(out->status, CAROM_INVALID_INPUT);
    if (strstr(out->result.message, word) == NULL) {
        fail_msg("\"%s\" does not name \"%s\"", out->result.message, word);
    }
    assert_true(isnan(out->impulse[0]) && isnan(out->velocity[0]) && isnan(out->result.error));
    assert_int_equal(out->result.event_count, 0);
}

/* Finite, account closed, in the cone, parting. */
static void check_lawful(const Impact *impact, const Outcome *out) {
    const CaromEnergy *energy = &out->result.energy;
    double mu = impact_mu_static(impact), p = out->impulse[2];
    double through = energy->stored + energy->released + energy->friction_loss;
    int good = out->status >= 0 && p > 0 && out->velocity[2] >= -1e-12 * fabs(impact->v[2]);
    good &= fabs(energy->residual) <= (1e-11 + 64 * out->result.error) * through;
    good &= hypot(out->impulse[0], out->impulse[1]) <= mu * p * (1 + 1e-11);
    for (int i = 0; i < 3; i++) {
        good &= isfinite(out->impulse[i]) && isfinite(out->velocity[i]);
    }
    if (!good) {
        print_error("%s %s\n", carom_status_string(out->status), out->result.message);
        impact_print(impact);
        fail();
    }
}

static Impact random_contact(Random *random, uint64_t index) {
    Impact impact = {.contact = carom_contact_default(), .law = (CaromLaw)(index % 3)};
    impact.contact.mu = random_log(random, 0.02, 5);
    impact.contact.e = random_uniform(random);
    if (index % 4 == 1) {
        impact.contact.mu_static = impact.contact.mu * (1 + random_uniform(random));
    }
    return impact;
}

/* A tangent that can move, along (c, s), and one that cannot. In the plane of the first: mobility
 * B, coupling d, W_nn. */
typedef struct Rail {
    double c, s, B, d, w;
} Rail;

static Rail random_rail(Random *random) {
    double angle = 6.283185307179586 * random_uniform(random);
    Rail rail = {.c = cos(angle), .s = sin(angle)};
    rail.B = random_log(random, 0.1, 10);
    rail.w = random_log(random, 0.1, 10);
    rail.d = 0.98 * (2 * random_uniform(random) - 1) * sqrt(rail.B * rail.w);
    return rail;
}

static void rail_matrix(const Rail *rail, double W[9]) {
    double c = rail->c, s = rail->s, B = rail->B;
    double full[9] = {B * c * c,   B * c * s,   rail->d * c, B * c * s, B * s * s,
                      rail->d * s, rail->d * c, rail->d * s, rail->w};
    memcpy(W, full, sizeof full);
}

/* ---- one tangent locked ---- */

/* Slip along the rail, or none: the planar impact of the rail. Measured: 1.3e-14 at
 * c^2 = 0.96. */
static void along_the_rail(void **state) {
    (void)state;
    double worst = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        Random random = random_start(SEED, i);
        Rail rail = random_rail(&random);
        Impact impact = random_contact(&random, i), planar = impact;
        double slip = i % 8 == 7 ? 0 : (i % 2 ? 1 : -1) * random_log(&random, 0.01, 10);
        double W[4] = {rail.B, rail.d, rail.d, rail.w}, v[2] = {slip, -1};
        rail_matrix(&rail, impact.W);
        impact.v[0] = slip * rail.c;
        impact.v[1] = slip * rail.s;
        impact.v[2] = -1;
        memcpy(planar.W, W, sizeof W);
        memcpy(planar.v, v, sizeof v);
        Outcome out, expected;
        solve(&impact, &out);
        solve_planar(&planar, &expected);
        check_lawful(&impact, &out);
        assert_int_equal(out.status, expected.status);
        assert_string_equal(out.result.sequence, expected.result.sequence);
        assert_int_equal(out.result.event_count, expected.result.event_count);
        double size = hypot(expected.impulse[0], expected.impulse[1]);
        double along = rail.c * out.impulse[0] + rail.s * out.impulse[1];
        double across = rail.c * out.impulse[1] - rail.s * out.impulse[0];
        double error = fabs(along - expected.impulse[0]) + fabs(across) +
                       fabs(out.impulse[2] - expected.impulse[1]);
        worst = larger(worst, error / size);
        check_close(rail.c * out.velocity[1] - rail.s * out.velocity[0], 0,
                    1e-14 * (1 + fabs(slip)));
    }
    print_message("largest error %.2e\n", worst);
    assert_true(worst <= 1e-13);
}

/* Slip with a part across the rail: that part stays, so the slip never stops. Against the series in
 * long double, which know nothing of rails. Measured: 1.2e-13 where the slip turns fastest. */
static void across_the_rail(void **state) {
    (void)state;
    double worst = 0;
    int most = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        Random random = random_start(SEED + 1, i);
        Rail rail = random_rail(&random);
        Impact impact = random_contact(&random, i);
        double along = (i % 2 ? 1 : -1) * random_log(&random, 0.01, 10);
        double across = (i % 4 < 2 ? 1 : -1) * random_log(&random, 0.001, 10);
        rail_matrix(&rail, impact.W);
        impact.v[0] = along * rail.c - across * rail.s;
        impact.v[1] = along * rail.s + across * rail.c;
        impact.v[2] = -1;
        Outcome out;
        solve(&impact, &out);
        check_lawful(&impact, &out);
        double after = rail.c * out.velocity[1] - rail.s * out.velocity[0];
        check_close(after, across, 1e-12 * (fabs(along) + fabs(across)));
        most = out.result.work > most ? out.result.work : most;
        if (i % 8 == 0) {
            Answer truth = truth_solve(&impact), answer = answer_of_library(&impact);
            assert_string_equal(answer.sequence, truth.sequence);
            worst = larger(worst, answer_error(&impact, &answer, &truth));
        }
    }
    print_message("largest error %.2e, at most %d pieces\n", worst, most);
    assert_true(worst <= 1e-12);
}

/* The same as the limit of rails that give a little: the error falls with the give. Measured: 15
 * times the give. */
static void limit_of_a_soft_rail(void **state) {
    (void)state;
    double worst[2] = {0, 0};
    for (uint64_t i = 0; i < 500; i++) {
        Random random = random_start(SEED + 2, i);
        Rail rail = random_rail(&random);
        Impact impact = random_contact(&random, i);
        rail_matrix(&rail, impact.W);
        impact.v[0] = 3 * rail.c - rail.s;
        impact.v[1] = 3 * rail.s + rail.c;
        impact.v[2] = -1;
        Answer hard = answer_of_library(&impact);
        for (int k = 0; k < 2; k++) {
            Impact soft = impact;
            double give = (k ? 1e-7 : 1e-5) * rail.B;
            soft.W[0] += give * rail.s * rail.s;
            soft.W[1] -= give * rail.s * rail.c;
            soft.W[3] = soft.W[1];
            soft.W[4] += give * rail.c * rail.c;
            Answer answer = answer_of_library(&soft);
            worst[k] = larger(worst[k], answer_error(&impact, &answer, &hard));
        }
    }
    print_message("give 1e-5: %.1e, 1e-7: %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] <= 1e-3 && worst[1] <= 0.02 * worst[0]);
}

/* The second tangent of a planar mechanism with three rows, J_t2 not quite 0. */
static void noise_across(void **state) {
    (void)state;
    static const double noises[] = {0, 1e-30, 6e-17, -1e-16};
    Outcome first, out;
    for (int i = 0; i < 4; i++) {
        double j = noises[i];
        Impact impact = {.W = {1.5, j, 0.4, j, j * j, 0.3 * j, 0.4, 0.3 * j, 1},
                         .v = {0.5, j, -1},
                         .contact = carom_contact_default()};
        impact.contact.mu = 0.6;
        impact.contact.e = 0.5;
        solve(&impact, &out);
        check_lawful(&impact, &out);
        if (i == 0) {
            first = out;
        }
        assert_string_equal(out.result.sequence, "lscr");
        for (int k = 0; k < 3; k++) {
            check_close(out.impulse[k], first.impulse[k], 1e-15);
        }
    }
}

/* ---- both locked ---- */

static void both_locked(void **state) {
    (void)state;
    Impact impact = {
        .W = {0, 0, 0, 0, 0, 0, 0, 0, 2}, .v = {0.3, -0.4, -1}, .contact = carom_contact_default()};
    Outcome out;
    impact.contact.mu = 0.5;
    impact.contact.e = 0.5;
    solve(&impact, &out);
    check_lawful(&impact, &out);
    assert_string_equal(out.result.sequence, "lcr");
    static const double I[3] = {-0.225, 0.3, 0.75};
    for (int k = 0; k < 3; k++) {
        check_close(out.impulse[k], I[k], 1e-15);
        check_close(out.velocity[k], k < 2 ? impact.v[k] : 0.5, 1e-15);
    }
    /* at rest: nothing says where friction would point */
    impact.v[0] = impact.v[1] = 0;
    solve(&impact, &out);
    check_lawful(&impact, &out);
    assert_string_equal(out.result.sequence, "scr");
    assert_true(out.impulse[0] == 0 && out.impulse[1] == 0);
    check_close(out.impulse[2], 0.75, 1e-15);
}

/* ---- the normal ---- */

static void normal_locked(void **state) {
    (void)state;
    static const double W[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 0}, {0}};
    for (int i = 0; i < 2; i++) {
        Impact impact = {.v = {0.3, -0.4, -1}, .contact = carom_contact_default()};
        Outcome out;
        memcpy(impact.W, W[i], sizeof W[i]);
        solve(&impact, &out);
        check_refused(&out, "the mechanism cannot move along the normal");
    }
}

/* Two degrees of freedom whose point moves on a slanting surface with normal (-x, 1): W (-x, 1) =
 * 0. Outside the friction cone that is an impact like others; inside it is one only as long as the
 * slip does not stop. Against the series in long double. Measured: 1.1e-13. */
static void slanting_surface(void **state) {
    (void)state;
    double worst = 0;
    int solved = 0, refused = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        Random random = random_start(SEED + 3, i);
        Impact impact = random_contact(&random, i);
        double a[2], b[2], slant = random_log(&random, 0.1, 5);
        double angle = 6.283185307179586 * random_uniform(&random);
        double x[2] = {slant * cos(angle), slant * sin(angle)};
        for (int k = 0; k < 2; k++) {
            a[k] = 2 * random_uniform(&random) - 1;
            b[k] = 2 * random_uniform(&random) - 1;
        }
        /* two velocities on the surface, v_n = x.v_t */
        double u[3] = {a[0], a[1], x[0] * a[0] + x[1] * a[1]};
        double v[3] = {b[0], b[1], x[0] * b[0] + x[1] * b[1]};
        for (int k = 0; k < 9; k++) {
            impact.W[k] = u[k / 3] * u[k % 3] + v[k / 3] * v[k % 3];
        }
        double sine = fabs(a[0] * b[1] - a[1] * b[0]);
        double lean = 3 * sqrt(random_uniform(&random));
        impact.v[0] = -x[0] / (slant * slant) - lean * x[1];
        impact.v[1] = -x[1] / (slant * slant) + lean * x[0];
        impact.v[2] = -1;
        double mu = impact_mu_static(&impact);
        if (impact.W[8] < 0.05 || sine < 0.1 || fabs(slant - mu) < 0.05 * slant) {
            continue;
        }
        Outcome out;
        solve(&impact, &out);
        if (out.status == CAROM_INVALID_INPUT) {
            assert_true(slant <= mu);
            check_refused(&out, "wedge");
            refused++;
            continue;
        }
        check_lawful(&impact, &out);
        solved++;
        if (slant > mu && i % 4 == 0) {
            Answer truth = truth_solve(&impact), answer = answer_of_library(&impact);
            double error = answer_error(&impact, &answer, &truth);
            if (!(error <= 1e-11)) {
                impact_print(&impact);
                fail_msg("error %.3g, %s, %s", error, answer.sequence, truth.sequence);
            }
            worst = larger(worst, error);
        }
    }
    print_message("%d solved, %d refused, largest error %.2e\n", solved, refused, worst);
    assert_true(solved > 1000 && refused > 1000);
}

/* One degree of freedom with three rows: the planar case below on a rail. */
static void striker(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        double angle = 0.5 * i, t = i % 2 ? 0.7 : -0.7, mu = i % 3 == 2 ? 2 : 0.4;
        double j[3] = {t * cos(angle), t * sin(angle), 1};
        Impact impact = {.contact = carom_contact_default()};
        Impact planar = {.W = {t * t, t, t, 1}, .v = {-t, -1}, .contact = impact.contact};
        for (int k = 0; k < 9; k++) {
            impact.W[k] = j[k / 3] * j[k % 3];
            impact.v[k / 3] = -j[k / 3];
        }
        impact.contact.mu = planar.contact.mu = mu;
        impact.contact.e = planar.contact.e = 0.5;
        for (int law = 0; law < 3; law++) {
            Outcome out, expected;
            impact.law = planar.law = (CaromLaw)law;
            solve(&impact, &out);
            solve_planar(&planar, &expected);
            assert_int_equal(out.status, expected.status);
            assert_int_equal(out.status < 0, mu == 2 && law != CAROM_LAW_POISSON);
            if (out.status >= 0) {
                check_lawful(&impact, &out);
                check_close(out.impulse[2], expected.impulse[1], 4e-15);
                check_close(cos(angle) * out.impulse[0] + sin(angle) * out.impulse[1],
                            expected.impulse[0], 4e-15);
                check_close(out.velocity[2], expected.velocity[1], 4e-15);
            }
        }
    }
}

/* ---- in the plane ---- */

static Impact make_planar(double Wtt, double Wtn, double vt, double mu, double e) {
    Impact planar = {.W = {Wtt, Wtn, Wtn, 1}, .v = {vt, -1}, .contact = carom_contact_default()};
    planar.contact.mu = mu;
    planar.contact.e = e;
    return planar;
}

/* A mechanism with one degree of freedom strikes: both velocities vanish at once. Where friction
 * can hold it there is nothing to part the bodies; where it cannot, they part. */
static void one_degree_of_freedom(void **state) {
    (void)state;
    /* J = (a, 1), m = 1, u = -1 */
    static const double slopes[] = {-2, -0.5, 0.3, 1, 3};
    for (int i = 0; i < 5; i++) {
        double a = slopes[i];
        Impact planar = make_planar(a * a, a, -a, 0.5 / fabs(a), 0.5);
        Outcome out;
        solve_planar(&planar, &out);
        /* speed 1 is stopped at p_c = 1/(1 + mu |a|) = 2/3; then u' = 1 - mu |a| = 1/2, with
         * E = p_c/8, so u = sqrt(E) */
        double u = sqrt(1. / 12);
        assert_int_equal(out.status, CAROM_OK);
        assert_int_equal(out.result.sequence[3], 'r');
        check_close(out.velocity[1], u, 1e-15);
        check_close(out.velocity[0], a * u, 2e-15 * fabs(a));
        check_close(out.impulse[1], 2. / 3 + 2 * u, 2e-15);
        /* wedged: |1/a| <= mu */
        planar.contact.mu = 2 / fabs(a);
        solve_planar(&planar, &out);
        check_refused(&out, "wedge");
        planar.law = CAROM_LAW_NEWTON;
        solve_planar(&planar, &out);
        check_refused(&out, "wedge");
        /* a law that does not ask what moves, or nothing to give back */
        planar.law = CAROM_LAW_POISSON;
        solve_planar(&planar, &out);
        assert_int_equal(out.status, CAROM_OK);
        check_close(out.impulse[1], 1.5 / 3, 1e-15);
        check_close(out.velocity[1], 0, 1e-15);
        planar.law = CAROM_LAW_ENERGETIC;
        planar.contact.e = 0;
        solve_planar(&planar, &out);
        assert_int_equal(out.status, CAROM_OK);
        check_close(out.impulse[1], 1. / 3, 1e-15);
        check_close(out.velocity[1], 0, 1e-15);
    }
}

/* c^2 = 1 - delta, with delta down to rounding: solved or refused by name, never
 * anything that is not finite. */
static void planar_nearly_singular(void **state) {
    (void)state;
    int solved = 0, refused = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        Random random = random_start(SEED + 5, i);
        Impact planar = random_contact(&random, i);
        double delta = random_log(&random, 1e-18, 1e-9);
        double scale = i % 3 == 0 ? random_log(&random, 1e-40, 1) : 1;
        planar.W[0] = scale * random_log(&random, 0.1, 10);
        planar.W[3] = 1;
        planar.W[1] = planar.W[2] = (i % 2 ? 1 : -1) * sqrt(planar.W[0]) * sqrt(1 - delta);
        planar.v[0] = i % 5 ? 4 * random_uniform(&random) - 2 : 0;
        planar.v[1] = -1;
        Outcome out;
        solve_planar(&planar, &out);
        if (out.status == CAROM_INVALID_INPUT) {
            check_refused(&out, "wedge");
            refused++;
            continue;
        }
        solved++;
        assert_true(out.status >= 0 && out.result.error >= 0);
        for (int k = 0; k < 2; k++) {
            assert_true(isfinite(out.impulse[k]) && isfinite(out.velocity[k]));
        }
        assert_true(out.velocity[1] >= 0);
    }
    print_message("%d solved, %d refused\n", solved, refused);
    assert_true(solved > 1000 && refused > 1000);
}

/* ---- nearly singular ---- */

/* Mobilities down to rounding, in random axes: solved (with an estimated error) or
 * refused, never anything that is not finite. */
static void nearly_singular(void **state) {
    (void)state;
    int solved = 0, refused = 0, undone = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        Random random = random_start(SEED + 4, i);
        Impact impact = random_contact(&random, i);
        /* W = sum of three squares, the last one small */
        double small = i % 5 == 0 ? 0 : sqrt(random_log(&random, 1e-34, 1e-8));
        for (int k = 0; k < 3; k++) {
            double x[3];
            for (int l = 0; l < 3; l++) {
                x[l] = (k == 2 ? small : 1) * (2 * random_uniform(&random) - 1);
            }
            x[2] = i % 2 && k == 2 ? 0 : x[2];
            for (int l = 0; l < 9; l++) {
                impact.W[l] += x[l / 3] * x[l % 3];
            }
        }
        for (int k = 0; k < 2; k++) {
            impact.v[k] = i % 7 == 0 ? 0 : 2 * random_uniform(&random) - 1;
        }
        impact.v[2] = -1;
        Outcome out;
        solve(&impact, &out);
        if (out.status == CAROM_INVALID_INPUT) {
            assert_true(strstr(out.result.message, "wedge") ||
                        strstr(out.result.message, "positive"));
            refused++;
        } else if (out.status == CAROM_NOT_CONVERGED) {
            undone++;
        } else {
            for (int k = 0; k < 3; k++) {
                assert_true(isfinite(out.impulse[k]) && isfinite(out.velocity[k]));
            }
            assert_true(out.result.error >= 0);
            solved++;
        }
    }
    print_message("%d solved, %d refused, %d not converged\n", solved, refused, undone);
    assert_true(solved > CASES / 2);
}

/* Where a tangent and the normal move as one, stick pins v_n to 0; rounding must not leave it
 * below.
 */
static void pinned(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        double a = 1.1115097537500815 + 1e-3 * i, b = 1.1063927031522055;
        Impact impact = {.W = {a, b, b, b, b, b, b, b, b},
                         .v = {2.4783935546875, -1.5687255859375, -1.5687255859375},
                         .contact = carom_contact_default(),
                         .law = CAROM_LAW_POISSON};
        Outcome out;
        impact.contact.mu = 1.5687255859375;
        impact.contact.e = 0.392181396484375;
        solve(&impact, &out);
        check_lawful(&impact, &out);
        assert_true(out.velocity[2] >= 0);
    }
}

/* The process of a locked contact can be sampled like any other. */
static void trace(void **state) {
    (void)state;
    Rail rail = {.c = 0.6, .s = 0.8, .B = 2, .d = 0.5, .w = 1};
    Impact impact = {.contact = carom_contact_default()};
    impact.contact.mu = 0.5;
    impact.contact.e = 0.5;
    rail_matrix(&rail, impact.W);
    for (int k = 0; k < 2; k++) {
        impact.v[0] = 0.6 - 0.8 * k;
        impact.v[1] = 0.8 + 0.6 * k;
        impact.v[2] = -1;
        CaromProblem problem = {.contact_count = 1,
                                .inverse_inertia = impact.W,
                                .velocity = impact.v,
                                .contacts = &impact.contact};
        double v[3 * 50], stored[50];
        CaromTrace samples = {.capacity = 50, .velocity = v, .stored = stored};
        assert_int_equal(carom_trace(&problem, NULL, &samples, NULL), CAROM_OK);
        for (int i = 0; i < 50; i++) {
            check_close(0.6 * v[3 * i + 1] - 0.8 * v[3 * i], k, 1e-13);
            assert_true(stored[i] >= -1e-15);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_the_rail),
        cmocka_unit_test(across_the_rail),
        cmocka_unit_test(limit_of_a_soft_rail),
        cmocka_unit_test(noise_across),
        cmocka_unit_test(both_locked),
        cmocka_unit_test(normal_locked),
        cmocka_unit_test(slanting_surface),
        cmocka_unit_test(striker),
        cmocka_unit_test(one_degree_of_freedom),
        cmocka_unit_test(planar_nearly_singular),
        cmocka_unit_test(nearly_singular),
        cmocka_unit_test(pinned),
        cmocka_unit_test(trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
