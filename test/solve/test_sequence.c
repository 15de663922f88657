/* Several rigid contacts one after another: closed forms, invariants, orders, refusals. */
#include <float.h>
#include <string.h>

#include "support/check.h"
#include "support/multiple/random.h"
#include "support/refusal.h"
#include "support/rigid/impacts.h"

enum { ROWS = MULTIPLE_ROWS };
static const uint64_t SEED = 271828;

static MultipleProblem problem, moved;

/* ---- solving ---- */

typedef struct Outcome {
    double impulse[ROWS], velocity[ROWS];
    CaromResult result;
} Outcome;

static CaromProblem as_rigid(const MultipleProblem *from) {
    CaromProblem rigid = multiple_as_problem(from);
    rigid.model = CAROM_MODEL_RIGID;
    rigid.law = from->law == CAROM_LAW_MONO_STIFFNESS ? CAROM_LAW_ENERGETIC : from->law;
    return rigid;
}

static CaromStatus solve(const MultipleProblem *from, CaromChoice choose, void *context,
                         Outcome *answer) {
    CaromProblem rigid = as_rigid(from);
    answer->result = (CaromResult){.impulse = answer->impulse, .velocity = answer->velocity};
    return carom_sequence_solve(&rigid, choose, context, &answer->result);
}

/* A row of balls with gaps of 0, normals alone: contact i is between balls i and i + 1, with the
 * normal into ball i. With a wall: one more contact after the last ball. */
static void make_row(int balls, const double *mass, const double *speed, int wall, double e) {
    double A[MULTIPLE_CONTACTS * MULTIPLE_CONTACTS] = {0}, v[MULTIPLE_CONTACTS] = {0};
    int n = balls - 1 + wall;
    for (int i = 0; i < n; i++) {
        int last = i == balls - 1;
        A[i * n + i] = 1 / mass[i] + (last ? 0 : 1 / mass[i + 1]);
        if (i > 0) {
            A[i * n + i - 1] = A[(i - 1) * n + i] = -1 / mass[i];
        }
        v[i] = (last ? 0 : speed[i + 1]) - speed[i];
    }
    multiple_frictionless(&problem, n, A, v);
    for (int i = 0; i < n; i++) {
        problem.contacts[i].e = e;
    }
}

/* The speeds of the balls after it. */
static void row_speeds(int balls, const double *mass, const double *speed, int n,
                       const double *impulse, double *after) {
    for (int i = 0; i < balls; i++) {
        double push = (i > 0 ? impulse[3 * i - 1] : 0) - (i < n ? impulse[3 * i + 2] : 0);
        after[i] = speed[i] + push / mass[i];
    }
}

/* ---- orders ---- */

/* Always the first or always the last that approaches, or a contact listed first. */
static int choose_first(void *context, int count, const int *contacts, const double *speeds) {
    (void)context, (void)count, (void)contacts, (void)speeds;
    return 0;
}

static int choose_last(void *context, int count, const int *contacts, const double *speeds) {
    (void)context, (void)contacts, (void)speeds;
    return count - 1;
}

static int choose_wrong(void *context, int count, const int *contacts, const double *speeds) {
    (void)contacts, (void)speeds;
    return *(int *)context < 0 ? -1 : count;
}

/* Independent of the library: balls on a line, the contact chosen as above. */
static void bounce_row(int balls, const double *mass, double *speed, double e, CaromChoice choose) {
    for (;;) {
        int list[MULTIPLE_CONTACTS], count = 0;
        double speeds[MULTIPLE_CONTACTS];
        for (int i = 0; i + 1 < balls; i++) {
            double approach = speed[i] - speed[i + 1];
            if (approach > 1e-15) {
                list[count] = i;
                speeds[count++] = approach;
            }
        }
        if (count == 0) {
            return;
        }
        int i = list[choose(NULL, count, list, speeds)];
        double p = (1 + e) * (speed[i] - speed[i + 1]) / (1 / mass[i] + 1 / mass[i + 1]);
        speed[i] -= p / mass[i];
        speed[i + 1] += p / mass[i + 1];
    }
}

