/* What an event does to the adjoint.
 *
 * An event h = 0 whose reset has the derivative D and at which the rates of the state change from
 * F- to F+ takes the adjoint lambda to D^T lambda + grad h (F+ - D F-).lambda/(grad h.F-). Most
 * events leave all rates as they are: v_n = 0 where compression ends or begins, N = 0, a cone that
 * f reaches, a sliding speed of 0. Then only the variables change:
 *
 *   a spring that opens:  b = 0, c = 0          stick to slip:  c = gamma s_perp
 *   slip to stick:        gamma = c.s_perp, b += mu s.c, dL/dmu += N s.c
 *   the end of compression: k becomes k/e^2, dL/dk likewise; with one stiffness the largest N
 *
 * Where a contact becomes held its spring is lost, b = 0, and its v_n passes on the a_n that holds
 * it. If friction forces jump there, or a spring opens with a force (one stiffness for all), F+ -
 * F- counts. Slip keeps its direction in a jump: g changes with |f|. */
#include "derivative/multiple_events.h"

#include <string.h>

#include "derivative/multiple_nodes.h"
#include "derivative/multiple_path.h"
#include "derivative/multiple_share.h"
#include "derivative/multiple_sweep.h"
#include "math/functions.h"
#include "multiple/held.h"

/* Forces that differ by less, relative to all, are the same. */
static const double SAME_FORCE = 1e-9;

/* So is the factor of two stiffnesses. */
static const double SAME_SHARE = 1e-9;

/* A force, in the network's units, that moves nothing. */
static const double NO_FORCE = 1e-13;

void crm_adjoint_describe(Adjoint *adjoint, double x) {
    const Network *network = adjoint->network;
    const Given *given = &network->given;
    NodeSlip *slip = adjoint->nodes->now;
    for (int i = 0; i < given->count; i++) {
        const LinkPiece *own = &network->piece.links[i];
        const Link *link = &network->state.links[i];
        int pushes = own->phase == HELD && own->role == HOLD_PUSHES;
        int acts = given->materials[i].rough && (is_sprung(own->phase) || pushes);
        int slips = acts && is_slipping(own->friction);
        adjoint->links[i] = (AdjointLink){.phase = own->phase,
                                          .slips = slips,
                                          .sticks = acts && !slips,
                                          .turns = slips && given->rows > 2,
                                          .pushes = pushes,
                                          .ended = link->ended,
                                          .k = link->k,
                                          .peak = link->peak};
    }
    crm_share_find(adjoint);
    crm_nodes_look(adjoint, x, adjoint->F, adjoint->v, slip);
    for (int i = 0; i < given->count; i++) {
        AdjointLink *link = &adjoint->links[i];
        int t = given->materials[i].row, acts = is_sprung(link->phase) || link->pushes;
        link->N = acts ? fmax(adjoint->F[normal_row(given, i)], 0) : 0;
        for (int k = 0; k < given->rows - 1 && acts; k++) {
            link->f[k] = -adjoint->F[t + k];
        }
        if (link->slips) {
            memcpy(link->s, slip[i].s, sizeof link->s);
        }
    }
}

static double size_of_f(const AdjointLink *link) {
    return hypot(link->f[0], link->f[1]);
}

/* (F+ - F-).P in the rows of link i, one lane. */
static double force_jump(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    double sum = 0;
    for (int row = given->materials[i].row; row <= normal_row(given, i); row++) {
        sum += (adjoint->F_after[row] - adjoint->F[row]) * adjoint->P[row * adjoint->lanes + r];
    }
    return sum;
}

/* The same of the direction of slip, phi' = kt (V.s_perp)/|f|. */
static double turn_jump(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    double before = size_of_f(now), then = size_of_f(after);
    if (!after->turns || !(before > 0) || !(then > 0) || !(now->sticks || now->slips)) {
        return 0;
    }
    const double *V = &adjoint->v[given->materials[i].row];
    double across = V[1] * after->s[0] - V[0] * after->s[1];
    return adjoint->gamma[i * adjoint->lanes + r] * given->materials[i].kt * across *
           (1 - then / before);
}

/* The same of friction that begins at a contact that is held from here on, kt V, and of slip that
 * stops because its reaction grows, kt sigma s. */
static double stick_jump(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    double sum = 0;
    for (int k = 0; k < given->rows - 1 && after->sticks && !now->sticks; k++) {
        double speed = now->slips ? adjoint->nodes->now[i].sigma * now->s[k]
                                  : adjoint->v[given->materials[i].row + k];
        sum += adjoint->c[(2 * i + k) * adjoint->lanes + r] * speed;
    }
    return given->materials[i].kt * sum;
}

