#include "derivative/multiple_share.h"

#include <string.h>

#include "multiple/held.h"

/* The part of a unit matrix that is lost by each dependence is 1; less than this is rounding. */
static const double LOST_SHARE = 0.5;

static double share_of_W(const Given *given, int i, int j) {
    return row_of_W(given, normal_row(given, i))[normal_row(given, j)];
}

/* K^-1 Z Z^T K^-1 = K^-1 - A G K^-1, times the largest A/k; returns the sum of 1 - A G along the
 * diagonal, the number of dependences. */
static double find_dependences(const Given *given, const Held *held, double *share) {
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
                sum -= share_of_W(given, held->list[i], held->list[k]) * held->G[k * m + j];
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
        adjoint->shares = find_dependences(given, held, adjoint->share) > LOST_SHARE ? count : 0;
        adjoint->has_shared |= adjoint->shares > 0;
    }
}

/* Add z.dA y + z.K^-2 dK N, z as held->list counts links. */
static void add_share_turn(Adjoint *adjoint, const double *z, const double *F, int stride, int lane,
                           double time) {
    const Given *given = &adjoint->network->given;
    const Held *held = adjoint->network->held;
    int m = held->count, lanes = adjoint->lanes;
    for (int j = 0; j < m; j++) {
        int link = held->list[j], row = normal_row(given, link);
        double k = given->materials[link].k, y = 0;
        for (int i = 0; i < m; i++) {
            int other = normal_row(given, held->list[i]);
            y += held->G[j * m + i] * F[other * stride] / given->materials[held->list[i]].k;
        }
        adjoint->by_share[link * lanes + lane] += time * z[j] * F[row * stride] / (k * k);
        for (int i = 0; i < m; i++) {
            int index = adjoint_index(given, normal_row(given, held->list[i]), row);
            adjoint->out[lane][index] += time * z[i] * y;
        }
    }
}

void crm_share_add(Adjoint *adjoint, const double *a, const double *F, int stride, double time) {
    const Given *given = &adjoint->network->given;
    const Held *held = adjoint->network->held;
    int m = adjoint->shares, lanes = adjoint->lanes;
    double *z = adjoint->share + m * m;
    for (int r = 0; r < lanes; r++) {
        for (int i = 0; i < m; i++) {
            z[i] = 0;
            for (int j = 0; j < m; j++) {
                int row = normal_row(given, held->list[j]);
                z[i] += adjoint->share[i * m + j] * a[(row * lanes + r) * stride];
            }
            z[i] *= given->materials[held->list[i]].k;
        }
        add_share_turn(adjoint, z, F, stride, r, time);
    }
}

void crm_share_split(Adjoint *adjoint, const double *psi, const double *u, const double *F,
                     int lane, double time) {
    const Given *given = &adjoint->network->given;
    const Held *held = adjoint->network->held;
    int m = held->count;
    double *z = adjoint->share + m * m;
    for (int i = 0; i < m; i++) {
        z[i] = psi[i];
        for (int j = 0; j < m; j++) {
            z[i] += share_of_W(given, held->list[i], held->list[j]) * u[j];
        }
        z[i] *= given->materials[held->list[i]].k;
    }
    add_share_turn(adjoint, z, F, 1, lane, time);
}
