/* All orders of a piece, and its length. */
#include "multiple/expand.h"

#include <string.h>

#include "math/functions.h"
#include "math/rough.h"
#include "math/vec2.h"
#include "multiple/follow.h"
#include "multiple/friction.h"
#include "multiple/held.h"
#include "multiple/march.h"
#include "multiple/pace.h"
#include "multiple/plain.h"
#include "multiple/product.h"
#include "multiple/reach.h"
#include "multiple/single.h"
#include "multiple/terms.h"

/* A reaction that has come to 0 stays 0 at first, though the forces that it balances are only as
 * accurate as this, in units of held.c's rounding. */
static const double ABSENT_FORCE = 0.1;

/* A reaction below 0 by this part of the largest one is more than rounding. */
static const double PULL = 1e-6;

/* Orders that show whether directions follow V (follow.h). */
enum { FIRST_ORDERS = 2 };

/* Orders from which the first sweep gets its lags: the effect of those beyond is small already. */
enum { SWEEP_BEGINS = 7 };

/* Most sweeps over the series of a piece. */
enum { SWEEPS = 8 };

/* Sum of the magnitudes that make up the acceleration of a row. */
static double sum_size(const Given *given, int row, const double *forces) {
    double sum = 0;
    const double *W = row_of_W(given, row);
    for (int i = 0; i < given->size; i++) {
        sum += fabs(W[i] * forces[i]);
    }
    return sum;
}

/* Do held links that stay at rest at this order keep link i at rest, too? */
static int is_kept(const Given *given, const Piece *piece, Held *held, int i) {
    int count = 0;
    for (int a = 0; a < piece->acting; a++) {
        if (piece->links[piece->list[a]].role != HOLD_NONE) {
            held->falling[count++] = piece->list[a];
        }
    }
    return count > 0 && crm_held_keeps(given, held, count, held->falling, i);
}

/* A term of the velocity of a link that touches: exactly 0, or what decides. Where held links keep
 * it at rest the term is rounding, as large as their matrix makes it. */
static void expand_decide(Network *network, int i, int order) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    int n = normal_row(given, i), first = material->rough ? material->row : n;
    double *v = order_terms(given, piece->terms_v, order);
    double *travel = order_terms(given, piece->terms_travel, order);
    for (int row = first; row <= n && order > 0; row++) {
        const double *push = order_terms(given, piece->terms_push, order - 1);
        double rate = fabs(v[row]) * order / piece->unit, size = sum_size(given, row, push);
        if (v[row] != 0 && (rate <= NOISE * size || (row == n && piece->any_held &&
                                                     is_kept(given, piece, network->held, i)))) {
            v[row] = travel[row] = 0;
        }
    }
    if (order > ORDER - 2) {
        /* its force would be left out: in the next piece */
        v[n] = travel[n] = 0;
    }
    if (v[n] == 0) {
        return;
    }
    own->decided = 1;
    own->phase = v[n] > 0 ? OPEN : LINK_COMPRESSION;
    if (v[n] < 0 && material->rough) {
        double N = -network->state.links[i].k * piece->unit * v[n] * RECIPROCAL[order + 1];
        crm_friction_start(given, piece, i, N, order + 1);
    }
}

static Sprung make_spring(const Given *given, const Piece *piece, int i) {
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    return (Sprung){own,
                    material,
                    i,
                    material->row,
                    own->spring,
                    own->tangent,
                    friction_way(given, material, own)};
}

/* The links that are held, in the list of springs. */
typedef struct Holds {
    const Sprung *first, *end;
} Holds;

/* The springs that act, as far as it is decided; their number. */
static int list_springs(const Given *given, Piece *piece) {
    int count = 0;
    for (int a = 0; a < piece->acting; a++) {
        if (is_sprung(piece->links[piece->list[a]].phase)) {
            piece->sprung[count++] = make_spring(given, piece, piece->list[a]);
        }
    }
    return count;
}

