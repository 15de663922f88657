/* What a summary keeps of a column. */
#include "batch/summary_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are counted in classes: by sign, by power of 2 and by 256 equal parts of it. Below 2^-64
 * and above 2^64 there is one class each. */
enum { PARTS = 256, LOWEST = -64, HIGHEST = 64, CLASSES = PARTS * (HIGHEST - LOWEST) + 2 };

static int class_of(double size) {
    int power;
    double part = frexp(size, &power); /* 1/2 to 1 */
    if (!(size > 0) || power <= LOWEST) {
        return 0;
    }
    return power > HIGHEST ? CLASSES - 1
                           : 1 + (power - 1 - LOWEST) * PARTS + (int)((2 * part - 1) * PARTS);
}

/* The middle of a class. */
static double class_value(int index) {
    if (index == 0) {
        return 0;
    }
    int power = (index - 1) / PARTS + LOWEST, part = (index - 1) % PARTS;
    return ldexp(1 + (part + 0.5) / PARTS, power);
}

/* Bins twice as wide. */
static void widen(SummaryBins *bins) {
    long long first = bins->first / 2 - (bins->first % 2 < 0); /* rounded down */
    unsigned long long counts[SUMMARY_BINS] = {0};
    for (int i = 0; i < SUMMARY_BINS; i++) {
        long long at = bins->first + i;
        counts[(at / 2 - (at % 2 < 0)) - first] += bins->counts[i];
    }
    memcpy(bins->counts, counts, sizeof counts);
    bins->first = first;
    bins->power++;
}

/* Do so that the bins from low to high are among them. */
static void cover(SummaryBins *bins, double low, double high) {
    const double most = 0x1p52; /* numbers of bins are exact */
    for (;;) {
        double from = floor(ldexp(low, -bins->power)), to = floor(ldexp(high, -bins->power));
        if (fabs(from) < most && fabs(to) < most && to - from < SUMMARY_BINS) {
            long long first = (long long)from < bins->first ? (long long)from : bins->first;
            long long shift = bins->first - first;
            if ((long long)to - first < SUMMARY_BINS) {
                memmove(bins->counts + shift, bins->counts,
                        (size_t)(SUMMARY_BINS - shift) * sizeof *bins->counts);
                memset(bins->counts, 0, (size_t)shift * sizeof *bins->counts);
                bins->first = first;
                return;
            }
            /* only empty bins at the end are in the way */
            if (shift == 0) {
                long long up = (long long)to - first - (SUMMARY_BINS - 1);
                memmove(bins->counts, bins->counts + up,
                        (size_t)(SUMMARY_BINS - up) * sizeof *bins->counts);
                memset(bins->counts + SUMMARY_BINS - up, 0, (size_t)up * sizeof *bins->counts);
                bins->first += up;
                return;
            }
        }
        widen(bins);
    }
}

/* low and high: of all numbers with this one. */
static void count_in_bins(SummaryBins *bins, double number, bool is_first, double low,
                          double high) {
    if (is_first) {
        int power = 0;
        frexp(number, &power);
        bins->power = number == 0 ? -1074 : power - 50;
        bins->power = bins->power < -1020 ? -1020 : bins->power;
        bins->first = (long long)floor(ldexp(number, -bins->power));
    }
    double at = floor(ldexp(number, -bins->power)) - (double)bins->first;
    if (!(at >= 0 && at < SUMMARY_BINS)) {
        cover(bins, low, high);
        at = floor(ldexp(number, -bins->power)) - (double)bins->first;
    }
    bins->counts[(int)at]++;
}

bool summary_count_number(SummaryNumbers *numbers, double number) {
    if (!isfinite(number)) {
        numbers->others++;
        return true;
    }
    unsigned long long **classes = &numbers->classes[number < 0];
    if (!*classes && !(*classes = calloc(CLASSES, sizeof **classes))) {
        return false;
    }
    (*classes)[class_of(fabs(number))]++;
    numbers->least = numbers->count == 0 ? number : fmin(numbers->least, number);
    numbers->greatest = numbers->count == 0 ? number : fmax(numbers->greatest, number);
    if (numbers->bins) {
        count_in_bins(numbers->bins, number, numbers->count == 0, numbers->least,
                      numbers->greatest);
    }
    numbers->count++;
    double step = number - numbers->mean;
    numbers->mean += step / (double)numbers->count;
    numbers->squares += step * (number - numbers->mean);
    return true;
}

void summary_free_numbers(SummaryNumbers *numbers) {
    free(numbers->classes[0]);
    free(numbers->classes[1]);
    free(numbers->bins);
}

double summary_quantile(const SummaryNumbers *numbers, double part) {
    double wanted = part * (double)(numbers->count - 1), before = 0;
    for (int at = -(CLASSES - 1); at < CLASSES; at++) { /* from the most negative on */
        const unsigned long long *classes = numbers->classes[at < 0];
        double here = classes ? (double)classes[abs(at)] : 0;
        if (at == 0 && numbers->classes[1]) {
            here += (double)numbers->classes[1][0];
        }
        before += here;
        if (before > wanted) {
            double value = at < 0 ? -class_value(-at) : class_value(at);
            return fmin(fmax(value, numbers->least), numbers->greatest);
        }
    }
    return numbers->greatest;
}

int summary_count_text(SummaryTexts *texts, const char *text, size_t size) {
    char copy[SUMMARY_TEXT_SIZE] = "";
    memcpy(copy, text, size < SUMMARY_TEXT_SIZE ? size : SUMMARY_TEXT_SIZE - 1);
    for (int i = 0; i < texts->count; i++) {
        if (strcmp(texts->list[i], copy) == 0) {
            texts->times[i]++;
            return i;
        }
    }
    if (texts->count == SUMMARY_TEXTS) {
        texts->others++;
        return -1;
    }
    memcpy(texts->list[texts->count], copy, SUMMARY_TEXT_SIZE);
    texts->times[texts->count] = 1;
    return texts->count++;
}

void summary_order(const SummaryTexts *texts, int order[SUMMARY_TEXTS]) {
    for (int i = 0; i < texts->count; i++) {
        int at = i;
        for (; at > 0 && texts->times[order[at - 1]] < texts->times[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}
