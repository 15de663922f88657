/* Figs. 4 to 8 and 10 of [JW]: hodographs and the impulse curve. */
#ifndef CAROM_CLI_FIGURES_JIA_WANG_2017_HODOGRAPH_H
#define CAROM_CLI_FIGURES_JIA_WANG_2017_HODOGRAPH_H

#include "figures/sheet.h"

/* Inverse inertia matrix (13) of the icosahedron and the tetrahedron, symmetrised, and restitution.
 */
extern const double jw_W[9];
#define JW_E 0.95

/* Tolerances of FS and VS for straight and for zero slip, in the units of the paper. They are not
 * printed: docs/errata.md. */
#define JW_STRAIGHT 0.06
#define JW_ZERO 0.015

FigureMake jw_hodograph, jw_impulse, jw_bundle;

#endif
