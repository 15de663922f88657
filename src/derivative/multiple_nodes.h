/* The process at Radau's nodes of a step, backwards: node i is at right - length EIGHT_NODE[i] of
 * the piece in hand. Numbers of a row or link at all nodes lie next to each other, for vectors. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_NODES_H
#define CAROM_DERIVATIVE_MULTIPLE_NODES_H

#include "contact/block.h"
#include "derivative/eight_nodes.h"
#include "derivative/multiple_adjoint.h"

/* A link that slips, at one moment. */
typedef struct NodeSlip {
    double s[2], rho, sigma, theta;
    double across; /* V.s_perp */
} NodeSlip;

/* The same at all nodes. */
typedef struct StepSlip {
    double s[2][NODES], rho[NODES], sigma[NODES], theta[NODES], across[NODES];
    /* of links that turn: their equations, inverted, column by column, and scales */
    double inverse[NODES][NODES], scale[NODES];
} StepSlip;

typedef struct Nodes {
    double right, length; /* in units of the piece */
    double time[NODES];   /* dt/dx times length */
    double weight[NODES]; /* of integrals over time */
    double *F, *v;        /* rows times NODES */
    StepSlip *slip;
    /* adjoints at the nodes, rows or links times lanes times NODES */
    double *a, *P, *b, *c, *gamma;
    double *reaction[NODES]; /* of held links: their equations, eliminated, and the exchanges */
    double *by_W;            /* int a_k F_j dt of all steps: rows k times lanes times stride */
    /* at the present moment */
    NodeSlip *now;
    double *F_now, *v_now, *room; /* room: rows times lanes */
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