/* ---- closed forms ---- */

/* A heavy ball drives a light one against a wall: ceil(pi/theta) - 1 impacts, theta =
 * atan(sqrt(m/M)), that turn the velocity in the plane (sqrt(M) V, sqrt(m) v) by 2 theta each pair.
 */
static void balls_and_wall_count_pi(void **state) {
    (void)state;
    static const int impacts[] = {3, 31, 314, 3141};
    double ratio = 1;
    for (int k = 0; k < 4; k++, ratio *= 100) {
        const double mass[] = {ratio, 1}, speed[] = {1, 0};
        double after[2], theta = atan(1 / sqrt(ratio));
        Outcome answer;
        make_row(2, mass, speed, 1, 1);
        assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_OK);
        assert_string_equal(answer.result.message, "");
        assert_int_equal(answer.result.work, impacts[k]);
        assert_int_equal(answer.result.event_count, 4 * impacts[k]);
        row_speeds(2, mass, speed, 2, answer.impulse, after);
        check_close(after[0], cos(2 * theta * ((impacts[k] + 1) / 2)), 1e-13 * impacts[k]);
        check_close(answer.result.energy.change, 0, 1e-13 * ratio * impacts[k]);
    }
}

static void cradles_pass_the_speed_on(void **state) {
    (void)state;
    double mass[21], speed[21] = {1}, after[21];
    for (int i = 0; i < 21; i++) {
        mass[i] = 1;
    }
    for (int balls = 3; balls <= 21; balls += 6) {
        const CaromChoice orders[] = {NULL, choose_first, choose_last};
        for (int k = 0; k < 3; k++) {
            Outcome answer;
            make_row(balls, mass, speed, 0, 1);
            assert_int_equal(solve(&problem, orders[k], NULL, &answer), CAROM_OK);
            assert_int_equal(answer.result.work, balls - 1);
            row_speeds(balls, mass, speed, balls - 1, answer.impulse, after);
            for (int i = 0; i < balls; i++) {
                check_close(after[i], i == balls - 1, 1e-15);
            }
        }
    }
}

/* Both ends come in; masses and e make the order matter. */
static void cradles_in_both_orders(void **state) {
    (void)state;
    const double mass[] = {1, 2, 1.5, 0.7}, start[] = {1, 0.2, 0, -1.3};
    static const double es[] = {0, 0.3, 0.8, 1};
    const CaromChoice orders[] = {choose_first, choose_last};
    for (int balls = 3; balls <= 4; balls++) {
        for (int k = 0; k < 4; k++) {
            double after[2][4], apart = 0;
            for (int order = 0; order < 2; order++) {
                double expected[4];
                Outcome answer;
                memcpy(expected, start, sizeof start);
                bounce_row(balls, mass, expected, es[k], orders[order]);
                make_row(balls, mass, start, 0, es[k]);
                assert_int_equal(solve(&problem, orders[order], NULL, &answer), CAROM_OK);
                row_speeds(balls, mass, start, balls - 1, answer.impulse, after[order]);
                double before = 0, now = 0;
                for (int i = 0; i < balls; i++) {
                    check_close(after[order][i], expected[i], 1e-12); /* measured 4e-13 */
                    before += mass[i] * start[i];
                    now += mass[i] * after[order][i];
                }
                check_close(now, before, 1e-13);
            }
            for (int i = 0; i < balls; i++) {
                apart = fmax(apart, fabs(after[0][i] - after[1][i]));
            }
            /* all that is left of e = 0 is the common velocity */
            assert_true(es[k] == 0 ? apart < 1e-12 : apart > 0.01);
        }
    }
}

