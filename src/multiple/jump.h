/* Jumps of the held reactions: at an end of compression, where a held link closes again, and where
 * slip runs away.
 *
 * The directions s_i of the tangential springs stay; their lengths r_i follow
 *
 *   dr_i/dsigma = -y_i if y_i > 0, else 0,   y_i = r_i - mu_i N_i(r)/kt_i,
 *
 * to rest, N(r) being the reaction for the forces kt_i r_i s_i. N(r) is continuous and piecewise
 * linear, so the path exists, is unique, and does not depend on the order of the links. The energy
 * that the springs lose is friction's. If all forces are in their cones, nothing happens. */
#ifndef CAROM_MULTIPLE_JUMP_H
#define CAROM_MULTIPLE_JUMP_H

#include "multiple/flow.h"
#include "multiple/network.h"

/* Find the reactions after the set of held links has changed. runs_away: no mode of the slipping
 * links is consistent: start from an infinitesimal excess at these. */
void crm_jump(Network *network, int runs_away);

/* The flow from links, in the network's scratch. */
Flow crm_jump_flow(Network *network, const Link *links);

#endif
