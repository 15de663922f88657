/* One number over the bits of 30,000 impacts of every model, to be compared between machines.
 *
 * The problems are made by integer arithmetic, sums, products and quotients only, so that they are
 * the same everywhere. Each answer adds its status, impulse, velocity, energy account and error
 * estimate to a hash (FNV-1a), part by part; -0 counts as 0, and all NaNs are alike. Prints a line
 * per part, then the whole. */
#include <carom.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4, ROWS = 3 * MOST };

typedef struct Stream {
    uint64_t state;
} Stream;

/* SplitMix64 */
static uint64_t next_bits(Stream *stream) {
    uint64_t z = stream->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double between(Stream *stream, double low, double high) {
    return low + (high - low) * ((double)(next_bits(stream) >> 11) * 0x1p-53);
}

static void add_number(uint64_t *hash, double x) {
    uint64_t bits;
    x = x == 0 ? 0 : x;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) {
        bits = 0x7ff8000000000000;
    }
    for (int i = 0; i < 8; i++) {
        *hash = (*hash ^ (bits >> 8 * i & 255)) * 0x100000001b3;
    }
}

static void add_numbers(uint64_t *hash, const double *x, int count) {
    for (int i = 0; i < count; i++) {
        add_number(hash, x[i]);
    }
}

/* W = A A^T + 0.1, of `rank` columns; v with approaching contacts first */
static void draw_mechanics(Stream *stream, int rows, int per, int rank, double *W, double *v) {
    double A[ROWS * ROWS];
    for (int i = 0; i < rows * rank; i++) {
        A[i] = between(stream, -1, 1);
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = i == j && rank == rows ? 0.1 : 0;
            for (int k = 0; k < rank; k++) {
                sum += A[i * rank + k] * A[j * rank + k];
            }
            W[i * rows + j] = sum;
        }
        v[i] = between(stream, -2, 2);
        if (i % per == per - 1) {
            v[i] = between(stream, -2, i == per - 1 ? -0.1 : 0.5);
        }
    }
}

typedef struct Part {
    const char *name;
    CaromModel model;
    CaromLaw law;
    int planar, contacts, rank, count;
    double mu, e_low, e_high; /* mu up to; e between */
} Part;

static const Part parts[] = {
    {"rigid", CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, 0, 1, 3, 14000, 1.5, 0, 1},
    {"rigid Poisson", CAROM_MODEL_RIGID, CAROM_LAW_POISSON, 0, 1, 3, 1500, 1.5, 0, 1},
    {"rigid Newton", CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, 0, 1, 3, 1500, 1.5, 0, 1},
    {"planar", CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, 1, 1, 2, 3000, 1.5, 0, 1},
    {"compliant", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 0, 1, 3, 4000, 1, 0, 1},
    {"compliant planar", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 1, 1, 2, 1000, 1, 0, 1},
    {"several, smooth", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 0, 3, 9, 1000, 0, 0, 1},
    {"several, mono", CAROM_MODEL_COMPLIANT, CAROM_LAW_MONO_STIFFNESS, 0, 2, 6, 500, 0, 0.3, 1},
    {"several, rough", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 0, 2, 6, 1000, 0.8, 0.3, 1},
    {"several, held", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 0, 3, 9, 500, 0.6, 0, 0},
    {"several, redundant", CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 0, 4, 6, 500, 0.5, 0, 0},
    {"several rigid", CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, 0, 3, 9, 1500, 0.8, 0, 0.5},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void add_impact(const Part *part, Stream *stream, uint64_t *hash) {
    double W[ROWS * ROWS], v[ROWS], impulse[ROWS], velocity[ROWS];
    CaromContact contacts[MOST];
    int per = part->planar ? 2 : 3, rows = per * part->contacts;
    draw_mechanics(stream, rows, per, part->rank, W, v);
    for (int i = 0; i < part->contacts; i++) {
        contacts[i] = (CaromContact){.mu = between(stream, 0, part->mu),
                                     .e = between(stream, part->e_low, part->e_high),
                                     .stiffness = between(stream, 0.5, 2),
                                     .stiffness_ratio = between(stream, 0.8, 2)};
    }
    CaromProblem problem = {part->model, part->law, part->contacts, W, v, contacts, part->planar};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    add_number(hash, (double)carom_solve(&problem, NULL, &result));
    add_numbers(hash, impulse, rows);
    add_numbers(hash, velocity, rows);
    const double account[] = {result.energy.change, result.energy.stored, result.energy.normal_loss,
                              result.energy.friction_loss, result.error};
    add_numbers(hash, account, 5);
}

int main(void) {
    uint64_t all = 0xcbf29ce484222325;
    for (int p = 0; p < PARTS; p++) {
        Stream stream = {(uint64_t)p};
        uint64_t hash = 0xcbf29ce484222325;
        for (int i = 0; i < parts[p].count; i++) {
            add_impact(&parts[p], &stream, &hash);
        }
        printf("%08x%08x  %s\n", (unsigned)(hash >> 32), (unsigned)hash, parts[p].name);
        add_number(&all, (double)(hash >> 32));
        add_number(&all, (double)(hash & 0xffffffff));
    }
    printf("%08x%08x  all\n", (unsigned)(all >> 32), (unsigned)all);
    return 0;
}