/* A piece up to this, relative to its series, has no length. */
static const double NO_LENGTH = 1e-10;

int crm_adjoint_has_no_length(const Adjoint *adjoint) {
    return adjoint->network->piece.moment <= NO_LENGTH;
}

double crm_adjoint_power(const Adjoint *adjoint, int r) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes;
    double sum = 0;
    for (int j = 0; j < given->size; j++) {
        sum += adjoint->P[j * lanes + r] * adjoint->F[j];
    }
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *link = &adjoint->links[i];
        const double *v = &adjoint->v[given->materials[i].row];
        double kt = given->materials[i].kt;
        if (is_sprung(link->phase)) {
            sum -= link->k * adjoint->b[i * lanes + r] * adjoint->v[normal_row(given, i)];
        }
        for (int k = 0; k < given->rows - 1 && link->sticks; k++) {
            sum += kt * adjoint->c[(2 * i + k) * lanes + r] * v[k];
        }
        if (link->turns) {
            sum += kt * adjoint->nodes->now[i].across * adjoint->gamma[i * lanes + r];
        }
    }
    return sum;
}

/* Are the bounces of link i cut off here? Then f = -kt T V (multiple/events.c), T = const (1 + e)/
 * ((1 - e) sqrt(k w)). */
static int is_cut_off(const Adjoint *adjoint, int i) {
    const Material *material = &adjoint->network->given.materials[i];
    return is_sprung(adjoint->links[i].phase) && adjoint->after[i].phase == HELD &&
           material->rough && material->e > 0 && !adjoint->network->state.links[i].restarted;
}

static double cut_off_time(const Adjoint *adjoint, int i) {
    const Material *material = &adjoint->network->given.materials[i];
    double e = material->e;
    return 4 * atan(1) * (1 + e) / (2 * (1 - e) * sqrt(adjoint->links[i].k * material->w));
}

/* (F+ - D F-).c of a force that starts anew: kt V + kt T V'. */
static double restart_jump(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    double T = cut_off_time(adjoint, i), sum = 0;
    for (int k = 0; k < given->rows - 1; k++) {
        const double *W = row_of_W(given, material->row + k);
        double rate = 0;
        for (int j = 0; j < given->size; j++) {
            rate += W[j] * adjoint->F[j];
        }
        sum += material->kt * (adjoint->v[material->row + k] + T * rate) *
               adjoint->c[(2 * i + k) * adjoint->lanes + r];
    }
    return sum;
}

/* Several links come to rest at this moment. If all of them must, because their normals depend on
 * those of held links and of one among them, it stands for all: it, else -1. */
static int common_trigger(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    Held *held = adjoint->network->held;
    int count = 0, trigger = -1, *list = held->falling;
    for (int i = 0; i < given->count; i++) {
        if (adjoint->links[i].phase == HELD) {
            list[count++] = i;
        }
    }
    for (int i = 0; i < given->count; i++) {
        LinkPhase phase = adjoint->links[i].phase;
        int stops = (phase == OPEN || is_sprung(phase)) &&
                    fabs(adjoint->v[normal_row(given, i)]) <= TOGETHER;
        if (!stops || crm_held_keeps(given, held, count, list, i)) {
            continue;
        }
        if (trigger >= 0) {
            return -1;
        }
        trigger = list[count++] = i;
    }
    return trigger;
}

