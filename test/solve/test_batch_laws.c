/* Laws that every impact obeys, on ten million random ones through the batch call: no energy is
 * created, the impulse lies in the friction cone, the bodies separate, v+ = v- + W I, and the
 * sequence is one of those that theory.md, section 8, allows. And the same bits whatever the number
 * of threads.
 *
 * CAROM_TEST_SCALE=100 runs a billion. */
#include <string.h>

#include "support/check.h"
#include "support/chunks.h"
#include "support/contact/laws.h"
#include "support/rigid/impacts.h"
#include "support/scale.h"

static const uint64_t SEED = 7003;
enum { BLOCK = 500 };

/* Counts. */
enum { GAINED, SOLVED };

/* Bounds, with the largest value measured on 1e7. Energy is relative to 1/2 v- . W^-1 v- and to the
 * terms it is made of. */
static const double GAIN_BOUND = 1e-13;   /* none */
static const double CONE_BOUND = 2e-14;   /* 7.4e-16 */
static const double FALL_BOUND = 1e-13;   /* none */
static const double UPDATE_BOUND = 1e-13; /* 1.8e-14 in 3e8 */

static CaromCase case_of(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    return (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                       .v = {v[0], v[1], v[2]},
                       .contact = impact->contact,
                       .model = CAROM_MODEL_RIGID,
                       .law = impact->law};
}

/* Of v+ from v- + W I, over |v-| + |W| |I| with the length of I: solvers turn the tangent plane, so
 * a small component of I has the rounding of the others. */
static double update_error(const Impact *impact, const CaromOutcome *out) {
    const double *I = out->impulse;
    double worst = 0, length = sqrt(I[0] * I[0] + I[1] * I[1] + I[2] * I[2]);
    for (int i = 0; i < 3; i++) {
        double v = impact->v[i], size = fabs(v);
        for (int j = 0; j < 3; j++) {
            v += impact->W[3 * i + j] * I[j];
            size += fabs(impact->W[3 * i + j]) * length;
        }
        worst = larger(worst, fabs(v - out->velocity[i]) / (size > 0 ? size : 1));
    }
    return worst;
}

/* Energy gained, over its scale and its terms. */
static double gain_of(const Impact *impact, const CaromOutcome *out) {
    double change = 0, terms = impact_energy(impact);
    for (int i = 0; i < 3; i++) {
        double before = impact->v[i], after = out->velocity[i], I = out->impulse[i];
        change += I * (before + after) / 2;
        terms += fabs(I) * (fabs(before) + fabs(after)) / 2;
    }
    return change / terms;
}