/* A ball between two walls: impulses (1 + e)(1 + e^2 + ...) and e times that. */
static void infinite_sequences_end(void **state) {
    (void)state;
    static const double es[] = {0, 0.1, 0.5, 0.9, 0.99};
    const double A[] = {1, -1, -1, 1}, v[] = {-1, 1};
    for (int k = 0; k < 5; k++) {
        double e = es[k];
        Outcome answer;
        multiple_frictionless(&problem, 2, A, v);
        problem.contacts[0].e = problem.contacts[1].e = e;
        assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_OK);
        double error =
            fmax(fabs(answer.impulse[2] * (1 - e) - 1), fabs(answer.impulse[5] * (1 - e) - e));
        assert_true(error <= answer.result.error && answer.result.error < 1e-10);
        assert_true(fabs(answer.velocity[2]) <= 1e-13);
    }
    /* with e = 1 it does not */
    Outcome answer;
    problem.contacts[0].e = problem.contacts[1].e = 1;
    assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_NOT_CONVERGED);
    assert_true(isnan(answer.impulse[0]) && isnan(answer.velocity[5]));
}

/* ---- invariants ---- */

static int is_unsolvable(const Outcome *answer) {
    return answer->result.status == CAROM_INVALID_INPUT ||
           answer->result.status == CAROM_NOT_CONVERGED;
}

/* Bodies part, the account closes, v = v- + W I, energy falls; in random problems of all kinds. */
static void invariants(void **state) {
    (void)state;
    int solved = 0, drawn = 0;
    double open = 0, rise = 0, gap = 0;
    for (uint64_t i = 0; i < 60 * MULTIPLE_CLASS_COUNT; i++) {
        Outcome answer;
        multiple_random(SEED, i, &problem);
        int size = multiple_rows(&problem), rows = problem.planar ? 2 : 3;
        for (int k = 0; k < problem.count; k++) {
            problem.contacts[k].stiffness = 1;
        }
        solve(&problem, NULL, NULL, &answer);
        drawn++;
        if (is_unsolvable(&answer)) {
            continue;
        }
        solved++;
        assert_int_equal(answer.result.status, CAROM_OK); /* never energy_gain */
        const CaromEnergy *energy = &answer.result.energy;
        double through = energy->stored + energy->friction_loss, fastest = 0, change = 0;
        for (int k = rows - 1; k < size; k += rows) {
            fastest = fmax(fastest, -problem.v[k]);
        }
        for (int k = 0; k < size; k++) {
            double v = problem.v[k], scale = fabs(v);
            for (int j = 0; j < size; j++) {
                v += problem.W[k * size + j] * answer.impulse[j];
                scale += fabs(problem.W[k * size + j] * answer.impulse[j]);
            }
            if (scale > 0) {
                gap = larger(gap, fabs(v - answer.velocity[k]) / (scale * answer.result.error));
            }
            change += answer.impulse[k] * (problem.v[k] + answer.velocity[k]) / 2;
        }
        for (int k = rows - 1; k < size; k += rows) {
            assert_true(answer.velocity[k] >= -1e-13 * fastest);
            assert_true(answer.impulse[k] >= 0);
        }
        open = larger(open, fabs(change - energy->change) / through);
        open = larger(open, fabs(energy->residual) / through);
        rise = larger(rise, energy->change / through);
    }
    print_message("%d of %d solved; open %.1e, rise %.1e, gap %.1e\n", solved, drawn, open, rise,
                  gap);
    assert_true(solved == drawn);
    assert_true(open < 1e-13); /* measured 5e-15 */
    assert_true(rise <= 0);
    assert_true(gap < 1); /* measured 0.2 */
}

/* The error covers the effect of rounding the input. */
static void error_covers_rounding(void **state) {
    (void)state;
    int compared = 0, loose = 0;
    double worst = 0;
    for (uint64_t i = 0; i < 300 * MULTIPLE_CLASS_COUNT; i++) {
        Outcome here, there;
        double apart = 0, size = 0;
        multiple_random(SEED + 2, i, &problem);
        Random random = random_start(SEED + 2, i);
        for (int k = 0; k < problem.count; k++) {
            problem.contacts[k].stiffness = 1;
        }
        moved = problem;
        multiple_disturb(&random, &moved);
        solve(&problem, NULL, NULL, &here);
        solve(&moved, NULL, NULL, &there);
        if (is_unsolvable(&here) || is_unsolvable(&there) || here.result.message[0]) {
            continue;
        }
        for (int k = 0; k < multiple_rows(&problem); k++) {
            apart = larger(apart, fabs(here.impulse[k] - there.impulse[k]));
            size = larger(size, fabs(here.impulse[k]));
        }
        compared++;
        double ratio = apart / size / here.result.error;
        worst = larger(worst, ratio);
        loose += here.result.error > 1000 * larger(apart / size, 8 * DBL_EPSILON);
    }
    print_message("%d compared, worst %.1e, %d loose\n", compared, worst, loose);
    assert_true(compared > 100 * MULTIPLE_CLASS_COUNT);
    assert_true(worst < 10);            /* measured 1.9 */
    assert_true(10 * loose < compared); /* measured 2 % */
}

