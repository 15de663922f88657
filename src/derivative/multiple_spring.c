/* What events of normal springs do to the adjoint. */
#include "derivative/multiple_spring.h"

#include "math/functions.h"

/* Factors of two stiffnesses that differ by less, relative, are the same. */
static const double SAME_SHARE = 1e-9;

int crm_adjoint_grows_stiffer(const Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    return !given->mono && given->materials[i].e > 0 && is_sprung(now->phase) &&
           is_sprung(after->phase) &&
           (after->k != now->k ||
            (now->phase == LINK_COMPRESSION && after->phase == LINK_RESTITUTION));
}

/* Does link j bounce as one with link i (multiple/bounces.h)? */
static int bounces_with(const Adjoint *adjoint, int i, int j) {
    const AdjointLink *now = adjoint->links, *after = adjoint->after;
    return crm_adjoint_grows_stiffer(adjoint, j) && now[i].ended > 0 &&
           now[j].ended == now[i].ended && after[j].ended == after[i].ended;
}

/* Spring energy of link j. */
static double spring_energy_of(const Adjoint *adjoint, int j) {
    return adjoint->links[j].N * adjoint->links[j].N / (2 * adjoint->links[j].k);
}

void crm_adjoint_meet_stiffer(Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    double e = given->materials[i].e, sum = 0, kept = 0, q = e * e;
    int lanes = adjoint->lanes, count = 0;
    for (int j = 0; j < given->count; j++) {
        if (bounces_with(adjoint, i, j)) {
            double E = spring_energy_of(adjoint, j), other = given->materials[j].e;
            sum += E;
            kept += other * other * E;
            count++;
            if (j < i) {
                return;
            }
        }
    }
    q = count > 1 && sum > 0 && given->rows > 1 ? kept / sum : q;
    if (fabs(adjoint->links[i].k / (q * adjoint->after[i].k) - 1) > SAME_SHARE) {
        adjoint->message =
            "contacts bounce as one with unequal e, but not together: no derivatives are computed";
    }
    for (int r = 0; r < lanes; r++) {
        double by_q = 0;
        for (int j = i; j < given->count; j++) {
            if (j == i || bounces_with(adjoint, i, j)) {
                by_q -= adjoint->by_k[j * lanes + r] * adjoint->links[j].k / (q * q);
            }
        }
        for (int j = i; j < given->count; j++) {
            double other = given->materials[j].e, E = spring_energy_of(adjoint, j);
            double N = adjoint->links[j].N, k = adjoint->links[j].k;
            int at = j * lanes + r;
            if (j != i && !bounces_with(adjoint, i, j)) {
                continue;
            }
            adjoint->by_k[at] /= q;
            if (q == e * e && (count < 2 || given->rows < 2)) {
                adjoint->by_e[at] += 2 * e * by_q;
                break;
            }
            adjoint->by_e[at] += by_q * 2 * other * E / sum;
            adjoint->by_k[at] -= by_q * (other * other - q) / sum * E / k;
            adjoint->b[at] += by_q * (other * other - q) / sum * N / k;
        }
    }
}

/* A spring opens with a force: h = N - sqrt(1 - e^2) N_max. */
static void meet_mono_end(Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    const AdjointLink *now = &adjoint->links[i];
    int lanes = adjoint->lanes, n = normal_row(given, i), t = material->row;
    double share = sqrt((1 - material->e) * (1 + material->e)), v = adjoint->v[n];
    if (!(v > 0)) {
        adjoint->message = "e = 0 with mono-stiffness: derivatives are not computed";
        return;
    }
    for (int r = 0; r < lanes; r++) {
        /* -(F-).P as a multiple of N, which may be 0 */
        double sum = adjoint->P[n * lanes + r];
        for (int k = 0; k < given->rows - 1; k++) {
            double f = now->slips ? material->mu * now->s[k] : now->N > 0 ? now->f[k] / now->N : 0;
            sum -= f * adjoint->P[(t + k) * lanes + r];
        }
        double by_N = sum / (now->k * v);
        adjoint->b[i * lanes + r] = now->N * by_N;
        adjoint->peak[i * lanes + r] = -share * now->N * by_N;
        adjoint->by_e[i * lanes + r] += by_N * now->peak * now->peak * material->e;
    }
}

void crm_adjoint_meet_spring(Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    int lanes = adjoint->lanes, stays = is_sprung(now->phase) && is_sprung(after->phase);
    for (int r = 0; r < lanes; r++) {
        int at = i * lanes + r;
        adjoint->b[at] = stays ? adjoint->b[at] : 0;
        if (!stays || after->peak != now->peak) {
            adjoint->b[at] += stays ? adjoint->peak[at] : 0;
            adjoint->peak[at] = 0;
        }
    }
    if (given->mono && is_sprung(now->phase) && !is_sprung(after->phase)) {
        meet_mono_end(adjoint, i);
    }
}
