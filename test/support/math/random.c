#include "support/math/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Random random_start(uint64_t seed, uint64_t index) {
    Random random;
    uint64_t state = seed ^ splitmix(&index);
    for (int i = 0; i < 4; i++) {
        random.state[i] = splitmix(&state);
    }
    return random;
}

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

uint64_t random_bits(Random *random) {
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_uniform(Random *random) {
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

double random_log(Random *random, double low, double high) {
    int first, last;
    frexp(low, &first);
    frexp(high, &last);
    for (;;) {
        int exponent = first + (int)(random_uniform(random) * (last - first + 1));
        double x = ldexp(0.5 + 0.5 * random_uniform(random), exponent);
        if (x >= low && x < high) {
            return x;
        }
    }
}

double random_between(Random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

void random_vector(Random *random, double size, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = random_between(random, -size, size);
    }
}

void random_matrix(Random *random, double W[9]) {
    double L[9] = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            L[3 * i + j] = i == j ? random_log(random, 0.2, 3) : 3 * random_uniform(random) - 1.5;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            W[3 * i + j] =
                L[3 * i] * L[3 * j] + L[3 * i + 1] * L[3 * j + 1] + L[3 * i + 2] * L[3 * j + 2];
        }
    }
}