/* Put contact i in the place order[i]. */
static void permute(const int *order) {
    int size = multiple_rows(&problem), rows = problem.planar ? 2 : 3;
    moved = problem;
    for (int i = 0; i < size; i++) {
        int row = order[i / rows] * rows + i % rows;
        moved.v[row] = problem.v[i];
        moved.contacts[order[i / rows]] = problem.contacts[i / rows];
        for (int j = 0; j < size; j++) {
            moved.W[row * size + order[j / rows] * rows + j % rows] = problem.W[i * size + j];
        }
    }
}

static void order_of_input_changes_nothing(void **state) {
    (void)state;
    int compared = 0, tied = 0;
    for (uint64_t i = 0; i < 60 * MULTIPLE_CLASS_COUNT; i++) {
        Outcome here, there;
        int order[MULTIPLE_CONTACTS];
        multiple_random(SEED + 1, i, &problem);
        Random random = random_start(SEED, i);
        int rows = problem.planar ? 2 : 3;
        for (int k = 0; k < problem.count; k++) {
            int at = (int)(random_uniform(&random) * (k + 1));
            order[k] = order[at];
            order[at] = k;
            problem.contacts[k].stiffness = 1;
        }
        permute(order);
        solve(&problem, NULL, NULL, &here);
        solve(&moved, NULL, NULL, &there);
        assert_int_equal(here.result.status, there.result.status);
        assert_string_equal(here.result.message, there.result.message);
        if (is_unsolvable(&here)) {
            continue;
        }
        if (here.result.message[0]) {
            tied++;
            continue;
        }
        compared++;
        for (int k = 0; k < multiple_rows(&problem); k++) {
            int row = order[k / rows] * rows + k % rows;
            assert_true(here.impulse[k] == there.impulse[row]);
            assert_true(here.velocity[k] == there.velocity[row]);
        }
    }
    print_message("%d compared, %d tied\n", compared, tied);
    assert_true(compared > 10 * MULTIPLE_CLASS_COUNT);
}

static void ties_are_told(void **state) {
    (void)state;
    const double mass[] = {1, 2, 1}, tie[] = {1, 0, -1}, other[] = {1, 0, -1 - 1e-11};
    Outcome answer;
    make_row(3, mass, tie, 0, 0.5);
    assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_OK);
    assert_non_null(strstr(answer.result.message, "order"));
    assert_int_equal(solve(&problem, choose_first, NULL, &answer), CAROM_OK);
    assert_string_equal(answer.result.message, "");
    make_row(3, mass, other, 0, 0.5);
    assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_OK);
    assert_string_equal(answer.result.message, "");
}

/* ---- one contact ---- */