/* Forces jump where a contact becomes held: v_n of the trigger has (F+ - F-).lambda/v_n'. */
static void meet_hold(Adjoint *adjoint, int trigger, int path) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, jumps = 0;
    double push = 0;
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
        int lost = now->phase == LINK_COMPRESSION && !is_sprung(after->phase);
        jumps |= !given->mono && (lost || (after->phase == HELD && now->phase != HELD));
        push = fmax(push, fmax(now->N, after->N));
    }
    for (int i = 0; i < given->count && jumps && !path; i++) {
        double before = size_of_f(&adjoint->links[i]), then = size_of_f(&adjoint->after[i]);
        if (adjoint->after[i].sticks && then < before - SAME_FORCE * push &&
            !is_cut_off(adjoint, i)) {
            adjoint->message = "friction jumps along a path: its derivatives are not computed";
        }
    }
    for (int r = 0; r < lanes && jumps && !path; r++) {
        double jump = trigger < 0 ? 0 : adjoint->missing[r], rate = 0, size = 0;
        for (int i = 0; i < given->count; i++) {
            jump +=
                force_jump(adjoint, i, r) + turn_jump(adjoint, i, r) + stick_jump(adjoint, i, r);
            jump += is_cut_off(adjoint, i) ? restart_jump(adjoint, i, r) : 0;
            size = fmax(size, fabs(adjoint->P[normal_row(given, i) * lanes + r]));
        }
        if (trigger < 0) {
            if (fabs(jump) > (SAME_FORCE * push + NO_FORCE) * size) {
                adjoint->message = "contacts come to rest together, and friction jumps";
            }
            continue;
        }
        const double *W = row_of_W(given, normal_row(given, trigger));
        for (int j = 0; j < given->size; j++) {
            rate += W[j] * adjoint->F[j];
        }
        adjoint->a[normal_row(given, trigger) * lanes + r] += jump / rate;
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

/* Bounces that are cut off. */
static void meet_bounces(Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    const AdjointLink *now = &adjoint->links[i];
    int lanes = adjoint->lanes, t = material->row, n = normal_row(given, i);
    double e = material->e, kt = material->kt, T = cut_off_time(adjoint, i);
    for (int r = 0; r < lanes; r++) {
        double by_T = 0;
        for (int k = 0; k < given->rows - 1; k++) {
            double *c = &adjoint->c[(2 * i + k) * lanes + r];
            adjoint->a[(t + k) * lanes + r] -= kt * T * *c;
            adjoint->by_kt[i * lanes + r] -= T * adjoint->v[t + k] * *c;
            by_T -= kt * adjoint->v[t + k] * *c;
            *c = 0;
        }
        adjoint->by_k[i * lanes + r] -= by_T * T / (2 * now->k);
        adjoint->by_e[i * lanes + r] += by_T * T * (1 / (1 + e) + 1 / (1 - e));
        adjoint->out[r][adjoint_index(given, n, n)] -= by_T * T / (2 * material->w);
    }
}

/* The effect of P, which pushes for a moment, on the forces of link i. */
static void push_link(Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i];
    const Material *material = &given->materials[i];
    const double *P = adjoint->P;
    int lanes = adjoint->lanes;
    for (int r = 0; r < lanes; r++) {
        const double *Pt = &P[material->row * lanes + r];
        double first = given->rows > 1 ? Pt[0] : 0, second = given->rows > 2 ? Pt[lanes] : 0;
        double along = now->s[0] * first + now->s[1] * second;
        if (is_sprung(now->phase)) {
            adjoint->b[i * lanes + r] +=
                P[normal_row(given, i) * lanes + r] - (now->slips ? material->mu * along : 0);
        }
        if (now->sticks) {
            adjoint->c[2 * i * lanes + r] -= first;
            adjoint->c[(2 * i + 1) * lanes + r] -= second;
        }
        if (now->slips) {
            adjoint->by_mu[i * lanes + r] -= now->N * along;
            adjoint->gamma[i * lanes + r] -= now->s[0] * second - now->s[1] * first;
        }
    }
}

/* psi of the reaction at this moment, in the normal rows of x: its effect through the forces that
 * it comes from. */
static void meet_reaction(Adjoint *adjoint, double *x) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes;
    double *P = adjoint->P;
    if (!crm_adjoint_hold(adjoint, -1, adjoint->matrix)) {
        adjoint->message = "held contacts share their load in many ways: there is no derivative";
        return;
    }
    crm_adjoint_react(adjoint, adjoint->matrix, x);
    if (adjoint->shares) {
        crm_share_add(adjoint, x, adjoint->F, 1, 1);
    }
    memset(P, 0, (size_t)(given->size * lanes) * sizeof *P);
    for (int j = 0; j < given->size; j++) {
        for (int k = 0; k < given->size; k++) {
            double W = row_of_W(given, j)[k];
            int index = adjoint_index(given, j, k);
            for (int r = 0; r < lanes; r++) {
                P[k * lanes + r] += W * x[j * lanes + r];
                adjoint->out[r][index] += x[j * lanes + r] * adjoint->F[k];
            }
        }
    }
    for (int i = 0; i < given->count; i++) {
        push_link(adjoint, i);
    }
}

