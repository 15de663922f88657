/* Is CaromResult.error right? Random problems of every kind, measured against the truth: for one
 * rigid contact an independent solver, else the library in long double (support/wide/wide.h). */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/compliant/impacts.h"
#include "support/multiple/families.h"
#include "support/multiple/oracle.h"
#include "support/multiple/random.h"
#include "support/planar/impact.h"
#include "support/rigid/impacts.h"
#include "support/rigid/truth.h"
#include "support/scale.h"
#include "support/wide/wide.h"

/* Of the random problems. */
static unsigned first_seed;

/* An estimate covers an error up to COVER times as large. It is too large if it is more than EXCESS
 * times the error or 8 rounding units. */
#define COVER 10
#define EXCESS 1000

/* Shares that are allowed. */
#define UNCOVERED_SHARE 0.001
#define EXCESS_SHARE 0.1

/* The solver takes a normal speed for 0 that is less of the largest one; in long double this is
 * less, and rounding would be another problem. */
#define AT_REST 1e-14

typedef struct Case {
    CaromProblem problem; /* points into the case */
    double W[MULTIPLE_ROWS * MULTIPLE_ROWS], v[MULTIPLE_ROWS];
    CaromContact contacts[MULTIPLE_CONTACTS];
    int size;      /* rows */
    int rigid;     /* one rigid contact... */
    Impact impact; /* ...as the oracle has it */
} Case;

typedef struct Outcome {
    int ok;
    double error; /* library only */
    char sequence[CAROM_SEQUENCE_SIZE];
    long double impulse[MULTIPLE_ROWS];
} Outcome;

/* ---- problems ---- */

static void point_into(Case *c) {
    c->problem.inverse_inertia = c->W;
    c->problem.velocity = c->v;
    c->problem.contacts = c->contacts;
}

static void take_impact(CaromModel model, const Impact *impact, Case *c) {
    c->impact = *impact;
    c->size = 3;
    c->rigid = model == CAROM_MODEL_RIGID;
    memcpy(c->W, impact->W, sizeof impact->W);
    memcpy(c->v, impact->v, sizeof impact->v);
    c->contacts[0] = impact->contact;
    c->problem = (CaromProblem){
        .model = model, .law = c->rigid ? impact->law : CAROM_LAW_ENERGETIC, .contact_count = 1};
    point_into(c);
}

static const char *draw_rigid(uint64_t index, Case *c) {
    Impact impact = random_impact(first_seed, index);
    take_impact(CAROM_MODEL_RIGID, &impact, c);
    return impact_class_name((ImpactClass)(index % IMPACT_CLASS_COUNT));
}

/* Close to a jam with an ill-conditioned W: random axes, one eigenvalue small, and mu |d| from 0.5
 * to 5 times w. */
static const char *draw_ill(uint64_t index, Case *c) {
    static const char *const names[] = {"cond 1e3 to 1e6, jam", "cond 1e6 to 1e9, jam",
                                        "cond 1e9 to 1e12, jam"};
    static const double least[] = {1e-6, 1e-9, 1e-12};
    int kind = (int)(index % 3);
    Random random = random_start(first_seed + 1, index);
    Impact impact = {.law = (CaromLaw)(index / 3 % 5 < 3 ? 0 : index / 3 % 5 - 2)};
    double axes[3][3], L[3] = {random_log(&random, 0.1, 1), random_log(&random, 0.1, 1), 0};
    L[2] = random_log(&random, least[kind], 1e3 * least[kind]);
    for (int i = 0; i < 3; i++) {
        /* Gram and Schmidt */
        random_vector(&random, 1, axes[i]);
        for (int j = 0; j < i; j++) {
            double along = 0;
            for (int k = 0; k < 3; k++) {
                along += axes[i][k] * axes[j][k];
            }
            for (int k = 0; k < 3; k++) {
                axes[i][k] -= along * axes[j][k];
            }
        }
        double size =
            sqrt(axes[i][0] * axes[i][0] + axes[i][1] * axes[i][1] + axes[i][2] * axes[i][2]);
        for (int k = 0; k < 3; k++) {
            axes[i][k] /= size;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += L[k] * axes[k][i] * axes[k][j];
            }
            impact.W[3 * i + j] = impact.W[3 * j + i] = sum;
        }
    }
    random_vector(&random, 1, impact.v);
    impact.v[2] = -random_between(&random, 0.1, 3);
    double d = sqrt(impact.W[2] * impact.W[2] + impact.W[5] * impact.W[5]);
    impact.contact = carom_contact_default();
    impact.contact.mu = impact.W[8] / d * random_log(&random, 0.5, 5);
    impact.contact.e = random_uniform(&random);
    take_impact(CAROM_MODEL_RIGID, &impact, c);
    return names[kind];
}