static void one_contact_is_the_direct_call(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        Impact impact = random_impact(SEED, i);
        CaromLaw law = (CaromLaw)(i % 3);
        const double flat[4] = {impact.W[0], impact.W[2], impact.W[6], impact.W[8]};
        const double slow[2] = {impact.v[0], impact.v[2]};
        for (int planar = 0; planar < 2; planar++) {
            Outputs direct, general;
            outputs_begin(&direct);
            outputs_begin(&general);
            CaromProblem one = {.law = law,
                                .contact_count = 1,
                                .inverse_inertia = planar ? flat : impact.W,
                                .velocity = planar ? slow : impact.v,
                                .contacts = &impact.contact,
                                .planar = planar};
            (planar ? carom_planar_solve : carom_rigid_solve)(one.inverse_inertia, one.velocity,
                                                              one.contacts, law, &direct.result);
            CaromOptions options = {.method = CAROM_METHOD_SEQUENCE};
            carom_solve(&one, &options, &general.result);
            assert_memory_equal(direct.impulse, general.impulse, sizeof direct.impulse);
            assert_memory_equal(direct.velocity, general.velocity, sizeof direct.velocity);
            assert_memory_equal(&direct.result.energy, &general.result.energy, sizeof(CaromEnergy));
            assert_int_equal(direct.result.status, general.result.status);
            assert_int_equal(direct.result.event_count, general.result.event_count);
            assert_string_equal(direct.result.sequence, general.result.sequence);
        }
    }
}

/* ---- events and snapshots ---- */

static void snapshots_lead_to_the_result(void **state) {
    (void)state;
    enum { EVENTS = 64 };
    static double impulse[EVENTS * 6], velocity[EVENTS * 6], stored[EVENTS * 2];
    static unsigned char active[EVENTS * 2];
    static CaromEvent events[EVENTS];
    const CaromSnapshots snapshots = {impulse, velocity, stored, active};
    double I[6], v[6];
    multiple_ordinary(&problem);
    problem.contacts[0].e = problem.contacts[1].e = 1;
    CaromProblem rigid = as_rigid(&problem);
    for (int law = 0; law < 3; law++) {
        CaromResult result = {.impulse = I,
                              .velocity = v,
                              .events = events,
                              .event_capacity = EVENTS,
                              .snapshots = &snapshots};
        rigid.law = (CaromLaw)law;
        assert_true(carom_sequence_solve(&rigid, NULL, NULL, &result) >= 0);
        assert_true(result.event_count > 3 && result.event_count <= EVENTS);
        int last = result.event_count - 1, impacts = 0;
        for (int i = 0; i <= last; i++) {
            int contact = events[i].contact, other = 1 - contact;
            impacts += events[i].kind == CAROM_EVENT_ACTIVATION;
            assert_int_equal(active[2 * i + contact],
                             events[i].kind != CAROM_EVENT_RESTITUTION_END);
            assert_true(!active[2 * i + other] && stored[2 * i + other] == 0);
            for (int k = 0; k < 6; k++) {
                double expected = problem.v[k];
                for (int j = 0; j < 6; j++) {
                    expected += problem.W[6 * k + j] * impulse[6 * i + j];
                }
                check_close(velocity[6 * i + k], expected, 1e-13);
            }
        }
        assert_int_equal(impacts, result.work);
        for (int k = 0; k < 6; k++) {
            check_close(impulse[6 * last + k], I[k], 1e-15);
            check_close(velocity[6 * last + k], v[k], 1e-15);
        }
    }
}

/* ---- refusals ---- */

static void check_refused(const char *what, const CaromProblem *wrong, CaromStatus expected,
                          const char *word) {
    Outputs out;
    outputs_begin(&out);
    CaromStatus status = carom_sequence_solve(wrong, NULL, NULL, &out.result);
    int entries = (wrong->planar ? 2 : 3) * wrong->contact_count;
    check_refused_outputs(what, &out, entries, status, expected, word);
    if (wrong->model == CAROM_MODEL_RIGID) {
        CaromOptions options = {.method = CAROM_METHOD_SEQUENCE};
        outputs_begin(&out);
        status = carom_solve(wrong, &options, &out.result);
        check_refused_outputs(what, &out, entries, status, expected, word);
    }
}

