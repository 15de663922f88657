/* What events of held links that change rates do to the adjoint. */
#include "derivative/multiple_rates.h"

#include "derivative/multiple_moment.h"
#include "derivative/multiple_nodes.h"

/* The rate of h = |f| - mu N of link i, which is held and sticks. */
static double cone_rate(const Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    const double *V = &adjoint->v[material->row], *f = adjoint->links[i].f;
    double along = 0;
    for (int k = 0; k < given->rows - 1; k++) {
        along += f[k] / size_of_f(&adjoint->links[i]) * V[k];
    }
    return material->kt * along -
           material->mu * crm_nodes_reaction_rate(adjoint, i, adjoint->network->piece.moment);
}

void crm_adjoint_add_cone(Adjoint *adjoint, int i, const double *rates, double *x) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i];
    int lanes = adjoint->lanes;
    double size = size_of_f(now);
    for (int r = 0; r < lanes; r++) {
        for (int k = 0; k < given->rows - 1; k++) {
            adjoint->c[(2 * i + k) * lanes + r] += now->f[k] / size * rates[r];
        }
        x[normal_row(given, i) * lanes + r] -= given->materials[i].mu * rates[r];
        adjoint->by_mu[i * lanes + r] -= now->N * rates[r];
    }
}

/* What is missing of the rates goes to N of link i, which comes to 0. Returns 1 if that is a
 * reaction: it is in x. */
static int meet_vanished(Adjoint *adjoint, int i, double *x) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, pushes = adjoint->links[i].pushes, n = normal_row(given, i);
    double rate = pushes ? crm_nodes_reaction_rate(adjoint, i, adjoint->network->piece.moment)
                         : -adjoint->links[i].k * adjoint->v[n];
    for (int r = 0; r < lanes; r++) {
        *(pushes ? &x[n * lanes + r] : &adjoint->b[i * lanes + r]) += adjoint->missing[r] / rate;
    }
    return pushes;
}

int crm_adjoint_meet_missing(Adjoint *adjoint, int cone, double *x) {
    const Given *given = &adjoint->network->given;
    int missing = 0, ends = -1, count = 0;
    for (int r = 0; r < adjoint->lanes; r++) {
        missing |= adjoint->missing[r] != 0;
    }
    for (int i = 0; i < given->count && missing; i++) {
        const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
        if ((now->pushes && !after->pushes) || (is_sprung(now->phase) && after->phase == OPEN)) {
            ends = i;
            count++;
        }
    }
    if (!missing || given->mono || count > 1 || (count == 1 && cone != -1)) {
        return 0;
    }
    if (count == 1) {
        return meet_vanished(adjoint, ends, x);
    }
    if (cone < 0 || !adjoint->links[cone].sticks || !adjoint->links[cone].pushes) {
        return 0;
    }
    double rates[LANES_MOST], rate = cone_rate(adjoint, cone);
    for (int r = 0; r < adjoint->lanes; r++) {
        rates[r] = adjoint->missing[r] / rate;
    }
    crm_adjoint_add_cone(adjoint, cone, rates, x);
    return 1;
}

int crm_adjoint_meet_run_away(Adjoint *adjoint, const PieceEnd *end, double *rates) {
    const Given *given = &adjoint->network->given;
    int i = end->cone, lanes = adjoint->lanes;
    if (end->ran_away > 1 || end->stops != -1 || i < 0 || !adjoint->links[i].pushes ||
        !adjoint->links[i].sticks || given->rows < 2) {
        adjoint->message = "slip runs away: its derivatives are not computed";
        return 0;
    }
    double size = size_of_f(&adjoint->links[i]);
    for (int j = 0; j < given->count; j++) {
        const AdjointLink *before = &adjoint->links[j], *after = &adjoint->after[j];
        double change = fabs(size_of_f(after) - size_of_f(before));
        int gone = !after->sticks && !after->slips;
        if (before->phase == HELD && !gone && change > SAME_FORCE * size) {
            adjoint->message = "slip runs away: its derivatives are not computed";
            return 0;
        }
    }
    double rate = cone_rate(adjoint, i);
    for (int r = 0; r < lanes; r++) {
        double jump = 0;
        for (int j = 0; j < given->count; j++) {
            jump += force_jump(adjoint, j, r);
        }
        rates[r] = jump / rate;
    }
    return 1;
}
