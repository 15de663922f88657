/* Which problems have no answer, and which have another in another order of their contacts, with
 * turned tangents? Random problems of realistic families with friction, several compliant contacts,
 * for ranges of e; counts by reason.
 *
 *   carom_answers COUNT [SEED [FAMILY [RANGE [FIRST]]]]
 *
 * solves COUNT problems of each family and range, each twice. "order": the answers differ by more
 * than 1e-8 and than their errors together, and not both say that several outcomes are consistent;
 * "worst" is the largest. "told": both say so. All of these and those without an answer are listed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/multiple/families.h"
#include "support/multiple/order.h"

enum { REASONS = 5 };

typedef struct Reasons {
    const char *messages[REASONS];
    int counts[REASONS];
    uint64_t first[REASONS];
} Reasons;

static void count_reason(Reasons *reasons, const char *message, uint64_t index) {
    for (int i = 0; i < REASONS; i++) {
        if (!reasons->messages[i]) {
            reasons->messages[i] = message;
            reasons->first[i] = index;
        }
        if (strcmp(reasons->messages[i], message) == 0) {
            reasons->counts[i]++;
            return;
        }
    }
}

/* What a family and range came to. */
typedef struct Tally {
    Reasons reasons;
    uint64_t asked, solved, ambiguous, differ, told;
    double worst;
    int most;
} Tally;

typedef struct Outcome {
    CaromStatus status;
    CaromResult result;
    double velocity[MULTIPLE_ROWS];
} Outcome;

static void find_outcome(const MultipleProblem *problem, Outcome *outcome) {
    CaromProblem compliant = multiple_as_problem(problem);
    compliant.model = CAROM_MODEL_COMPLIANT;
    compliant.law = CAROM_LAW_ENERGETIC;
    outcome->result = (CaromResult){.velocity = outcome->velocity};
    outcome->status = carom_solve(&compliant, NULL, &outcome->result);
}

static void run_one(Tally *tally, uint64_t seed, uint64_t index, MultipleFamily family,
                    RestitutionRange range) {
    static MultipleProblem problem, reordered;
    static Outcome outcome, other;
    double back[MULTIPLE_ROWS];
    multiple_family_draw(seed, index, family, range, &problem);
    find_outcome(&problem, &outcome);
    if (outcome.status == CAROM_INVALID_INPUT) {
        return; /* nothing approaches */
    }
    tally->asked++;
    if (outcome.status < 0) {
        count_reason(&tally->reasons, outcome.result.message, index);
        printf("# %" PRIu64 ": %s\n", index, outcome.result.message);
        return;
    }
    tally->solved++;
    tally->ambiguous += outcome.result.ambiguous[0] != 0;
    tally->most = outcome.result.work > tally->most ? outcome.result.work : tally->most;
    MultipleOrder order = multiple_random_order(&problem, seed, index);
    multiple_reorder(&order, &problem, &reordered);
    find_outcome(&reordered, &other);
    multiple_order_back(&order, &problem, other.velocity, back);
    double off = multiple_difference(&problem, outcome.velocity, back);
    if (other.status < 0) {
        count_reason(&tally->reasons, "only in this order", index);
        printf("# %" PRIu64 ": only in this order; in the other %s\n", index, other.result.message);
    } else if (off > 1e-8 && off > outcome.result.error + other.result.error) {
        int say = (outcome.result.ambiguous[0] != 0) + (other.result.ambiguous[0] != 0);
        tally->differ += say < 2;
        tally->told += say == 2;
        tally->worst = say < 2 ? larger(tally->worst, off) : tally->worst;
        printf("# %" PRIu64 ": %.1e by order, errors %.1e and %.1e, %d of 2 ambiguous\n", index,
               off, outcome.result.error, other.result.error, say);
    }
}

static void run(uint64_t seed, uint64_t first, uint64_t count, MultipleFamily family,
                RestitutionRange range) {
    Tally tally = {.asked = 0};
    for (uint64_t i = first; i < first + count; i++) {
        run_one(&tally, seed, i, family, range);
    }
    printf("%-16s %-11s %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %7d %6" PRIu64 " %8.1e %6" PRIu64,
           multiple_family_name(family), multiple_range_name(range), tally.asked,
           tally.asked - tally.solved, tally.ambiguous, tally.most, tally.differ, tally.worst,
           tally.told);
    for (int i = 0; i < REASONS && tally.reasons.messages[i]; i++) {
        printf("  %d: %s (first %" PRIu64 ")", tally.reasons.counts[i], tally.reasons.messages[i],
               tally.reasons.first[i]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    uint64_t numbers[5] = {1000, 1, UINT64_MAX, UINT64_MAX, 0};
    for (int i = 1; i < argc && i <= 5; i++) {
        numbers[i - 1] = strtoull(argv[i], NULL, 10);
    }
    printf("%-16s %-11s %8s %8s %9s %7s %6s %8s %6s\n", "family", "e", "problems", "without",
           "ambiguous", "pieces", "order", "worst", "told");
    for (unsigned f = 0; f < FAMILIES; f++) {
        for (unsigned r = 0; r < E_RANGES; r++) {
            if ((numbers[2] == UINT64_MAX || numbers[2] == f) &&
                (numbers[3] == UINT64_MAX || numbers[3] == r)) {
                run(numbers[1], numbers[4], numbers[0], (MultipleFamily)f, (RestitutionRange)r);
            }
        }
    }
    return 0;
}
