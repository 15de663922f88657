/* The flow of the lengths r of the tangential springs of held links to rest (jump.h). */
#ifndef CAROM_MULTIPLE_FLOW_H
#define CAROM_MULTIPLE_FLOW_H

#include "multiple/held.h"

/* A link is on the edge of its cone up to this. */
static const double ON_EDGE = 1e-11;

/* A reaction that is 0, relative to the largest force. */
static const double VANISHED = 1e-12;

/* Steps of all flows of an impact. */
enum { ALL_FLOW_STEPS = 100000 };

/* For callers that follow the flow: a step begins, of this length in sigma. The last one, which
 * goes on for ever, is not told. */
struct Flow;
typedef struct FlowVisitor {
    void *context;
    void (*step)(void *context, const struct Flow *flow, double length);
} FlowVisitor;

/* Lengths, excesses and, for each held link, the quantity that must not become negative (N if it
 * pushes, else its slack), with the gradients by the lengths that fall. */
typedef struct Flow {
    const Given *given;
    Held *held;
    double *forces, *rates; /* one per row */
    const Link *links;
    int count;                  /* lengths that fall... */
    int *falling;               /* ...and whose they are */
    double scale;               /* largest force before */
    double *r, *y, *s, *value;  /* per link; s: two */
    double *gradient;           /* of value, count per link */
    double *M;                  /* dy/dr of those that fall */
    double *series;             /* of r, TERMS per falling length */
    const FlowVisitor *visitor; /* or NULL */
} Flow;

static inline int flow_holds(const Flow *flow, int i) {
    return flow->links[i].phase == HELD;
}

/* dy_i/dr of falling length a. */
static inline double flow_excess_slope(const Flow *flow, int i, int a) {
    const Material *material = &flow->given->materials[i];
    double dN = flow->held->pushes[i] ? flow->gradient[i * flow->given->count + a] : 0;
    return (flow->falling[a] == i) - material->mu * dN / material->kt;
}

/* Acceleration of normal i by a unit of the length r_j. */
double crm_flow_pull(const Flow *flow, int i, int j);

/* Gradients by the length of one link, in column a; the factors of held are those in use. */
void crm_flow_column(Flow *flow, int a);

/* All gradients, and M. */
void crm_flow_gradients(Flow *flow);

/* Reactions and excesses, if the links that push are known. */
void crm_flow_evaluate(Flow *flow);

/* This length of link i, or 0 where it is rounding: a length that falls to 0 gets there. */
double crm_flow_length(const Flow *flow, int i, double r);

/* The state of the flow: reactions, excesses, which lengths fall, and how all depends on them. 0:
 * no reaction. */
int crm_flow_look(Flow *flow);

/* Follow the flow to rest, with *all steps so far. 0: it does not end in bounded work. */
int crm_flow_run(Flow *flow, int *all);

#endif
