#include "impact.h"

#include <math.h>
#include <string.h>

static double norm2(const Impact *impact, const double *v) {
    double sum = 0;
    for (int i = 0; i < VELOCITIES; i++) {
        double part = (i < 3 ? 1 : impact->gyration) * v[i];
        sum += part * part;
    }
    return sum;
}

double impact_error(const Impact *impact, const double *after) {
    double miss[VELOCITIES], change[VELOCITIES];
    for (int k = 0; k < VELOCITIES; k++) {
        miss[k] = after[k] - impact->measured[k];
        change[k] = impact->measured[k] - impact->before[k];
    }
    return sqrt(norm2(impact, miss) / norm2(impact, change));
}

double impact_energy(const Impact *impact, const double *after) {
    return norm2(impact, after) / norm2(impact, impact->before);
}

/* What a unit impulse along an axis at a point does to (v, k omega), times the mass. */
static void respond(const Impact *impact, int point, int axis, double *column) {
    const double *r = impact->r[point];
    memset(column, 0, VELOCITIES * sizeof *column);
    column[axis] = 1;
    column[3 + (axis + 1) % 3] = r[(axis + 2) % 3] / impact->gyration;
    column[3 + (axis + 2) % 3] = -r[(axis + 1) % 3] / impact->gyration;
}

/* Columns are made orthogonal one after another; each takes its part out of the change. */
double impact_unexplained(const Impact *impact) {
    double basis[VELOCITIES][VELOCITIES], change[VELOCITIES], column[VELOCITIES];
    double whole = 0, left = 0;
    int size = 0;
    for (int i = 0; i < VELOCITIES; i++) {
        change[i] = (i < 3 ? 1 : impact->gyration) * (impact->measured[i] - impact->before[i]);
        whole += change[i] * change[i];
    }
    for (int c = 0; c < 3 * impact->count; c++) {
        double length = 0, part = 0;
        if (impact->planar && c % 3 == 2) {
            continue;
        }
        respond(impact, c / 3, c % 3, column);
        for (int b = 0; b < size; b++) {
            double dot = 0;
            for (int i = 0; i < VELOCITIES; i++) {
                dot += basis[b][i] * column[i];
            }
            for (int i = 0; i < VELOCITIES; i++) {
                column[i] -= dot * basis[b][i];
            }
        }
        for (int i = 0; i < VELOCITIES; i++) {
            length += column[i] * column[i];
        }
        if (size == VELOCITIES || length < 1e-12) {
            continue;
        }
        for (int i = 0; i < VELOCITIES; i++) {
            basis[size][i] = column[i] / sqrt(length);
            part += basis[size][i] * change[i];
        }
        for (int i = 0; i < VELOCITIES; i++) {
            change[i] -= part * basis[size][i];
        }
        size++;
    }
    for (int i = 0; i < VELOCITIES; i++) {
        left += change[i] * change[i];
    }
    return sqrt(left / whole);
}

void impact_slip(const Impact *impact, int point, double direction[3]) {
    const double *v = impact->before, *w = v + 3, *r = impact->r[point];
    double x = v[0] + w[1] * r[2] - w[2] * r[1], z = v[2] + w[0] * r[1] - w[1] * r[0];
    double speed = hypot(x, z);
    direction[0] = speed > 0 ? x / speed : 1;
    direction[1] = 0;
    direction[2] = speed > 0 ? z / speed : 0;
}