/* After so many springs: the links that are held, as far as it is decided; their number. */
static int list_holds(const Given *given, Piece *piece, int springs) {
    int count = 0;
    for (int a = 0; a < piece->acting && piece->any_held; a++) {
        if (piece->links[piece->list[a]].role != HOLD_NONE) {
            piece->sprung[springs + count++] = make_spring(given, piece, piece->list[a]);
        }
    }
    return count;
}

/* Normal and tangential forces of order g > 0 at the springs. */
static void find_spring_forces(const Given *given, Piece *piece, int count, int g) {
    double *F = order_terms(given, piece->terms_f, g), part = RECIPROCAL[g];
    const double *v = order_terms(given, piece->terms_travel, g - 1);
    int top = given->rows - 1;
    for (const Sprung *spring = piece->sprung, *end = spring + count; spring < end; spring++) {
        int n = spring->material->row + top;
        F[n] = spring->own->N[g] = spring->own->spring * v[n] * part;
        friction_force(given, piece, spring, g);
    }
}

static void set_drag(const Given *given, const Piece *piece, Held *held, int i) {
    const LinkPiece *own = &piece->links[i];
    int slips = given->materials[i].rough && own->role == HOLD_PUSHES && is_slipping(own->friction);
    for (int k = 0; k < 2; k++) {
        held->drag[2 * i + k] = slips ? given->materials[i].mu * LANE(own->s[0], k) : 0;
    }
}

/* Friction of the held links as far as it does not depend on N of this order. */
static void find_known_friction(const Given *given, Piece *piece, const Holds *holds, int g) {
    for (const Sprung *hold = holds->first; hold < holds->end; hold++) {
        hold->own->N[g] = 0;
        if (hold->own->role != HOLD_PUSHES || !hold->material->rough) {
            continue;
        }
        if (g > 0) {
            friction_force(given, piece, hold, g);
        } else if (is_slipping(hold->own->friction)) {
            crm_friction_slip(given, piece, hold->link, g);
        }
    }
}

/* Friction of this order at an undecided link: none, stuck, or as drag. 1: it has changed. */
static int set_first_friction(const Given *given, Piece *piece, Held *held, int i, int g) {
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    double *F = &order_terms(given, piece->terms_f, g)[material->row], *drag = &held->drag[2 * i];
    int pushes = held->pushes[i] && held->N[i] > 0, changed = 0;
    if (pushes) {
        crm_friction_start(given, piece, i, held->N[i], g);
    }
    for (int k = 0; k < given->rows - 1; k++) {
        double V = order_terms(given, piece->terms_travel, g - 1)[material->row + k];
        int slips = own->friction == LINK_SLIP;
        double force = pushes && !slips ? -material->kt * piece->unit * V * RECIPROCAL[g] : 0;
        double pull = pushes && slips ? material->mu * LANE(own->s[0], k) : 0;
        changed |= F[k] != force || drag[k] != pull;
        F[k] = force;
        drag[k] = pull;
    }
    return changed;
}

/* How does friction of the links begin that begin to push at this order? 1: the reaction is
 * another. */
static int start_friction(const Given *given, Piece *piece, Held *held, int g) {
    int changed = 0;
    for (int i = 0; i < given->count; i++) {
        if (piece->links[i].role == HOLD_UNDECIDED && given->materials[i].rough && g > 0) {
            changed |= set_first_friction(given, piece, held, i, g);
        }
    }
    return changed;
}

/* The same where it is known how it begins: a reaction so small that it slips, or so large that it
 * sticks. */
static void guess_friction(const Given *given, const NetworkState *state, Piece *piece, Held *held,
                           int g) {
    for (int i = 0; i < given->count && g > 0; i++) {
        LinkBegin begins = state->links[i].begins;
        if (piece->links[i].role == HOLD_UNDECIDED && begins != BEGINS_ANYHOW) {
            held->pushes[i] = 1;
            held->N[i] = begins == BEGINS_SLIP ? DBL_MIN : DBL_MAX;
            set_first_friction(given, piece, held, i, g);
        }
    }
}