/* Friction of link i. Returns 1 if psi, the effect of a reaction that f has kept, is in x. */
static int meet_friction(Adjoint *adjoint, int i, double *x) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    int lanes = adjoint->lanes, reacts = 0;
    double before = size_of_f(now), ratio = before > 0 ? size_of_f(after) / before : 0;
    for (int r = 0; r < lanes; r++) {
        double *c0 = &adjoint->c[2 * i * lanes + r], *c1 = c0 + lanes;
        double *gamma = &adjoint->gamma[i * lanes + r], c[2] = {*c0, *c1}, g = *gamma;
        *c0 = *c1 = *gamma = 0;
        if (now->sticks && after->sticks) {
            *c0 = c[0];
            *c1 = c[1];
        } else if (now->sticks && after->turns) {
            *c0 = -ratio * g * after->s[1];
            *c1 = ratio * g * after->s[0];
        } else if (now->turns && after->turns) {
            *gamma = ratio * g;
        } else if (now->slips && after->sticks) {
            double along = now->s[0] * c[0] + now->s[1] * c[1];
            *gamma = now->turns ? now->s[0] * c[1] - now->s[1] * c[0] : 0;
            adjoint->by_mu[i * lanes + r] += now->N * along;
            along *= given->materials[i].mu;
            if (now->pushes) {
                x[normal_row(given, i) * lanes + r] += along;
                reacts = 1;
            } else {
                adjoint->b[i * lanes + r] += along;
            }
        }
    }
    return reacts;
}

/* Does the stiffness of link i grow? e = 1 included. */
static int grows_stiffer(const Adjoint *adjoint, int i) {
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
    return grows_stiffer(adjoint, j) && now[i].ended > 0 && now[j].ended == now[i].ended &&
           after[j].ended == after[i].ended;
}

/* Spring energy of link j. */
static double spring_energy_of(const Adjoint *adjoint, int j) {
    return adjoint->links[j].N * adjoint->links[j].N / (2 * adjoint->links[j].k);
}

/* k becomes k/e^2 at link i, or k/q with q = (sum of e^2 E)/(sum of E) over the links that bounce
 * as one, of which it is the first. */
static void meet_stiffer(Adjoint *adjoint, int i) {
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

/* The normal spring of link i. */
static void meet_spring(Adjoint *adjoint, int i) {
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

/* ---- events of held links that change rates ---- */

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

/* The adjoint of h = |f| - mu N of link i, times rates; the part of N goes to x. */
static void add_cone(Adjoint *adjoint, int i, const double *rates, double *x) {
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

/* Where a force comes to 0, or stick of a held link ends, the rates of the reactions change. Slip
 * that stops because of that, at once, has other rates than the slip before: what is missing of
 * them goes to h = N or h = |f| - mu N. Returns 1 if a reaction is in x. */
static int meet_missing(Adjoint *adjoint, int cone, double *x) {
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
    add_cone(adjoint, cone, rates, x);
    return 1;
}

/* ---- friction that falls along a path ---- */

/* Can the path be gone back? */
static int has_path(const Adjoint *adjoint, const PieceEnd *end, int trigger) {
    int cut_off = 0;
    for (int i = 0; i < adjoint->network->given.count; i++) {
        cut_off |= is_cut_off(adjoint, i);
    }
    return end->jumps == 1 && end->jumped && !end->ran_away && trigger >= 0 && !cut_off;
}

/* The adjoint of |f| of all links after the path, to before it. */
static void follow_path(Adjoint *adjoint, const Link *links) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes;
    double *q = adjoint->path.q;
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *after = &adjoint->after[i];
        double size = size_of_f(after);
        for (int r = 0; r < lanes; r++) {
            const double *c = &adjoint->c[2 * i * lanes + r];
            q[i * lanes + r] = links[i].phase == HELD && after->sticks && size > 0
                                   ? (after->f[0] * c[0] + after->f[1] * c[lanes]) / size
                                   : 0;
        }
    }
    if (!crm_path_back(adjoint, links)) {
        adjoint->message = "friction jumps along a long path: its derivatives are not computed";
    }
    crm_share_find(adjoint);
}

/* Friction of link i, which is held after the path; as meet_friction(). */
static int meet_path(Adjoint *adjoint, int i, double *x) {
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i], *after = &adjoint->after[i];
    int lanes = adjoint->lanes;
    double before = size_of_f(now), ratio = before > 0 ? size_of_f(after) / before : 0;
    double s[2] = {before > 0 ? now->f[0] / before : 0, before > 0 ? now->f[1] / before : 0};
    for (int r = 0; r < lanes; r++) {
        int at = i * lanes + r;
        double *c0 = &adjoint->c[2 * i * lanes + r], *c1 = c0 + lanes, *gamma = &adjoint->gamma[at];
        double along = adjoint->path.q[at];
        double across = after->turns ? *gamma : after->sticks ? s[0] * *c1 - s[1] * *c0 : 0;
        across = ratio * across + (before > 0 ? adjoint->path.turn[at] / before : 0);
        *c0 = *c1 = *gamma = 0;
        if (now->sticks) {
            *c0 = along * s[0] - across * s[1];
            *c1 = along * s[1] + across * s[0];
        } else if (now->slips) {
            *gamma = now->turns ? across : 0;
            adjoint->by_mu[at] += now->N * along;
            along *= given->materials[i].mu;
            if (now->pushes) {
                x[normal_row(given, i) * lanes + r] += along;
            } else {
                adjoint->b[at] += along;
            }
        }
    }
    return now->slips && now->pushes;
}

