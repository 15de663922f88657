/* The library against answers known beforehand: the reference scenes, and the examples of Jia and
 * Wang with exact values. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/rigid/oracle.h"
#include "support/rigid/reference.h"
#include "support/rigid/truth.h"

static ReferenceSet set;

/* One solver on all reference scenes: the largest error, after checking every sequence. */
static double worst_error(Answer (*solve)(const Impact *)) {
    double worst = 0;
    for (int i = 0; i < set.count; i++) {
        Answer answer = solve(&set.impacts[i]);
        double error = answer_error(&set.impacts[i], &answer, &set.answers[i]);
        if (strcmp(answer.sequence, set.answers[i].sequence) != 0 || !(error <= 1e-11)) {
            print_error("case %d (%s): error %.3g, sequence %s, expected %s\n", i, set.tags[i],
                        error, answer.sequence, set.answers[i].sequence);
            fail();
        }
        worst = error > worst ? error : worst;
    }
    return worst;
}

static Oracle *oracle;

static Answer ask_oracle(const Impact *impact) {
    return oracle_solve(oracle, impact);
}

/* The stored answers are good to 1e-11. Measured: 5.8e-12 for each of the three, in the same
 * scenes; CVODE and the series agree to 3.4e-12, the library and the series to 2.9e-15. */
static void scenes_are_solved(void **state) {
    (void)state;
    print_message("library: largest error %.2e\n", worst_error(answer_of_library));
}

static void oracles_agree(void **state) {
    (void)state;
    oracle = oracle_create(1e-13);
    assert_non_null(oracle);
    print_message("series in long double: largest error %.2e\n", worst_error(truth_solve));
    print_message("CVODE: largest error %.2e\n", worst_error(ask_oracle));
    oracle_destroy(oracle);
}

/* The same scenes against the long double series, where the library's own error shows. Measured:
 * 2.9e-15. */
static void scenes_are_solved_to_rounding(void **state) {
    (void)state;
    double worst = 0, sum = 0;
    for (int i = 0; i < set.count; i++) {
        Answer truth = truth_solve(&set.impacts[i]);
        Answer answer = answer_of_library(&set.impacts[i]);
        double error = answer_error(&set.impacts[i], &answer, &truth);
        worst = error > worst ? error : worst;
        sum += error;
    }
    print_message("library against long double: largest %.2e, mean %.2e\n", worst, sum / set.count);
    assert_true(worst <= 2e-14);
}

/* ---- Jia and Wang's tetrahedra and their pin-ball ---- */

typedef struct Example {
    const char *name;
    double mu, e;
    double v[3];
    double impulse[3];
    double tolerance; /* half a unit of the last digit known */
    const char *sequence;
    double compression; /* p_c, or 0 if not known */
} Example;

/* equation (13), symmetrised */
static const double TETRAHEDRON[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                                      1.957465, 2.442355,  1.957465, 2.59042};
static const double PIN[9] = {1.55465,     0.002386755, -0.360808,   0.002386755, 5.15191,
                              -0.00313296, -0.360808,   -0.00313296, 1.105};

/* contact velocity of the tetrahedron with V1 = (-0.1, 0.5, 0.95); other V1 shift it */
#define SHIFTED(vx, vy, vz)                                                                        \
    { -0.26197583 + (vx) + 0.1, 0.38632923 + (vy)-0.5, -0.07685529 + (vz)-0.95 }

static const Example EXAMPLES[] = {
    {"4(a)",
     0.8,
     0.95,
     SHIFTED(-0.1, 0.5, 0.95),
     {-0.00326657, -0.0592263, 0.1007},
     5e-8,
     "csr",
     0.0436313},
    {"4(b)", 0.4, 0.95, SHIFTED(-0.1, 0.5, 0.2), {-0.212362, -0.259965, 1.018842}, 5e-7, "scr", 0},
    {"4(c)", 0.25, 0.95, SHIFTED(-0.1, 0.5, 0.2), {-0.116019, -0.160075, 0.835766}, 5e-7, "cr", 0},
    {"4(d)", 3, 0.95, SHIFTED(-0.1, 0.5, 0.5), {-0.132744, -0.183529, 0.669236}, 5e-7, "scr", 0},
    {"7", 0.25, 0.95, SHIFTED(-0.7, -0.35, -0.5), {-0.181219, -0.188476, 1.377660}, 5e-7, "cr", 0},
    {"10(a)",
     0.35,
     0.95,
     SHIFTED(-0.1, 0.5, 0.2),
     {-0.206643, -0.254474, 0.993728},
     5e-7,
     "csr",
     0},
    {"10(b)", 0.25, 0.95, SHIFTED(-0.1, 0.5, -1), {-0.352069, -0.379768, 2.125630}, 5e-7, "cr", 0},
    {"10(c)",
     0.55,
     0.95,
     SHIFTED(-0.1, 0.5, 0.9),
     {-0.014232, -0.069753, 0.148849},
     5e-7,
     "csr",
     0},
    {"pin-ball",
     0.7,
     0.7,
     {-0.20691338, 0.11765509, -1.50690298},
     {0.7330654, -0.0216048, 2.585018},
     5e-8,
     "scr",
     0},
};

static Impact impact_of(const Example *example) {
    Impact impact = {.contact = carom_contact_default(), .law = CAROM_LAW_ENERGETIC};
    int pin = strcmp(example->name, "pin-ball") == 0;
    memcpy(impact.W, pin ? PIN : TETRAHEDRON, sizeof impact.W);
    memcpy(impact.v, example->v, sizeof impact.v);
    impact.contact.mu = example->mu;
    impact.contact.e = example->e;
    impact.tag = example->name;
    return impact;
}

/* All digits shown, but a unit in the last of them: the contact velocity itself has 8. */
static void published_examples(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        const Example *example = &EXAMPLES[k];
        Impact impact = impact_of(example);
        Answer answer = answer_of_library(&impact);
        print_message("%-8s %s (%.8f, %.8f, %.8f)\n", example->name, answer.sequence,
                      answer.impulse[0], answer.impulse[1], answer.impulse[2]);
        assert_string_equal(answer.sequence, example->sequence);
        for (int i = 0; i < 3; i++) {
            check_close(answer.impulse[i], example->impulse[i], 2 * example->tolerance);
        }
        if (example->compression > 0) {
            check_close(answer.first_compression, example->compression, 5e-8);
        }
    }
}

/* With mu = 0 the first example has the impulse (0, 0, 0.058), and (1 + e) |v_n|/w exactly. */
static void published_frictionless(void **state) {
    (void)state;
    Impact impact = impact_of(&EXAMPLES[0]);
    impact.contact.mu = 0;
    Answer answer = answer_of_library(&impact);
    assert_true(answer.impulse[0] == 0 && answer.impulse[1] == 0);
    check_close(answer.impulse[2], 0.058, 5e-4);
    check_close(answer.impulse[2], 1.95 * 0.07685529 / 2.59042, 1e-16);
}

static void published_stick_ratio(void **state) {
    (void)state;
    check_close(carom_stick_ratio(TETRAHEDRON), 0.3156996, 5e-8);
}

int main(void) {
    if (reference_load(CAROM_SOURCE_DIR "/test/reference/friction.json", &set) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_solved),
        cmocka_unit_test(oracles_agree),
        cmocka_unit_test(scenes_are_solved_to_rounding),
        cmocka_unit_test(published_examples),
        cmocka_unit_test(published_frictionless),
        cmocka_unit_test(published_stick_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