/* What this order decides. */
static void settle_held(const Given *given, Piece *piece, Held *held) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->role != HOLD_UNDECIDED) {
            continue;
        }
        if (held->pushes[i] && held->N[i] > 0) {
            own->role = HOLD_PUSHES;
        } else if (!held->pushes[i] && held->slack[i] > 0) {
            own->role = HOLD_NONE;
            own->phase = OPEN;
        } else if (!held->pushes[i] && held->depends[i] && held->wish[i] < 0) {
            own->role = HOLD_IDLE;
        }
        own->decided = own->role != HOLD_UNDECIDED;
    }
}

/* Accelerations of the normals by the known forces of order g. */
static void find_pressing(const Given *given, const Piece *piece, Held *held, int g) {
    const double *F = order_terms(given, piece->terms_f, g);
    for (int i = 0; i < given->count; i++) {
        held->b[i] = held->N[i] = 0;
        if (piece->links[i].role != HOLD_NONE) {
            held->b[i] = crm_multiply_row(given, normal_row(given, i), F);
        }
    }
}

/* Solve for N of order g while links are undecided. 0: no solution. */
static int react(const Given *given, const NetworkState *state, Piece *piece, Held *held, int g) {
    const double *F = order_terms(given, piece->terms_f, g);
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        held->kind[i] = own->role == HOLD_PUSHES      ? HELD_FREE
                        : own->role == HOLD_UNDECIDED ? HELD_RESTRICTED
                                                      : HELD_OUT;
        if (own->role == HOLD_UNDECIDED) {
            own->friction = LINK_STICK;
            set_drag(given, piece, held, i);
        }
    }
    int tries = 0, changes;
    held->links = piece->links;
    held->orders = g;
    guess_friction(given, state, piece, held, g);
    do {
        find_pressing(given, piece, held, g);
        for (int i = 0; i < given->count; i++) {
            held->size[i] = held->kind[i] ? sum_size(given, normal_row(given, i), F) : 0;
            if (g == 0 && state->links[i].N == 0) {
                held->size[i] +=
                    piece->links[i].absent ? INFINITY : ABSENT_FORCE * given->materials[i].w;
            }
        }
        changes = crm_held_react(given, held) ? start_friction(given, piece, held, g) : -1;
    } while (changes > 0 && tries++ < 8);
    held->orders = 0;
    if (changes) {
        return 0;
    }
    settle_held(given, piece, held);
    for (int i = 0; i < given->count && g == 0; i++) {
        piece->links[i].absent |= piece->links[i].role == HOLD_UNDECIDED;
    }
    return 1;
}

/* List the links that push and nothing else. */
static void list_pushing(const Given *given, const Piece *piece, Held *held) {
    for (int i = 0; i < given->count; i++) {
        held->pushes[i] = piece->links[i].role == HOLD_PUSHES;
    }
    crm_held_factor(given, held);
}

/* What idle links would take over at orders before they were decided, now that it is known which
 * links push. */
static void find_wishes(const Given *given, Piece *piece, Held *held, int g) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        for (int h = 0; h < g && own->role == HOLD_IDLE; h++) {
            own->wish[h] = own->wish[h] != 0 ? own->wish[h] : -crm_held_wish_at(given, held, i, h);
        }
    }
}

/* Would one of the links that push have to pull? They have begun to share a load in another way. */
static int would_pull(const Given *given, const Piece *piece, const Held *held) {
    double largest = 0, lowest = 0;
    for (int i = 0; i < given->count; i++) {
        double N = piece->links[i].role == HOLD_PUSHES ? held->N[i] : 0;
        largest = fmax(largest, N);
        lowest = fmin(lowest, N);
    }
    return lowest < -PULL * largest;
}

