#include "derivative/multiple_share.h"

#include <string.h>

#include "multiple/held.h"

/* The part of a unit matrix that is lost by each dependence is 1; less than this is rounding. */
static const double LOST = 0.5;

static double between_normals(const Given *given, int i, int j) {
    return row_of_W(given, normal_row(given, i))[normal_row(given, j)];
}

/* K^-1 Z Z^T K^-1 = K^-1 - A G K^-1, times the largest A/k; returns the sum of 1 - A G along the
 * diagonal, the number of dependences. */
static double find_share(const Given *given, const Held *held, double *share) {
    int m = held->count;
    double lost = 0, most = 0;
    for (int i = 0; i < m; i++) {
        const Material *material = &given->materials[held->list[i]];
        most = fmax(most, material->w * material->k);
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            double sum = i == j;
            for (int k = 0; k < m; k++) {
                sum -= between_normals(given, held->list[i], held->list[k]) * held->G[k * m + j];
            }
            lost += i == j ? sum : 0;
            share[i * m + j] = most * sum / given->materials[held->list[j]].k;
        }
    }
    return lost;
}

void crm_share_find(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    Held *held = adjoint->network->held;
    int count = 0;
    for (int i = 0; i < given->count; i++) {
        held->pushes[i] = adjoint->links[i].pushes;
        held->drag[2 * i] = held->drag[2 * i + 1] = 0;
        count += held->pushes[i];
    }
    adjoint->shares = 0;
    if (count > 1) {
        crm_held_factor(given, held);
        adjoint->shares = find_share(given, held, adjoint->share) > LOST ? count : 0;
    }
}

void crm_share_add(Adjoint *adjoint, const double *a, const double *F, int stride, double time) {
    const Given *given = &adjoint->network->given;
    const Held *held = adjoint->network->held;
    int m = adjoint->shares, lanes = adjoint->lanes;
    double *y = adjoint->share + m * m, *x = y + m;
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++) {
            int link = held->list[j];
            y[i] +=
                held->G[i * m + j] * F[normal_row(given, link) * stride] / given->materials[link].k;
        }
    }
    for (int r = 0; r < lanes; r++) {
        for (int j = 0; j < m; j++) {
            x[j] = a[(normal_row(given, held->list[j]) * lanes + r) * stride];
        }
        for (int i = 0; i < m; i++) {
            int link = held->list[i], row = normal_row(given, link);
            double k = given->materials[link].k, z = 0;
            for (int j = 0; j < m; j++) {
                z += adjoint->share[i * m + j] * x[j];
            }
            z *= time * k;
            adjoint->by_share[link * lanes + r] += z * F[row * stride] / (k * k);
            for (int j = 0; j < m; j++) {
                int other = normal_row(given, held->list[j]);
                adjoint->out[r][adjoint_index(given, row, other)] += z * y[j];
            }
        }
    }
}
