/* What the figures of Jia and Wang, "Analysis and Computation of Two Body Impact in Three
 * Dimensions", share: the impact of an icosahedron on a tetrahedron (their figure 3), with some of
 * its parameters changed. */
#ifndef CAROM_CLI_FIGURES_JW_H
#define CAROM_CLI_FIGURES_JW_H

#include <carom/carom.h>

#include "figures/figure.h"

/* Their inverse inertia matrix (13), symmetrised, and restitution. */
extern const double jw_W[9];
#define JW_E 0.95

/* The contact velocity of figure 3. It is not printed; it follows from W, the printed impulse and
 * the line of sticking: docs/errata.md. */
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

/* A picture of the impact as carom plot draws it; number is that of the figure. */
bool jw_draw(FigureSheet *sheet, const char *number, JwImpact *impact, const char *kind,
             const char *description);

/* Hodographs: 4, 7, 10. Their bundles: 6, 8. The impulse curve: 5. The schemes: Table 1. */
bool jw_hodograph(FigureSheet *sheet);
bool jw_bundle(FigureSheet *sheet);
bool jw_impulse(FigureSheet *sheet);
bool jw_table1(FigureSheet *sheet);

#endif