static const char *draw_planar(uint64_t index, Case *c) {
    Planar planar = planar_random(first_seed, index);
    memset(c, 0, sizeof *c);
    c->size = 2;
    memcpy(c->W, planar.W, sizeof planar.W);
    memcpy(c->v, planar.v, sizeof planar.v);
    c->contacts[0] = planar.contact;
    c->problem = planar_problem(&planar);
    point_into(c);
    return index % 8 == 1 ? "nearly singular" : "all";
}

static const char *draw_compliant(uint64_t index, Case *c) {
    Impact impact = compliant_random(first_seed, index);
    take_impact(CAROM_MODEL_COMPLIANT, &impact, c);
    return compliant_class_name((CompliantClass)(index % COMPLIANT_CLASS_COUNT));
}

/* Normal speeds that are 0 up to rounding. */
static void come_to_rest(Case *c) {
    int rows = c->size / c->problem.contact_count;
    double largest = 0;
    for (int i = 0; i < c->size; i++) {
        largest = larger(largest, fabs(c->v[i]));
    }
    for (int i = rows - 1; i < c->size; i += rows) {
        c->v[i] = fabs(c->v[i]) < AT_REST * largest ? 0 : c->v[i];
    }
}

static void take_multiple(const MultipleProblem *problem, Case *c) {
    c->size = multiple_rows(problem);
    c->rigid = 0;
    memcpy(c->W, problem->W, sizeof c->W);
    memcpy(c->v, problem->v, sizeof c->v);
    memcpy(c->contacts, problem->contacts, sizeof c->contacts);
    c->problem = multiple_as_problem(problem);
    point_into(c);
    come_to_rest(c);
}

static const char *draw_multiple(uint64_t index, Case *c) {
    MultipleProblem *problem = malloc(sizeof *problem);
    assert_non_null(problem);
    /* one in eight has more than four contacts */
    multiple_random_small(first_seed, index,
                          index / MULTIPLE_CLASS_COUNT % 8 ? 4 : MULTIPLE_CONTACTS, problem);
    take_multiple(problem, c);
    free(problem);
    return multiple_class_name((MultipleClass)(index % MULTIPLE_CLASS_COUNT));
}

/* Bodies, boxes, stacks, feet, balls on a table: a kind is a family with a range of e. */
typedef struct Realistic {
    const char *name;
    MultipleFamily family;
    RestitutionRange range;
} Realistic;

static const Realistic sound[] = {{"body, e 0", FAMILY_BODY, E_ZERO},
                                  {"body, e 0-0.4", FAMILY_BODY, E_LOW},
                                  {"body, e 0.5-1", FAMILY_BODY, E_HIGH},
                                  {"body, e 1", FAMILY_BODY, E_ONE},
                                  {"box, e 0", FAMILY_BOX, E_ZERO},
                                  {"box, e 0-0.4", FAMILY_BOX, E_LOW},
                                  {"box, e 0.5-1", FAMILY_BOX, E_HIGH},
                                  {"box, e 1", FAMILY_BOX, E_ONE},
                                  {"stack of 2, e 0", FAMILY_STACK_2, E_ZERO},
                                  {"stack of 2, e 0-0.4", FAMILY_STACK_2, E_LOW},
                                  {"stack of 2, e 0.5-1", FAMILY_STACK_2, E_HIGH},
                                  {"stack of 2, e 1", FAMILY_STACK_2, E_ONE},
                                  {"stack of 3, e 0", FAMILY_STACK_3, E_ZERO},
                                  {"stack of 3, e 0-0.4", FAMILY_STACK_3, E_LOW},
                                  {"stack of 3, e 0.5-1", FAMILY_STACK_3, E_HIGH},
                                  {"stack of 3, e 1", FAMILY_STACK_3, E_ONE},
                                  {"feet, e 0", FAMILY_FEET, E_ZERO},
                                  {"feet, e 0-0.4", FAMILY_FEET, E_LOW},
                                  {"feet, e 0.5-1", FAMILY_FEET, E_HIGH},
                                  {"feet, e 1", FAMILY_FEET, E_ONE},
                                  {"balls, e 0", FAMILY_BALLS, E_ZERO},
                                  {"balls, e 0-0.4", FAMILY_BALLS, E_LOW},
                                  {"balls, e 0.5-1", FAMILY_BALLS, E_HIGH},
                                  {"balls, e 1", FAMILY_BALLS, E_ONE}};

