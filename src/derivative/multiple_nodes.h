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
    double drag[2][NODES]; /* mu s */
    /* of links that turn: kt s_perp; gamma by its end and by its rate at each node */
    double lift[2][NODES], decay[NODES], turn[NODES][NODES];
} StepSlip;

/* Rows from first to before end. */
typedef struct RowRun {
    int first, end;
} RowRun;

typedef struct Nodes {
    double right, length; /* in units of the piece */
    double time[NODES];   /* dt/dx times length */
    double weight[NODES]; /* of integrals over time */
    double *F, *v;        /* rows times NODES */
    double *push;         /* F times weight, node by node */
    StepSlip *slip;
    /* integrals over time by columns, once and twice, and of 1 */
    double integral[NODES][NODES], twice[NODES][NODES], elapsed[NODES];
    /* adjoints at the nodes, rows or links times lanes times NODES; P: of links that act */
    double *a, *P, *b, *c, *gamma;
    double *start; /* a without P */
    double *press; /* P by the weights and the rows that do not vary: rows times lanes */
    RowRun *runs;  /* the rows of a that do */
    int run_count;
    double *reaction[NODES]; /* of held links: their equations, eliminated, and the exchanges */
    double *by_W; /* int a_k F_j dt of all steps: rows k times lanes times row_places() */
    /* at the present moment */
    NodeSlip *now;
    double *F_now, *v_now, *room; /* room: rows times lanes */
} Nodes;

/* Places of an array of all rows that is made of vectors of four. */
static inline int row_places(int rows) {
    return (rows + 3) / 4 * 4;
}

/* Lay out; block->start NULL: only count. */
void crm_nodes_lay_out(Nodes *nodes, Block *block, int links, int rows);

/* Forces, speeds and slip at x of the piece in hand. slip may be NULL. */
void crm_nodes_look(const Adjoint *adjoint, double x, double *F, double *v, NodeSlip *slip);

/* dN/dt of held link i at x of the piece in hand. */
double crm_nodes_reaction_rate(const Adjoint *adjoint, int i, double x);

/* Fill all nodes of the step that ends at right; cubic: it goes to the start of the piece, and the
 * nodes are those of the cubic root of the time since then. */
void crm_nodes_fill(const Adjoint *adjoint, double right, double length, int cubic);

#endif
