/* The last two terms of all series bound the length of a piece. What is left out follows from the
 * last four: if the last pair of orders is the part q of the pair before, the rest is q/(1 - q) of
 * the last pair. A single order may be small by chance, or 0 in an even or odd series. */
#include "multiple/reach.h"

#include <float.h>

#include "math/functions.h"
#include "math/rough.h"
#include "math/vec2.h"
#include "multiple/friction.h"
#include "multiple/pace.h"
#include "multiple/terms.h"

/* Size of the last term of a piece, relative to the largest speed, and of the one before. */
static const double EXPAND_CUT = 1e-13, CUT_BEFORE = 8e-13;

/* Longest piece with held links, in units of the shortest period: forces that keep each other in
 * balance change slowly, but do not stay. */
static const double LONGEST = 4;

/* Bounces slower than this count as this fast. */
static const double FINEST = 1e-9;

/* Longer steps count as this one: its powers are in range. */
static const double ENDLESS = 1e90;

/* The effect of wrong tangential forces, as speeds. */
static Pair friction_weight(const Given *given, const NetworkState *state, const LinkPiece *own,
                            int i) {
    const Material *material = &given->materials[i];
    Pair weight = pair_load(material->weight);
    double vn = state->v[normal_row(given, i)];
    if (is_slipping(own->friction) && own->phase == LINK_RESTITUTION && vn > 0) {
        /* a wrong direction can only spoil the rest of the impulse */
        Pair rest = pair_times(pair_times(weight, weight),
                               both(material->kt * own->N[0] / (2 * state->links[i].k * vn)));
        weight = pair_less(rest, weight);
    }
    return weight;
}

/* Does the direction of slip turn, so that it has a size of its own? */
static int has_turn(const Given *given, const LinkPiece *own) {
    return own->friction == LINK_SLIP && given->rows > 2 && is_active(own->phase);
}

/* Size of a term of the direction of slip, as a speed. */
static double size_of_turn(const LinkPiece *own, int order, double cone, Pair weight) {
    return larger_lane(magnitude(pair_times(own->s[order], pair_times(both(cone), weight))));
}

/* Sizes of the last orders; along the surface the larger one of two directions. */
static void find_sizes(const Given *given, Piece *piece, int i, double weight, Pair effect) {
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    int along = is_active(own->phase) && material->rough, top = given->rows - 1;
    int turns = along && has_turn(given, own);
    const double *v = &order_terms(given, piece->terms_v, ORDER)[material->row];
    const double *F = &order_terms(given, piece->terms_f, ORDER)[material->row];
    Pair in_space = pair_make(1, given->rows > 2);
    /* the product mu N s hides that s turns fast where N is small */
    Pair turn = pair_times(both(turns ? material->mu * own->N[0] : 0), effect);
    for (int k = 0; k < SIZE_ORDERS; k++, v -= given->stride, F -= given->stride) {
        Pair normal = magnitude(pair_make(v[top], F[top] * weight)), size = both(0);
        if (along) {
            size = pair_larger(magnitude(pair_times(pair_load(v), in_space)),
                               magnitude(pair_times(pair_load(F), effect)));
        }
        if (turns) {
            size = pair_larger(magnitude(pair_times(own->s[ORDER - k], turn)), size);
        }
        own->size[k] = pair_larger(pair_make(LANE(size, 0), LANE(normal, 0)),
                                   pair_make(LANE(size, 1), LANE(normal, 1)));
    }
}

/* The longest step over which last x^ORDER and before x^(ORDER - 1) are small enough. */
static double step_from(double last, double before) {
    double step = last > 0 ? rough_root(EXPAND_CUT / last, ORDER) : INFINITY;
    double other = before > 0 ? rough_root(CUT_BEFORE / before, ORDER - 1) : INFINITY;
    return step < other ? step : other;
}

/* The sum of the terms that are left out over a step, without the power of the step that the last
 * one has. */
static Pair omitted_terms(const Pair size[SIZE_ORDERS], double step) {
    double square = step * step, cube = square * step;
    Pair last = pair_larger(pair_times(size[0], both(cube)), pair_times(size[1], both(square)));
    Pair first = pair_larger(pair_times(size[2], both(step)), size[3]);
    /* q/(1 - q), or 1 if they do not fall */
    Pair share =
        pair_over(last, pair_larger(pair_larger(pair_minus(first, last), last), both(DBL_MIN)));
    return pair_times(pair_times(last, both(1 / cube)), share);
}

/* What the direction of slip leaves out, as a force. Where N begins its last order is not known. */
static Pair omitted_turn(const Given *given, const LinkPiece *own, int i, double step) {
    int begins = own->N[0] == 0;
    double N = own->N[0] + fabs(own->N[1]) * step;
    Pair size[SIZE_ORDERS];
    for (int k = 0; k < SIZE_ORDERS; k++) {
        double turn =
            size_of_turn(own, ORDER - begins - k, given->materials[i].mu * N, own->effect);
        size[k] = pair_make(turn, 0);
    }
    return pair_times(omitted_terms(size, step), both(begins ? 1 / step : 1));
}

/* Is the sum of all terms of the last two orders finite? */
static int in_range(const Given *given, const Piece *piece) {
    Pair sum = both(0);
    for (int i = (ORDER - 1) * given->stride; i < TERMS * given->stride; i += 2) {
        Pair terms = pair_plus(pair_load(&piece->terms_v[i]), pair_load(&piece->terms_f[i]));
        sum = pair_plus(sum, terms);
    }
    return isfinite(LANE(sum, 0) + LANE(sum, 1));
}

/* A bounce after the first is known relative to its own speed, not to the largest one: its spring
 * turns an error of the speed into one of the force. */
static double fineness(const Given *given, const NetworkState *state, int i) {
    const Link *link = &state->links[i];
    const Material *material = &given->materials[i];
    if (!is_sprung(link->phase) || link->k * material->e * material->e <= 2 * material->k) {
        return 1;
    }
    double speed = most_of(fabs(state->v[normal_row(given, i)]), link->N * link->weight);
    return 1 / most_of(speed, FINEST);
}

double crm_reach_find(const Given *given, const NetworkState *state, Piece *piece) {
    Pair last = both(0), before = last;
    if (!in_range(given, piece)) {
        return 0;
    }
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        double weight = is_active(own->phase) ? state->links[i].weight : 0;
        own->effect = friction_weight(given, state, own, i);
        find_sizes(given, piece, i, weight, own->effect);
        Pair fine = pair_make(1, fineness(given, state, i));
        last = pair_larger(pair_times(own->size[0], fine), last);
        before = pair_larger(pair_times(own->size[1], fine), before);
    }
    double step = step_from(larger_lane(last), larger_lane(before));
    step = least_of(step, crm_pace_reach(piece));
    step = piece->any_held ? least_of(step, LONGEST) : step;
    for (int i = 0; i < given->count; i++) {
        if (is_active(piece->links[i].phase) && given->materials[i].rough) {
            step = crm_friction_reach(given, piece, i, step);
        }
    }
    double length = least_of(step, ENDLESS);
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        own->omitted = omitted_terms(own->size, length);
        if (has_turn(given, own)) {
            own->omitted = pair_plus(own->omitted, omitted_turn(given, own, i, length));
        }
    }
    return step;
}