/* What the trigger's speed does: the rates of the state times the adjoint do not change. */
static void meet_trigger(Adjoint *adjoint, int trigger) {
    const Given *given = &adjoint->network->given;
    const double *W = row_of_W(given, normal_row(given, trigger));
    double rate = 0;
    for (int j = 0; j < given->size; j++) {
        rate += W[j] * adjoint->F[j];
    }
    if (!crm_adjoint_press(adjoint)) {
        adjoint->message = "held contacts share their load in many ways: there is no derivative";
    }
    for (int r = 0; r < adjoint->lanes; r++) {
        adjoint->a[normal_row(given, trigger) * adjoint->lanes + r] +=
            (adjoint->power[r] - crm_adjoint_power(adjoint, r)) / rate;
    }
}

/* Slip runs away where stick of a held link ends, h = |f| - mu N: all friction of held links goes,
 * or stays. Writes (F+ - F-).P/h' to rates; 0: it does not. */
static int meet_run_away(Adjoint *adjoint, const PieceEnd *end, double *rates) {
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

void crm_adjoint_meet(Adjoint *adjoint, const PieceEnd *end) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, reacts = 0;
    double *x = adjoint->nodes->room, rates[LANES_MOST];
    int runs = end->ran_away && meet_run_away(adjoint, end, rates);
    int trigger = end->stops == -2 ? common_trigger(adjoint) : end->stops;
    int path = has_path(adjoint, end, trigger);
    meet_hold(adjoint, trigger, path);
    if (path) {
        follow_path(adjoint, end->jumped);
    }
    memset(x, 0, (size_t)(given->size * lanes) * sizeof *x);
    for (int i = 0; i < given->count; i++) {
        if (grows_stiffer(adjoint, i)) {
            meet_stiffer(adjoint, i);
        }
    }
    for (int i = 0; i < given->count; i++) {
        meet_spring(adjoint, i);
        if (is_cut_off(adjoint, i)) {
            meet_bounces(adjoint, i);
        }
        if (path && end->jumped[i].phase == HELD) {
            reacts |= meet_path(adjoint, i, x);
            continue;
        }
        reacts |= given->materials[i].rough ? meet_friction(adjoint, i, x) : 0;
        if (path) {
            push_link(adjoint, i);
        }
    }
    if (trigger == -1) {
        reacts |= meet_missing(adjoint, end->cone, x);
    }
    if (runs) {
        add_cone(adjoint, end->cone, rates, x);
    }
    if ((reacts || runs) && !adjoint->message) {
        meet_reaction(adjoint, x);
    }
    if (path && !adjoint->message) {
        meet_trigger(adjoint, trigger);
    }
}

void crm_adjoint_probe(Adjoint *adjoint, const Probe *probe, int lane) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, i = probe->link, n = normal_row(given, i);
    double *x = adjoint->nodes->room, rates[LANES_MOST] = {0};
    crm_adjoint_describe(adjoint, probe->x);
    memset(x, 0, (size_t)(given->size * lanes) * sizeof *x);
    rates[lane] = 1;
    if (probe->kind == PROBE_SPEED) {
        adjoint->a[n * lanes + lane] += 1;
    } else if (probe->kind == PROBE_FORCE) {
        x[n * lanes + lane] = 1;
    } else {
        add_cone(adjoint, i, rates, x);
    }
    if (adjoint->links[i].pushes) {
        meet_reaction(adjoint, x);
    } else if (probe->kind == PROBE_CONE) {
        adjoint->b[i * lanes + lane] += x[n * lanes + lane];
    }
}