static const Realistic small_e[] = {{"body, e 0.001-0.05", FAMILY_BODY, E_SMALL},
                                    {"box, e 0.001-0.05", FAMILY_BOX, E_SMALL},
                                    {"stack of 2, 0.001-0.05", FAMILY_STACK_2, E_SMALL},
                                    {"stack of 3, 0.001-0.05", FAMILY_STACK_3, E_SMALL},
                                    {"feet, e 0.001-0.05", FAMILY_FEET, E_SMALL},
                                    {"balls, e 0.001-0.05", FAMILY_BALLS, E_SMALL}};

enum { SOUND = sizeof sound / sizeof *sound, SMALL_E = sizeof small_e / sizeof *small_e };

static const char *draw_realistic(const Realistic *kind, uint64_t index, Case *c) {
    MultipleProblem *problem = malloc(sizeof *problem);
    assert_non_null(problem);
    multiple_family_draw(first_seed, index, kind->family, kind->range, problem);
    take_multiple(problem, c);
    c->problem.model = CAROM_MODEL_COMPLIANT;
    free(problem);
    return kind->name;
}

static const char *draw_sound(uint64_t index, Case *c) {
    return draw_realistic(&sound[index % SOUND], index / SOUND, c);
}

static const char *draw_small_e(uint64_t index, Case *c) {
    return draw_realistic(&small_e[index % SMALL_E], index / SMALL_E, c);
}

/* Two compliant contacts that do not feel each other. */
static const char *draw_uncoupled(uint64_t index, Case *c) {
    static const CompliantClass classes[] = {COMPLIANT_COMMON, COMPLIANT_PLANAR,
                                             COMPLIANT_SINGULAR};
    CompliantClass which = classes[index % 3];
    memset(c, 0, sizeof *c);
    c->size = 6;
    for (int b = 0; b < 2; b++) {
        Impact impact = compliant_random(first_seed + 1 + (uint64_t)b,
                                         index / 3 * COMPLIANT_CLASS_COUNT + (uint64_t)which);
        for (int i = 0; i < 3; i++) {
            memcpy(&c->W[(3 * b + i) * 6 + 3 * b], &impact.W[3 * i], 3 * sizeof *c->W);
        }
        memcpy(&c->v[3 * b], impact.v, sizeof impact.v);
        c->contacts[b] = impact.contact;
    }
    c->problem = (CaromProblem){.model = CAROM_MODEL_COMPLIANT, .contact_count = 2};
    point_into(c);
    return compliant_class_name(which);
}

/* ---- answers ---- */

static void solve_by_library(const Case *c, Outcome *out) {
    double impulse[MULTIPLE_ROWS];
    CaromResult result = {.impulse = impulse};
    out->ok = carom_solve(&c->problem, NULL, &result) >= 0;
    out->error = result.error;
    memcpy(out->sequence, result.sequence, sizeof out->sequence);
    for (int i = 0; i < c->size; i++) {
        out->impulse[i] = impulse[i];
    }
}

static void solve_wide(const Case *c, Outcome *out) {
    WideContact contacts[MULTIPLE_CONTACTS];
    const CaromProblem *p = &c->problem;
    for (int i = 0; i < p->contact_count; i++) {
        const CaromContact *from = &p->contacts[i];
        contacts[i] = (WideContact){from->mu, from->mu_static, from->e, from->stiffness,
                                    from->stiffness_ratio};
    }
    WideProblem problem = {(int)p->model,      (int)p->law, p->contact_count, p->planar,
                           p->inverse_inertia, p->velocity, contacts};
    out->ok = wide_solve(&problem, out->impulse) >= 0;
}

