/* What a summary keeps of a column: of numbers the mean, the spread and how many are of which size;
 * of texts how often each occurs. In constant memory. */
#ifndef CAROM_CLI_BATCH_SUMMARY_COUNT_H
#define CAROM_CLI_BATCH_SUMMARY_COUNT_H

#include <stdbool.h>
#include <stddef.h>

/* Equal bins over all values so far: as wide as a power of 2, from a multiple of it on. They become
 * wider when a value is outside. */
enum { SUMMARY_BINS = 1024 };
typedef struct SummaryBins {
    int power;       /* the width is 2^power */
    long long first; /* number of the first bin, which begins at first * width */
    unsigned long long counts[SUMMARY_BINS];
} SummaryBins;

typedef struct SummaryNumbers {
    unsigned long long count, others; /* finite numbers, and those that are not */
    double mean, squares;             /* of the deviations from it: Welford's method */
    double least, greatest;
    unsigned long long *classes[2]; /* of positive and negative numbers; NULL: none yet */
    SummaryBins *bins;              /* NULL: not wanted */
} SummaryNumbers;

enum { SUMMARY_TEXTS = 32, SUMMARY_TEXT_SIZE = 64 };
typedef struct SummaryTexts {
    int count; /* different ones */
    char list[SUMMARY_TEXTS][SUMMARY_TEXT_SIZE];
    unsigned long long times[SUMMARY_TEXTS], others;
} SummaryTexts;

/* Count one more. False: out of memory. */
bool summary_count_number(SummaryNumbers *numbers, double number);

/* Free what it has, not the struct. */
void summary_free_numbers(SummaryNumbers *numbers);

/* The value below which a part of the numbers is, right to 0.2 %. */
double summary_quantile(const SummaryNumbers *numbers, double part);

/* Count one more, of at most size bytes. Returns its place in the list; -1: it is one of the
 * others. */
int summary_count_text(SummaryTexts *texts, const char *text, size_t size);

/* The places in the list by frequency, the most frequent first; of equals the first seen. */
void summary_order(const SummaryTexts *texts, int order[SUMMARY_TEXTS]);

#endif