/* Reaction of order g, from the accelerations by all other forces. */
static void find_reaction(Network *network, const Holds *holds, int g) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    Held *held = network->held;
    double *F = order_terms(given, piece->terms_f, g);
    int open = 0, was_open = 0;
    find_known_friction(given, piece, holds, g);
    for (const Sprung *hold = holds->first; hold < holds->end; hold++) {
        was_open += hold->own->role == HOLD_UNDECIDED;
    }
    if (was_open && g <= ORDER - 2) {
        if (!react(given, &network->state, piece, held, g)) {
            piece->unanswered = 1;
            return;
        }
        for (int i = 0; i < given->count; i++) {
            open += piece->links[i].role == HOLD_UNDECIDED;
        }
    } else {
        find_pressing(given, piece, held, g);
        crm_held_solve(held);
    }
    if (g == 0 && would_pull(given, piece, held)) {
        piece->unanswered = 1;
        return;
    }
    for (const Sprung *hold = holds->first; hold < holds->end; hold++) {
        LinkPiece *own = hold->own;
        if (own->role == HOLD_PUSHES) {
            own->N[g] = F[hold->row + given->rows - 1] = held->N[hold->link];
            if (hold->material->rough && is_slipping(own->friction)) {
                crm_friction_push(given, piece, hold->link, g);
            }
        } else if (own->role == HOLD_IDLE) {
            own->wish[g] = -crm_held_wish(given, held, hold->link);
        }
    }
    if (was_open && (open == 0 || g == ORDER - 2)) {
        list_pushing(given, piece, held);
        find_wishes(given, piece, held, g);
    }
}

/* Velocities of order g + 1. */
static void find_velocities(const Given *given, Piece *piece, const Holds *holds, int g) {
    if (piece->closing) {
        crm_pace_apply(given, piece, piece->terms_f, g, piece->terms_push);
    }
    if (g == ORDER) {
        return;
    }
    double *v = order_terms(given, piece->terms_v, g + 1);
    crm_multiply_columns(given, &piece->columns, order_terms(given, piece->terms_push, g),
                         piece->unit * RECIPROCAL[g + 1], v);
    for (const Sprung *hold = holds->first; hold < holds->end; hold++) {
        if (hold->own->role != HOLD_NONE) {
            v[hold->row + given->rows - 1] = 0;
        }
    }
    if (piece->closing) {
        crm_pace_apply(given, piece, piece->terms_v, g + 1, piece->terms_travel);
    }
}

/* About the shortest period, to keep the terms in the range of numbers. */
static double find_unit(const Given *given, const NetworkState *state) {
    double fastest = 0;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &state->links[i];
        const Material *material = &given->materials[i];
        if (link->phase > OPEN && link->phase != HELD && link->k * material->w > fastest) {
            fastest = link->k * material->w;
        }
        for (int row = material->row; row < normal_row(given, i); row++) {
            double rate = material->rough && link->phase > OPEN
                              ? material->kt * row_of_W(given, row)[row]
                              : 0;
            fastest = rate > fastest ? rate : fastest;
        }
    }
    return fastest > 0 ? rough_root(fastest, -2) : 1;
}

/* A spring that acts from the start writes its forces of all orders; others need zeros. */
static void clear_forces(const Given *given, Piece *piece, int i) {
    LinkPiece *own = &piece->links[i];
    double *F = &piece->terms_f[given->materials[i].row];
    int clears = own->written && !is_sprung(own->phase);
    for (int g = 0; g < TERMS && clears; g++, F += given->stride) {
        for (int row = 0; row < given->rows; row++) {
            F[row] = 0;
        }
    }
    own->written = own->phase >= TOUCHING;
}