/* Where slip passes zero closer than double precision resolves, the truth is the one that stops. */
static void solve_by_oracle(const Case *c, const Outcome *library, Outcome *out) {
    char found[CAROM_SEQUENCE_SIZE], right[CAROM_SEQUENCE_SIZE];
    Answer truth = truth_solve(&c->impact);
    sequence_without_l(library->sequence, found);
    sequence_without_l(truth.sequence, right);
    truth = strcmp(found, right) == 0 ? truth : truth_solve_stopping(&c->impact);
    out->ok = truth.ok;
    for (int i = 0; i < 3; i++) {
        out->impulse[i] = truth.impulse[i];
    }
}

/* |I - I*| / |I*| */
static double true_error(int size, const Outcome *answer, const Outcome *truth) {
    long double off = 0, all = 0;
    for (int i = 0; i < size; i++) {
        long double difference = answer->impulse[i] - truth->impulse[i];
        off += difference * difference;
        all += truth->impulse[i] * truth->impulse[i];
    }
    return (double)sqrtl(off / all);
}

/* ---- shares ---- */

enum { MOST_KINDS = 32 };

typedef struct Kind {
    const char *name;
    int count, uncovered, excess, without;
    double worst; /* error over estimate */
    double largest;
} Kind;

typedef struct Family {
    const char *name;
    const char *(*draw)(uint64_t index, Case *c);
    int kinds;
} Family;

/* The kind of that name, or the next free one. */
static Kind *find_kind(Kind *kinds, const char *name) {
    while (kinds->name && strcmp(kinds->name, name) != 0) {
        kinds++;
    }
    return kinds;
}

static void count_case(const Case *c, int index, const Outcome *answer, const Outcome *truth,
                       Kind *kind) {
    if (!answer->ok || !truth->ok) {
        kind->without++;
        return;
    }
    double error = true_error(c->size, answer, truth), ratio = error / answer->error;
    kind->count++;
    kind->uncovered += !(ratio <= COVER);
    kind->excess += answer->error > EXCESS * fmax(error, 8 * DBL_EPSILON);
    kind->worst = larger(kind->worst, ratio);
    kind->largest = larger(kind->largest, error);
    if (!(ratio <= COVER)) {
        print_message("not covered: %s, problem %d, error %.1e, estimate %.1e\n", kind->name, index,
                      error, answer->error);
    }
}

/* A share of a full run; of fewer problems (sanitizers) three deviations more */
static double most_of(int count, double share) {
    double mean = share * count;
    return count < 900 ? mean + 3 * sqrt(mean * (1 - share)) : ceil(mean);
}

static void check_family(const Family *family, int per_kind) {
    Kind kinds[MOST_KINDS] = {{0}};
    int wrong = 0, known = 0;
    Case *first = malloc(sizeof *first);
    assert_non_null(first);
    for (int i = 0; i < family->kinds; i++) {
        const char *name = family->draw((uint64_t)i, first);
        Kind *kind = find_kind(kinds, name);
        known += kind->name == NULL;
        kind->name = name;
    }
    free(first);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < per_kind * family->kinds; i++) {
        Case *c = malloc(sizeof *c);
        Outcome answer, truth = {.ok = 0};
        assert_non_null(c);
        const char *name = family->draw((uint64_t)i, c);
        solve_by_library(c, &answer);
        if (c->rigid) {
            solve_by_oracle(c, &answer, &truth);
        } else {
            solve_wide(c, &truth);
        }
#pragma omp critical
        count_case(c, i, &answer, &truth, find_kind(kinds, name));
        free(c);
    }
    for (const Kind *kind = kinds; kind < kinds + known; kind++) {
        int uncovered = kind->uncovered > ceil(UNCOVERED_SHARE * kind->count);
        int excess = kind->excess > most_of(kind->count, EXCESS_SHARE);
        int without = kind->without > (kind->count + 199) / 200;
        print_message("%-10s %-22s %6d %9.2f %9.2f %9.1e %9.1e %8d%s\n", family->name, kind->name,
                      kind->count, 100 - 100.0 * kind->uncovered / kind->count,
                      100.0 * kind->excess / kind->count, kind->worst, kind->largest, kind->without,
                      uncovered || excess || without ? "  wrong" : "");
        wrong += uncovered || excess || without;
    }
    assert_int_equal(wrong, 0);
}

static int per_kind;

static void print_head(void) {
    print_message("%-10s %-22s %6s %9s %9s %9s %9s %8s\n", "model", "kind", "count", "covered %",
                  "excess %", "worst", "error", "no truth");
}

