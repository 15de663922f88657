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

#include "derivative/multiple_moment.h"
#include "derivative/multiple_nodes.h"
#include "derivative/multiple_path.h"
#include "derivative/multiple_rates.h"
#include "derivative/multiple_share.h"
#include "derivative/multiple_spring.h"
#include "derivative/multiple_sweep.h"
#include "math/functions.h"
#include "multiple/held.h"

/* A force, in the network's units, that moves nothing. */
static const double NO_FORCE = 1e-13;

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

void crm_adjoint_meet(Adjoint *adjoint, const PieceEnd *end) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, reacts = 0;
    double *x = adjoint->nodes->room, rates[LANES_MOST];
    int runs = end->ran_away && crm_adjoint_meet_run_away(adjoint, end, rates);
    int trigger = end->stops == -2 ? common_trigger(adjoint) : end->stops;
    int path = has_path(adjoint, end, trigger);
    meet_hold(adjoint, trigger, path);
    if (path) {
        follow_path(adjoint, end->jumped);
    }
    memset(x, 0, (size_t)(given->size * lanes) * sizeof *x);
    for (int i = 0; i < given->count; i++) {
        if (crm_adjoint_grows_stiffer(adjoint, i)) {
            crm_adjoint_meet_stiffer(adjoint, i);
        }
    }
    for (int i = 0; i < given->count; i++) {
        crm_adjoint_meet_spring(adjoint, i);
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
        reacts |= crm_adjoint_meet_missing(adjoint, end->cone, x);
    }
    if (runs) {
        crm_adjoint_add_cone(adjoint, end->cone, rates, x);
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
        crm_adjoint_add_cone(adjoint, i, rates, x);
    }
    if (adjoint->links[i].pushes) {
        meet_reaction(adjoint, x);
    } else if (probe->kind == PROBE_CONE) {
        adjoint->b[i * lanes + lane] += x[n * lanes + lane];
    }
}
