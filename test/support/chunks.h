/* Random cases in chunks over several threads. Each chunk has a tally of its own, and they are
 * added in order: what comes out does not depend on the number of threads. */
#ifndef CAROM_TEST_CHUNKS_H
#define CAROM_TEST_CHUNKS_H

#include <stdint.h>

#include <carom/carom.h>

/* Quantities whose largest value is kept. */
typedef enum Largest {
    LARGEST_GAIN,
    LARGEST_CONE,
    LARGEST_RESIDUAL,
    LARGEST_FALL,
    LARGEST_UPDATE,
    LARGEST_TOTAL,
    LARGEST_ERROR,
    LARGEST_EVENTS,
    LARGEST_WORK,
    LARGEST_COUNT
} Largest;

#define TALLY_CLASSES 32
#define TALLY_COUNTS 16
#define TALLY_SEQUENCES 64

typedef struct Tally {
    double largest[LARGEST_COUNT];
    int failed[TALLY_CLASSES], broken[TALLY_CLASSES], latched[TALLY_CLASSES]; /* by class */
    long events[CAROM_EVENT_SLIP + 1];                                        /* by kind */
    long counts[TALLY_COUNTS]; /* of what, the test says */
    struct {
        char name[CAROM_SEQUENCE_SIZE];
        int count;
    } sequences[TALLY_SEQUENCES]; /* in the order in which they came, up to a count of 0 */
    int shown;                    /* cases that were printed */
    uint64_t hash;                /* of all bits that came out */
} Tally;

/* Keep the larger; a NaN stays. */
void tally_largest(Tally *tally, Largest which, double value);

void tally_sequence(Tally *tally, const char *sequence, int count);

/* Over all classes. */
int tally_total(const int by_class[TALLY_CLASSES]);

typedef struct Chunks {
    void (*check)(uint64_t index, Tally *tally); /* one case; runs on several threads */
    int size;                                    /* cases of a chunk */
    int count, repeated; /* chunks, and how many of them chunks_repeat() runs */
    uint64_t hash;       /* of the repeated ones, set by chunks_run() */
} Chunks;

/* Run all, on two threads or more; the sum of their tallies. */
Tally chunks_run(Chunks *chunks);

/* Run the first ones again on one thread and fail unless all bits are the same. */
void chunks_repeat(const Chunks *chunks);

#endif