static int is_well_formed(const char *sequence) {
    static const char *const allowed[] = {"cr",   "scr", "csr",  "ccr", "cscr",
                                          "ccsr", "lcr", "lscr", "lcsr"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (strcmp(sequence, allowed[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int holds(const Impact *impact, CaromOutcome *out, Tally *tally) {
    CaromResult result = {.impulse = out->impulse, .velocity = out->velocity};
    double gain = gain_of(impact, out), update = update_error(impact, out);
    double cone = law_cone(impact, &result), fall = law_separation(impact, &result);
    if (impact->law != CAROM_LAW_ENERGETIC && gain > GAIN_BOUND) {
        gain = out->status == CAROM_ENERGY_GAIN ? 0 : INFINITY;
    } else if (impact->law == CAROM_LAW_ENERGETIC && out->status != CAROM_OK) {
        gain = INFINITY;
    }
    tally_largest(tally, LARGEST_GAIN, gain);
    tally_largest(tally, LARGEST_CONE, cone);
    tally_largest(tally, LARGEST_FALL, fall);
    tally_largest(tally, LARGEST_UPDATE, update);
    return gain <= GAIN_BOUND && cone <= CONE_BOUND && fall <= FALL_BOUND &&
           update <= UPDATE_BOUND && out->impulse[2] > 0 && is_well_formed(out->sequence);
}

static void check_block(uint64_t index, Tally *tally) {
    Impact impacts[BLOCK];
    CaromCase cases[BLOCK];
    CaromOutcome outcomes[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        impacts[i] = random_impact(SEED, index * BLOCK + (uint64_t)i);
        cases[i] = case_of(&impacts[i]);
    }
    carom_batch_solve(BLOCK, cases, outcomes);
    for (int i = 0; i < BLOCK; i++) {
        CaromOutcome *out = &outcomes[i];
        uint64_t kind = (index * BLOCK + (uint64_t)i) % IMPACT_CLASS_COUNT;
        int ok = out->status >= 0, bad = !ok || !holds(&impacts[i], out, tally);
        tally->counts[GAINED] += out->status == CAROM_ENERGY_GAIN;
        tally->counts[SOLVED] += ok;
        tally->failed[kind] += !ok;
        tally->broken[kind] += ok && bad;
        tally->hash = hash_bytes(tally->hash, out->impulse, sizeof out->impulse);
        tally->hash = hash_bytes(tally->hash, out->velocity, sizeof out->velocity);
        tally_sequence(tally, out->sequence, 1);
        if (bad && tally->shown++ == 0) {
#pragma omp critical
            {
                print_error("impact %llu: %s, sequence %s, gain %.2g\n",
                            (unsigned long long)(index * BLOCK + (uint64_t)i),
                            carom_status_string(out->status), out->sequence,
                            gain_of(&impacts[i], out));
                impact_print(&impacts[i]);
            }
        }
    }
}

/* Ten million impacts, scaled. */
static Chunks chunks = {.check = check_block, .size = 20};

static void laws_hold(void **state) {
    (void)state;
    Tally sum = chunks_run(&chunks);
    const double *largest = sum.largest;
    print_message(
        "seed %llu, %ld impacts solved\nlargest: gain %.2e, outside the cone %.2e, v_n+ below 0 "
        "%.2e, v+ from v- + W I %.2e\n",
        (unsigned long long)SEED, sum.counts[SOLVED], largest[LARGEST_GAIN], largest[LARGEST_CONE],
        largest[LARGEST_FALL], largest[LARGEST_UPDATE]);
    for (int k = 0; k < TALLY_SEQUENCES && sum.sequences[k].count > 0; k++) {
        print_message("  %-8s %d\n", sum.sequences[k].name, sum.sequences[k].count);
    }
    for (int k = 0; k < IMPACT_CLASS_COUNT; k++) {
        if (sum.failed[k] + sum.broken[k] > 0) {
            print_error("class %s: %d without an answer, %d break a law\n",
                        impact_class_name((ImpactClass)k), sum.failed[k], sum.broken[k]);
        }
    }
    assert_int_equal(tally_total(sum.broken), 0);
    assert_int_equal(tally_total(sum.failed), 0);
    print_message("energy gained, and said so: %ld\n", sum.counts[GAINED]);
    assert_true(sum.counts[GAINED] > 0 || chunks.count < 100);
}

/* Impacts of longer runs that broke a law once. Two with nearly isotropic W, where slip that had
 * become straight left out its last part across, so that v+ was v- + W I to 4e-12 and 6e-12 only.
 * One that gained energy: the first guess of the end of compression lay outside of its stretch. */
static void found_in_campaigns(void **state) {
    (void)state;
    static const uint64_t found[] = {136329293, 145253621, 912592328};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        Impact impact = random_impact(SEED, found[i]);
        CaromCase one = case_of(&impact);
        CaromOutcome out;
        Tally tally = {0};
        carom_batch_solve(1, &one, &out);
        assert_true(out.status >= 0 && holds(&impact, &out, &tally));
        assert_true(update_error(&impact, &out) < 1e-15); /* measured 1.3e-16 */
    }
}

static void same_bits_on_one_thread(void **state) {
    (void)state;
    chunks_repeat(&chunks);
}

int main(void) {
    chunks.count = scaled(1000);
    chunks.repeated = chunks.count < 20 ? chunks.count : 20;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(found_in_campaigns),
        cmocka_unit_test(same_bits_on_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
