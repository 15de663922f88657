/* Friction that falls along a path and stops inside its cone (multiple/jump.h): with the forces
 * phi = kt r of the lengths,
 *
 *   dphi_i/dsigma = -(phi_i - mu_i N_i(phi))  where that falls, else 0.
 *
 * The right side is continuous, so that nothing happens to the adjoint q of phi where the region
 * changes:
 *
 *   -q_j' = -q_j [j falls] + sum of mu_i q_i dN_i/dphi_j over the i that fall,
 *   dL/dmu_i = int q_i N_i dsigma, and the effect of mu_i q_i on N_i by all else that it comes
 * from.
 *
 * What falls for ever comes to rest on the edge of its cone, wherever it was: its q is 0. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_PATH_H
#define CAROM_DERIVATIVE_MULTIPLE_PATH_H

#include "contact/block.h"
#include "derivative/multiple_adjoint.h"

void crm_path_lay_out(FrictionPath *path, Block *block, int links);

/* Follow the flow from these links, then back: from q after it to q before it. turn and gradients
 * are added to; adjoint->P becomes what pushes the forces of springs. 0: the path is too long. */
int crm_path_back(Adjoint *adjoint, const Link *links);

#endif
