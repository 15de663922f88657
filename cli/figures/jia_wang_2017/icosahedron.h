/* The impact of an icosahedron on a tetrahedron, Fig. 3 of [JW], with some parameters changed. */
#ifndef CAROM_CLI_FIGURES_JW_H
#define CAROM_CLI_FIGURES_JW_H

#include <carom/carom.h>

#include "figures/sheet.h"

/* Their inverse inertia matrix (13), symmetrised, and restitution. */
extern const double jw_W[9];
#define JW_E 0.95

/* The contact velocity of Fig. 3. It is not printed; it follows from W, the printed impulse and the
 * line of sticking: docs/errata.md. */
extern const double jw_v[3];

typedef struct JwImpact {
    CaromContact contact;
    double v[3], impulse[3], velocity[3]; /* velocity before; impulse; velocity after */
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} JwImpact;

/* Solve the impact with this friction and contact velocity. False: the figure has failed. */
bool jw_solve(FigureSheet *sheet, double mu, const double v[3], JwImpact *impact);

/* The impact as a problem, for carom_trace(); it points into the impact. */
CaromProblem jw_problem(const JwImpact *impact);

/* The first event of a kind, NULL: none. */
const CaromEvent *jw_event(const JwImpact *impact, CaromEventKind kind);

/* A picture of the impact by carom plot. */
bool jw_draw(FigureSheet *sheet, JwImpact *impact, const char *kind, const char *description);

#endif
