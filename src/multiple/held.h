/* The reaction of held links: the forces N >= 0 that keep v_n' >= 0, one of the two 0 at each.
 *
 * With b the normal accelerations by all other forces and links P that push,
 *
 *   N = -G b,   G = K^1/2 (K^1/2 W_PP K^1/2)^+ K^1/2,
 *
 * K the given stiffnesses. Where rows of W_PP depend on each other (a box on four corners) the
 * pseudo-inverse gives the N of least sum N^2/k, the limit of W_PP + eps/k. Friction of links that
 * slip is part of the equation: with drag = mu s, b has M N in it, and N = -(1 - G M)^-1 G b. */
#ifndef CAROM_MULTIPLE_HELD_H
#define CAROM_MULTIPLE_HELD_H

#include "multiple/network.h"

/* Slip of held links counts as unstable where det(1 - G M) is negative, or where 1 - G M is closer
 * to singular than this. */
static const double STABLE_PIVOT = 1e-5;

/* How a link takes part in the complementarity problem. */
typedef enum HeldKind {
    HELD_OUT,       /* not at all */
    HELD_FREE,      /* it pushes, whatever the sign of its force at this order */
    HELD_RESTRICTED /* N >= 0, v_n' >= 0, one of them 0 */
} HeldKind;

/* One number per link unless stated otherwise. */
typedef struct Held {
    int limit;  /* room, in links */
    int count;  /* links that push... */
    int *list;  /* ...and which these are, ascending */
    double *G;  /* count x count */
    double *LU; /* 1 - G M, and its row exchanges */
    int *swap;
    int coupled;  /* some link slips */
    double pivot; /* how far 1 - G M is from singular, with the sign of its determinant */
    double *room; /* 3 limit^2 + 2 limit numbers for the functions below... */
    double *flow; /* ...and for jump.h */
    int *falling;
    /* the complementarity problem, given... */
    HeldKind *kind;
    double *b;    /* accelerations by all other forces */
    double *size; /* sums of their magnitudes, to know rounding by */
    /* ...for an order of the series of N, those before which are known... */
    int orders;
    const LinkPiece *links;
    double *drag; /* two per link: mu s where the link slips, else 0 */
    /* ...guessed and found */
    int *pushes;
    int *depends; /* it does not push, and its row depends on those that do */
    double *N;
    double *slack; /* v_n' */
    double *wish;  /* depends: what it would take over, as N/k; not positive */
} Held;

size_t crm_held_bytes(int count);
/* Lay out held in its block of crm_held_bytes(count). */
void crm_held_begin(Held *held, int count);

/* Acceleration of the normal of link i by a force N of 1 at link j, with its drag. */
double crm_held_effect(const Given *given, const Held *held, int i, int j);

/* List the links with pushes[i] and factor their equations. */
void crm_held_factor(const Given *given, Held *held);

/* N of the links in the list, for b. */
void crm_held_solve(Held *held);

/* What a link that does not push would take over, as N/k, if its row depends on those that do. */
double crm_held_wish(const Given *given, Held *held, int i);

/* The same at order g of held->links, where it is 0 up to rounding if it has not been found before.
 */
double crm_held_wish_at(const Given *given, Held *held, int i, int g);

/* The same for other forces of the links in the list. */
double crm_held_wish_of(const Given *given, Held *held, int i, const double *N);

/* Which case is link i, by the factors in use: sets held->depends[i]. */
void crm_held_place(const Given *given, Held *held, int i);

/* Does the row of link i depend on those of the links in this list, which has room for one more? */
int crm_held_keeps(const Given *given, Held *held, int count, int *list, int i);

/* N, slack and wish of all links for the guess as it is, right or wrong. */
void crm_held_evaluate(const Given *given, Held *held);

/* Solve the complementarity problem from the guess. 0: no solution found in bounded work. */
int crm_held_react(const Given *given, Held *held);

/* The same a moment later for links that are on neither side (the others do not change sides: they
 * are free or out), if b and its size change at these rates. N, slack and wish are not left in
 * order. */
typedef struct HeldRates {
    double *b, *size, *now; /* now: room */
} HeldRates;
int crm_held_react_on(const Given *given, Held *held, const HeldRates *rates);

/* Solve A x = b, count x count by rows, overwriting both; how far A is from singular, the same for
 * any order of its rows, with the sign of the determinant; 0: no solution. */
enum { MOST_LINEAR = 64 };
double crm_held_linear(int count, double *A, double *b);

#endif
