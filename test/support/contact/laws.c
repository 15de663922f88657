#include "support/contact/laws.h"

#include <math.h>

double law_energy_terms(const Impact *impact, const CaromResult *result) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += fabs(result->impulse[i]) * (fabs(impact->v[i]) + fabs(result->velocity[i])) / 2;
    }
    return sum;
}

double law_cone(const Impact *impact, const CaromResult *result) {
    const double *I = result->impulse;
    double limit = impact_mu_static(impact) * I[2], outside = hypot(I[0], I[1]) - limit;
    return outside <= 0 ? 0 : outside / limit;
}

double law_separation(const Impact *impact, const CaromResult *result) {
    double vn = result->velocity[2];
    return vn >= 0 ? 0 : -vn / (impact->W[8] * result->impulse[2] - impact->v[2]);
}

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}
