/* The process at Radau's nodes of a step, backwards: node i is at right - length NODE[i] of the
 * piece in hand. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_NODES_H
#define CAROM_DERIVATIVE_MULTIPLE_NODES_H

#include "compliant/radau.h"
#include "contact/block.h"
#include "derivative/multiple_adjoint.h"

/* A link that slips, at one moment. */
typedef struct NodeSlip {
    double s[2], rho, sigma, theta;
    double across; /* V.s_perp */
} NodeSlip;

enum { TURN_SIZE = STAGES * STAGES + 2 * STAGES };

typedef struct Nodes {
    double right, length; /* in units of the piece */
    double phase;         /* of the fastest oscillation, at most */
    double time[STAGES];  /* dt/dx times length */
    double *F[STAGES], *v[STAGES];
    NodeSlip *slip[STAGES];
    /* adjoints at the nodes, rows or links times lanes */
    double *a[STAGES], *P[STAGES], *b[STAGES], *c[STAGES], *gamma[STAGES];
    double *turn; /* of links that turn: their equations, eliminated, exchanges and scales */
    double *reaction[STAGES]; /* of held links: their equations, eliminated, and the exchanges */
} Nodes;

/* Lay out; block->start NULL: only count. */
void crm_nodes_lay_out(Nodes *nodes, Block *block, int links, int rows);

/* Forces, speeds and slip at x of the piece in hand. slip may be NULL. */
void crm_nodes_look(const Adjoint *adjoint, double x, double *F, double *v, NodeSlip *slip);

/* dN/dt of held link i at x of the piece in hand. */
double crm_nodes_reaction_rate(const Adjoint *adjoint, int i, double x);

/* Fill all nodes of the step that ends at right. */
void crm_nodes_fill(const Adjoint *adjoint, double right, double length);

#endif
