/* Friction at one link as power series.
 *
 * In slip the direction s turns as rho s' = V - (V.s) s; with s' = omega s_perp this is
 *
 *   rho omega = V.s_perp.
 *
 * Where the link has just begun to act rho = O(t^b) and V = O(t^a), a < b, and the equation is
 * singular: its only bounded solution starts along the leading term of V, and term j of it reads
 *
 *   (|V_a|/j + rho_b [b - a = 1]) omega_(j-1) = terms that are known. */
#ifndef CAROM_MULTIPLE_FRICTION_H
#define CAROM_MULTIPLE_FRICTION_H

#include "multiple/terms.h"

/* Terms of order 0 from the state. */
void crm_friction_begin(const Given *given, Piece *piece, int i, const Link *link);

/* N of link i begins with this term of order b > 0, f with none: does it stick or slip? */
void crm_friction_start(const Given *given, Piece *piece, int i, double N, int b);

/* f of order g in slip, and s, from V of lower orders and N up to this one. */
void crm_friction_slip(const Given *given, Piece *piece, int i, int g);

/* The same where V and N do not begin with 0, which is frequent: V of order g - 1, F of order g. */
void crm_friction_turn(LinkPiece *own, const Material *material, double unit, int g,
                       const double V[2], double F[2]);

static inline SprungWay friction_way(const Given *given, const Material *material,
                                     const LinkPiece *own) {
    if (!material->rough) {
        return WAY_SMOOTH;
    }
    if (!is_slipping(own->friction)) {
        return WAY_STICK;
    }
    return own->friction == LINK_SLIP && given->rows > 2 && own->order_force == 0 &&
                   (own->follow == FOLLOW_NOT || own->follow == FOLLOW_RELEASED)
               ? WAY_TURN
               : WAY_OTHER;
}

/* f of order g > 0, also where the link sticks. */
static inline void friction_force(const Given *given, Piece *piece, const Sprung *spring, int g) {
    LinkPiece *own = spring->own;
    double *F = &order_terms(given, piece->terms_f, g)[spring->material->row];
    const double *V = &order_terms(given, piece->terms_travel, g - 1)[spring->material->row];
    if (spring->way == WAY_TURN) {
        crm_friction_turn(own, spring->material, piece->unit, g, V, F);
    } else if (spring->way == WAY_STICK) {
        double pull = own->tangent * RECIPROCAL[g];
        F[0] = pull * V[0];
        if (given->rows > 2) {
            F[1] = pull * V[1];
        }
    } else if (spring->way == WAY_OTHER) {
        crm_friction_slip(given, piece, spring->link, g);
    }
}

/* The same in slip where N of this order has become another. */
void crm_friction_push(const Given *given, Piece *piece, int i, int g);

/* As much of the step as the series of the direction hold for. */
double crm_friction_reach(const Given *given, const Piece *piece, int i, double step);

/* Is little enough left of the slip of link i, by its force? */
int crm_friction_is_late(const Given *given, const NetworkState *state, int i);

/* Continue slip in its mean direction where so little of it is left that the error is negligible.
 * Returns an estimate of that error, as a speed. */
double crm_friction_straighten(const Given *given, NetworkState *state, const Piece *piece, int i);

/* Slip in this direction with f = mu N s; the energy that the spring loses is friction's. */
void crm_friction_set(const Given *given, NetworkState *state, int i, const double s[2]);

#endif
