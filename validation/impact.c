#include "impact.h"

#include <math.h>

static double norm2(const Impact *impact, const double v[3]) {
    double spin = impact->gyration * v[2];
    return v[0] * v[0] + v[1] * v[1] + spin * spin;
}

double impact_error(const Impact *impact, const double after[3]) {
    double miss[3], change[3];
    for (int k = 0; k < 3; k++) {
        miss[k] = after[k] - impact->measured[k];
        change[k] = impact->measured[k] - impact->before[k];
    }
    return sqrt(norm2(impact, miss) / norm2(impact, change));
}

double impact_energy(const Impact *impact, const double after[3]) {
    return norm2(impact, after) / norm2(impact, impact->before);
}
