#include "support/chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "support/check.h"
#include "support/contact/impact.h"
#include "support/contact/laws.h"

void tally_largest(Tally *tally, Largest which, double value) {
    tally->largest[which] = larger(tally->largest[which], value);
}

void tally_sequence(Tally *tally, const char *sequence, int count) {
    for (int i = 0; i < TALLY_SEQUENCES; i++) {
        char *name = tally->sequences[i].name;
        if (tally->sequences[i].count == 0) {
            snprintf(name, CAROM_SEQUENCE_SIZE, "%s", sequence);
        }
        if (strcmp(name, sequence) == 0) {
            tally->sequences[i].count += count;
            return;
        }
    }
}

int tally_total(const int by_class[TALLY_CLASSES]) {
    int total = 0;
    for (int i = 0; i < TALLY_CLASSES; i++) {
        total += by_class[i];
    }
    return total;
}

static void add(Tally *sum, const Tally *tally) {
    for (int i = 0; i < LARGEST_COUNT; i++) {
        tally_largest(sum, (Largest)i, tally->largest[i]);
    }
    for (int i = 0; i < TALLY_CLASSES; i++) {
        sum->failed[i] += tally->failed[i];
        sum->broken[i] += tally->broken[i];
        sum->latched[i] += tally->latched[i];
    }
    for (int i = 0; i <= CAROM_EVENT_SLIP; i++) {
        sum->events[i] += tally->events[i];
    }
    for (int i = 0; i < TALLY_COUNTS; i++) {
        sum->counts[i] += tally->counts[i];
    }
    for (int i = 0; i < TALLY_SEQUENCES && tally->sequences[i].count > 0; i++) {
        tally_sequence(sum, tally->sequences[i].name, tally->sequences[i].count);
    }
}

/* The first chunks; the hash is that of the repeated ones. */
static Tally run(const Chunks *chunks, int count, int threads) {
    Tally sum = {0}, *tallies = calloc((size_t)count, sizeof *tallies);
    assert_non_null(tallies);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = 0; i < count; i++) {
        tallies[i].hash = HASH_START;
        for (int k = 0; k < chunks->size; k++) {
            chunks->check((uint64_t)i * (uint64_t)chunks->size + (uint64_t)k, &tallies[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        add(&sum, &tallies[i]);
        if (i < chunks->repeated) {
            sum.hash = hash_bytes(sum.hash, &tallies[i].hash, sizeof tallies[i].hash);
        }
    }
    free(tallies);
    return sum;
}

Tally chunks_run(Chunks *chunks) {
    int threads = omp_get_max_threads();
    Tally sum = run(chunks, chunks->count, threads < 2 ? 2 : threads);
    chunks->hash = sum.hash;
    return sum;
}

void chunks_repeat(const Chunks *chunks) {
    uint64_t hash = run(chunks, chunks->repeated, 1).hash;
    print_message("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == chunks->hash);
}