/* NetworkState to terms of order 0. The number of links that touch. */
static void expand_load(const Given *given, const NetworkState *state, Piece *piece, Held *held) {
    memcpy(piece->terms_v, state->v, (size_t)given->stride * sizeof(double));
    if (piece->closing) {
        memcpy(piece->terms_travel, state->v, (size_t)given->stride * sizeof(double));
    }
    piece->any_held = piece->touching = piece->columns.count = piece->acting = 0;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &state->links[i];
        LinkPiece *own = &piece->links[i];
        own->phase = link->phase;
        if (given->materials[i].rough && link->phase == LINK_COMPRESSION && link->N == 0) {
            own->phase = TOUCHING; /* how friction begins is still to be decided */
        }
        own->decided = own->phase != TOUCHING;
        own->slipped = is_slipping(link->friction);
        own->role = link->phase != HELD ? HOLD_NONE : link->N > 0 ? HOLD_PUSHES : HOLD_UNDECIDED;
        piece->touching += !own->decided;
        piece->any_held |= link->phase == HELD;
        clear_forces(given, piece, i);
        if (own->phase < TOUCHING) {
            continue;
        }
        piece->list[piece->acting++] = i;
        own->spring = -link->k * piece->unit;
        if (!own->decided || own->role == HOLD_UNDECIDED) {
            memset(own->N, 0, sizeof own->N);
            memset(own->wish, 0, sizeof own->wish);
        }
        if (is_sprung(own->phase)) {
            own->N[0] = order_terms(given, piece->terms_f, 0)[normal_row(given, i)] = link->N;
        }
        if (given->materials[i].rough) {
            crm_friction_begin(given, piece, i, link);
        }
        set_drag(given, piece, held, i);
        int n = normal_row(given, i),
            first = given->materials[i].rough ? given->materials[i].row : n;
        for (int row = first; row <= n; row++) {
            piece->columns.W[piece->columns.count] = row_of_W(given, row);
            piece->columns.list[piece->columns.count++] = row;
        }
    }
}

/* From t/unit to t/step. */
static void rescale(const Given *given, Piece *piece, double h) {
    double *scale = piece->scale;
    piece->step = h * piece->unit;
    h = h < INFINITY ? h : 1;
    scale[0] = 1;
    scale[1] = h;
    for (int g = 2; g < TERMS; g++) {
        scale[g] = scale[g / 2] * scale[g - g / 2]; /* few wait for each other */
    }
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        own->omitted = pair_times(own->omitted, both(scale[ORDER]));
    }
    for (int a = 0; a < piece->acting; a++) {
        LinkPiece *own = &piece->links[piece->list[a]];
        for (int g = 1; g < TERMS; g++) {
            own->N[g] *= scale[g];
        }
        for (int g = 1; g < TERMS && own->role == HOLD_IDLE; g++) {
            own->wish[g] *= scale[g];
        }
        for (int g = 1; g < TERMS && is_slipping(own->friction); g++) {
            own->s[g] = pair_times(own->s[g], both(scale[g]));
        }
    }
}

/* What the state says before any order is known. */
static void begin_series(Network *network) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    expand_load(given, &network->state, piece, network->held);
    crm_follow_turn(given, piece);
    for (int i = 0; i < given->count && piece->any_held; i++) {
        set_drag(given, piece, network->held, i);
    }
    if (piece->any_held) {
        list_pushing(given, piece, network->held);
    }
}

/* Is it open what some of them do? */
static int are_open(const Holds *holds) {
    int open = 0;
    for (const Sprung *hold = holds->first; hold < holds->end; hold++) {
        open |= hold->own->role == HOLD_UNDECIDED;
    }
    return open;
}

/* Orders from the first to before the last. */
static void fill_orders(Network *network, int first, int last) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    int springs = 0, settled = 0;
    Holds holds = {NULL, NULL};
    for (int g = first; g < last && !piece->unanswered; g++) {
        for (int i = 0; i < given->count && piece->touching > 0; i++) {
            if (!piece->links[i].decided && piece->links[i].phase == TOUCHING) {
                expand_decide(network, i, g);
                piece->touching -= piece->links[i].decided;
            }
        }
        if (!settled) {
            springs = list_springs(given, piece);
            holds.first = piece->sprung + springs;
            holds.end = holds.first + list_holds(given, piece, springs);
            settled = piece->touching == 0 && !are_open(&holds);
        }
        if (g > 0 && settled && last == TERMS && !piece->any_held && crm_march_applies(given)) {
            crm_march(given, piece, springs, g);
            return;
        }
        if (g > 0) {
            find_spring_forces(given, piece, springs, g);
        }
        if (piece->any_held) {
            find_reaction(network, &holds, g);
        }
        find_velocities(given, piece, &holds, g);
    }
}