static void one_rigid_contact(void **state) {
    (void)state;
    print_message("seed %u\n", first_seed);
    print_head();
    check_family(&(Family){"rigid", draw_rigid, IMPACT_CLASS_COUNT}, per_kind);
    check_family(&(Family){"rigid", draw_ill, 3}, per_kind);
    check_family(&(Family){"planar", draw_planar, 8}, per_kind);
}

static void one_compliant_contact(void **state) {
    (void)state;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    check_family(&(Family){"compliant", draw_compliant, COMPLIANT_CLASS_COUNT}, per_kind);
}

static void several_compliant_contacts(void **state) {
    (void)state;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    check_family(&(Family){"multiple", draw_multiple, MULTIPLE_CLASS_COUNT}, per_kind);
    check_family(&(Family){"uncoupled", draw_uncoupled, 3}, per_kind);
}

/* Corners that bounce as one are held as one, too. These two have reached the last bounce that is
 * followed at one corner, but not at the other; held one after the other, friction jumped twice,
 * and the answers were wrong by 4e-4 and 3e-4. Measured: 0.2 of the estimate. */
static void corners_are_held_together(void **state) {
    (void)state;
    static const uint64_t numbers[] = {86, 198};
    static MultipleProblem problem;
    static Case c;
    static Outcome answer, truth;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        multiple_family_draw(2, numbers[i], FAMILY_STACK_2, E_LOW, &problem);
        take_multiple(&problem, &c);
        c.problem.model = CAROM_MODEL_COMPLIANT;
        solve_by_library(&c, &answer);
        solve_wide(&c, &truth);
        double error = true_error(c.size, &answer, &truth);
        print_message("stack %d: error %.1e, estimate %.1e\n", (int)numbers[i], error,
                      answer.error);
        assert_true(answer.ok && truth.ok && error <= answer.error);
    }
}

/* Bounces that are cut off: what they do to friction, and what not. Measured, the error over the
 * estimate: 2, 0.02, 0.2; 0.02, 3e-3. */
static void cut_off_bounces(void **state) {
    (void)state;
    static const struct {
        const char *what;
        unsigned seed;
        uint64_t number;
        MultipleFamily family;
        RestitutionRange range;
    } cases[] = {
        {"corners that bounce in turn", 20240611u, 1, FAMILY_STACK_2, E_LOW},
        {"friction falls by as much in each bounce", 1, 7, FAMILY_STACK_3, E_LOW},
        {"friction falls with the bounces", 7, 94, FAMILY_STACK_3, E_SMALL},
        {"only the contact that bounces slips", 20240611u, 21, FAMILY_BALLS, E_SMALL},
        {"all stick inside their cones", 20240611u, 27, FAMILY_STACK_2, E_SMALL},
    };
    static MultipleProblem problem;
    static Case c;
    static Outcome answer, truth;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        multiple_family_draw(cases[i].seed, cases[i].number, cases[i].family, cases[i].range,
                             &problem);
        take_multiple(&problem, &c);
        c.problem.model = CAROM_MODEL_COMPLIANT;
        solve_by_library(&c, &answer);
        solve_wide(&c, &truth);
        double error = true_error(c.size, &answer, &truth);
        print_message("%s: error %.1e, estimate %.1e\n", cases[i].what, error, answer.error);
        wrong += !(answer.ok && truth.ok && error <= COVER * answer.error &&
                   answer.error <= EXCESS * fmax(error, 8 * DBL_EPSILON));
    }
    assert_int_equal(wrong, 0);
}

/* A bounce so stiff that its speed is below rounding (problem 3112 of the default seed, e = 4e-6):
 * what its force does to friction is not known, and the estimate says so. */
static void bounce_below_rounding(void **state) {
    (void)state;
    static Case c;
    static Outcome answer, truth;
    unsigned seed = first_seed;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    first_seed = 20240611u;
    draw_multiple(3112, &c);
    first_seed = seed;
    solve_by_library(&c, &answer);
    solve_wide(&c, &truth);
    double error = true_error(c.size, &answer, &truth);
    print_message("bounce below rounding: error %.1e, estimate %.1e\n", error, answer.error);
    assert_true(answer.ok && truth.ok && error <= answer.error && answer.error <= EXCESS * error);
}

/* Fewer of each kind: with stacks of three, a thousand would take minutes. */
static void realistic_families(void **state) {
    (void)state;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    int count = per_kind < 250 ? 5 : per_kind / 50;
    check_family(&(Family){"realistic", draw_sound, SOUND}, count);
    check_family(&(Family){"small e", draw_small_e, SMALL_E}, count);
}