/* One field of the ordinary problem is wrong. */
static void check_field(const char *what, double *field, double wrong, const char *word) {
    double kept = *field;
    *field = wrong;
    CaromProblem rigid = as_rigid(&problem);
    check_refused(what, &rigid, CAROM_INVALID_INPUT, word);
    *field = kept;
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    multiple_ordinary(&problem);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 36; i++) {
            check_field("W", &problem.W[i], bad[k], "inverse_inertia");
        }
        for (int i = 0; i < 6; i++) {
            check_field("v", &problem.v[i], bad[k], "contact_velocity");
        }
        for (int i = 0; i < 2; i++) {
            check_field("mu", &problem.contacts[i].mu, bad[k], "mu ");
            check_field("e", &problem.contacts[i].e, bad[k], "e ");
        }
    }
    check_field("e", &problem.contacts[1].e, 1 + DBL_EPSILON, "e ");
    check_field("mu_static", &problem.contacts[1].mu_static, DBL_MIN, "mu_static");
    check_field("asymmetric", &problem.W[1], problem.W[1] + 1e-8, "symmetric");
    check_field("diagonal", &problem.W[14], -1, "positive");
    CaromProblem rigid = as_rigid(&problem);
    rigid.law = CAROM_LAW_MONO_STIFFNESS;
    check_refused("law", &rigid, CAROM_INVALID_INPUT, "restitution");
    rigid.law = (CaromLaw)7;
    check_refused("law", &rigid, CAROM_INVALID_INPUT, "restitution");
    rigid = as_rigid(&problem);
    rigid.model = CAROM_MODEL_COMPLIANT;
    check_refused("model", &rigid, CAROM_INVALID_INPUT, "model");
    CaromOptions options = {.method = CAROM_METHOD_SEQUENCE};
    CaromResult result = {0};
    assert_int_equal(carom_solve(&rigid, &options, &result), CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "method: sequence"));
    problem.v[2] = problem.v[5] = 0;
    rigid = as_rigid(&problem);
    check_refused("leaving", &rigid, CAROM_NOT_APPROACHING, "approach");
    rigid.contact_count = 0;
    check_refused("none", &rigid, CAROM_INVALID_INPUT, "contacts");
}

/* Indefinite between the contacts only; singular is allowed. */
static void indefinite_matrices_are_refused(void **state) {
    (void)state;
    multiple_ordinary(&problem);
    problem.W[2 * 6 + 5] = problem.W[5 * 6 + 2] = 3;
    CaromProblem rigid = as_rigid(&problem);
    check_refused("indefinite", &rigid, CAROM_INVALID_INPUT, "semidefinite");
    multiple_ordinary(&problem);
    problem.W[0] = 0;
    rigid = as_rigid(&problem);
    check_refused("indefinite by a zero", &rigid, CAROM_INVALID_INPUT, "semidefinite");
    /* all contacts of a ball at the same point */
    Outcome answer;
    multiple_ordinary(&problem);
    for (int i = 0; i < 36; i++) {
        problem.W[i] = i / 6 % 3 == i % 6 % 3;
    }
    memcpy(problem.v, (const double[]){0.3, 0, -1, 0.3, 0, -1}, 6 * sizeof(double));
    assert_int_equal(solve(&problem, NULL, NULL, &answer), CAROM_OK);
    assert_int_equal(answer.result.work, 1);
    assert_true(answer.impulse[2] > 0 && answer.impulse[5] == 0);
}

static void wrong_choices_are_refused(void **state) {
    (void)state;
    const double mass[] = {1, 2, 1}, speed[] = {1, 0, -1};
    make_row(3, mass, speed, 0, 0.5);
    for (int side = -1; side <= 1; side += 2) {
        Outcome answer;
        assert_int_equal(solve(&problem, choose_wrong, &side, &answer), CAROM_INVALID_INPUT);
        assert_non_null(strstr(answer.result.message, "choose"));
        assert_true(isnan(answer.impulse[2]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_and_wall_count_pi),
        cmocka_unit_test(cradles_pass_the_speed_on),
        cmocka_unit_test(cradles_in_both_orders),
        cmocka_unit_test(infinite_sequences_end),
        cmocka_unit_test(invariants),
        cmocka_unit_test(error_covers_rounding),
        cmocka_unit_test(order_of_input_changes_nothing),
        cmocka_unit_test(ties_are_told),
        cmocka_unit_test(one_contact_is_the_direct_call),
        cmocka_unit_test(snapshots_lead_to_the_result),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(indefinite_matrices_are_refused),
        cmocka_unit_test(wrong_choices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
