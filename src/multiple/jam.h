/* Contacts that jam: forces inside the cones that move nothing (W F = 0: a ball wedged between
 * walls) are never unloaded. Where all contacts that act stick, the rest is a vibration about these
 * forces that does not end; what damps it in the end brings the contacts to rest. */
#ifndef CAROM_MULTIPLE_JAM_H
#define CAROM_MULTIPLE_JAM_H

#include "multiple/network.h"

/* Do the links that act stick for ever, for certain? Then bring them to rest: I <- I - W_AA^+ v_A,
 * and what was left in springs and speeds is lost. Now and then, on committed pieces. */
int crm_jam(Network *network);

#endif