/* ---- the truth itself ---- */

/* Largest distance of the library in long double from the oracle of compliant contacts. */
static double wide_against_compliant_oracle(void) {
    double worst = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : worst)
    for (int i = 0; i < 4 * COMPLIANT_CLASS_COUNT; i++) {
        Case *c = malloc(sizeof *c);
        Outcome wide, truth;
        assert_non_null(c);
        draw_compliant((uint64_t)i, c);
        if (compliant_stiffness(&c->impact) < 10) {
            CompliantAnswer oracle = compliant_oracle_solve(&c->impact);
            solve_wide(c, &wide);
            for (int k = 0; k < 3; k++) {
                truth.impulse[k] = oracle.answer.impulse[k];
            }
            worst = oracle.answer.ok ? larger(worst, true_error(3, &wide, &truth)) : worst;
        }
        free(c);
    }
    return worst;
}

/* The same of several contacts, where nothing latches: there the oracle has other limits. */
static double wide_against_multiple_oracle(void) {
    double worst = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : worst)
    for (int i = 0; i < 2 * MULTIPLE_CLASS_COUNT; i++) {
        Case *c = malloc(sizeof *c);
        MultipleProblem *problem = malloc(sizeof *problem);
        MultipleAnswer *oracle = malloc(sizeof *oracle);
        Outcome wide, truth;
        assert_true(c && problem && oracle);
        /* few contacts: not the first of eight */
        uint64_t index = (uint64_t)(MULTIPLE_CLASS_COUNT + i);
        draw_multiple(index, c);
        multiple_random_small(first_seed, index, 4, problem);
        multiple_oracle_solve(problem, oracle);
        if (oracle->ok && !oracle->latched && !oracle->capped && !oracle->ambiguous) {
            solve_wide(c, &wide);
            for (int k = 0; k < c->size; k++) {
                truth.impulse[k] = oracle->impulse[k];
            }
            worst = larger(worst, true_error(c->size, &wide, &truth));
        }
        free(oracle);
        free(problem);
        free(c);
    }
    return worst;
}

/* The library in long double agrees with the oracles, which share no code with it. Measured: see
 * the printed line. */
static void wide_library_against_oracles(void **state) {
    (void)state;
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) {
        skip();
    }
    double compliant = wide_against_compliant_oracle(), multiple = wide_against_multiple_oracle();
    print_message("library in long double against the oracles: compliant %.1e, several %.1e\n",
                  compliant, multiple);
    assert_true(compliant <= 1e-13 && multiple <= 1e-13);
}

/* An impact that nearly jams: 1.2e-7. */
static void nearly_jammed(void **state) {
    (void)state;
    Impact impact = {.W = {0.5350293217250577, -0.409618304401811, 0.28457407592318773,
                           -0.409618304401811, 0.3136179108519409, -0.2178725863591901,
                           0.28457407592318773, -0.2178725863591901, 0.1513650660788793},
                     .v = {0.7681740236535581, 0.007789616805863244, -2.267023802828618},
                     .contact = {.mu = 2.857556712443833, .e = 0.9720821283536335}};
    Case *c = malloc(sizeof *c);
    Outcome answer, truth;
    assert_non_null(c);
    take_impact(CAROM_MODEL_RIGID, &impact, c);
    solve_by_library(c, &answer);
    solve_by_oracle(c, &answer, &truth);
    double error = true_error(3, &answer, &truth);
    print_message("nearly jammed: error %.1e, estimate %.1e\n", error, answer.error);
    free(c);
    assert_true(error <= COVER * answer.error && answer.error <= EXCESS * error);
}

int main(void) {
    per_kind = scaled(1000);
    first_seed = seeded(20240611u);
    const struct CMUnitTest tests[] = {cmocka_unit_test(wide_library_against_oracles),
                                       cmocka_unit_test(nearly_jammed),
                                       cmocka_unit_test(one_rigid_contact),
                                       cmocka_unit_test(one_compliant_contact),
                                       cmocka_unit_test(several_compliant_contacts),
                                       cmocka_unit_test(corners_are_held_together),
                                       cmocka_unit_test(cut_off_bounces),
                                       cmocka_unit_test(bounce_below_rounding),
                                       cmocka_unit_test(realistic_families)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
