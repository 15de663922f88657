/* Random numbers. */
#include "outcomes/sampling.h"

Sampling sampling_start(long seed) {
    return (Sampling){(uint64_t)seed};
}

uint64_t sampling_mix(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static uint64_t next_bits(Sampling *sampling) {
    return sampling_mix(sampling->state += 0x9E3779B97F4A7C15u);
}

double sampling_uniform(Sampling *sampling) {
    return (double)(next_bits(sampling) >> 11) * 0x1p-53;
}

int sampling_index(Sampling *sampling, int count) {
    return (int)(sampling_uniform(sampling) * count);
}

void sampling_permutation(Sampling *sampling, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int at = sampling_index(sampling, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
}