/* So many orders, from the state. */
static void fill_first(Network *network, int orders) {
    begin_series(network);
    network->piece.unanswered = 0;
    fill_orders(network, 0, orders);
}

static void fill_series(Network *network) {
    fill_first(network, TERMS);
}

/* Sweep until the quasi-steady directions settle; the number of links that still follow. */
static int sweep(Network *network, int links) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    double change = INFINITY, before;
    int left, i = 0;
    fill_first(network, SWEEP_BEGINS);
    crm_follow_guess(given, piece, SWEEP_BEGINS);
    do {
        before = change;
        fill_series(network);
        left = crm_follow_correct(given, piece, crm_reach_find(given, &network->state, piece),
                                  &change);
    } while (left == links && change > FOLLOW_SETTLED && change < before && ++i < SWEEPS);
    return left == links && !(change <= FOLLOW_SETTLED) ? crm_follow_release(given, piece) : left;
}

/* The same for the links that are left if some cannot follow. */
static void sweep_all(Network *network, int links) {
    int before;
    do {
        before = links;
        links = sweep(network, links);
    } while (links > 0 && links < before);
    if (links == 0) {
        fill_series(network);
    }
}

/* Does slip drag held links down faster than they are pressed, or have those that begin to push no
 * reaction? */
static int runs_away(const Network *network) {
    return network->piece.any_held &&
           (network->held->pivot < STABLE_PIVOT || network->piece.unanswered);
}

/* Has a reaction come to 0 up to rounding? Slip has no series then. */
static int loses_reaction(const Given *given, const NetworkState *state, const Piece *piece) {
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        const LinkPiece *own = &piece->links[i];
        any |= own->role == HOLD_PUSHES && state->links[i].N > 0 && own->N[0] <= 0;
    }
    return any;
}

static void expand_general(Network *network) {
    const Given *given = &network->given;
    const NetworkState *state = &network->state;
    Piece *piece = &network->piece;
    crm_pace_choose(given, state, piece);
    for (int i = 0; i < given->count; i++) {
        piece->links[i].follow = FOLLOW_NOT;
        piece->links[i].absent = 0;
    }
    piece->unanswered = 0;
    begin_series(network);
    int first = piece->any_held || crm_follow_may(given, piece) ? FIRST_ORDERS : 0;
    fill_orders(network, 0, first);
    int links = first == 0 || runs_away(network) ? 0 : crm_follow_find(given, state, piece);
    if (links == 0) {
        fill_orders(network, first, TERMS);
    } else {
        sweep_all(network, links);
    }
    if (links > 0 && runs_away(network)) {
        /* it does so on the way to where the directions follow V */
        crm_follow_none(given, piece);
        fill_series(network);
    }
    piece->runs_away = runs_away(network);
    if (piece->runs_away) {
        return;
    }
    double h = crm_reach_find(given, state, piece);
    if (h == 0 && !network->message && crm_follow_keep(given, piece)) {
        fill_series(network);
        h = crm_reach_find(given, state, piece);
    }
    piece->loses = h == 0 && loses_reaction(given, state, piece);
    if (h == 0 && !piece->loses) {
        network->message = "the series are out of range";
    }
    rescale(given, piece, crm_terms_own_reach(network, h, 0));
}

void crm_expand(Network *network) {
    Piece *piece = &network->piece;
    piece->runs_away = piece->loses = 0;
    piece->kind = crm_single_applies(network)  ? SINGLE
                  : crm_plain_applies(network) ? PLAIN
                                               : GENERAL;
    if (piece->kind == SINGLE) {
        return;
    }
    piece->unit = find_unit(&network->given, &network->state);
    if (piece->kind == PLAIN) {
        crm_plain_expand(network);
    } else {
        expand_general(network);
    }
}
