/* Contacts that jam: forces inside the cones that move nothing (W F = 0: a ball wedged between
 * walls) are never unloaded, and bodies pinched between others cannot part. Then the impact has no
 * end; the velocity afterwards is what it is in the mean: what damps the vibration in the end
 * brings the contacts to rest. */
#ifndef CAROM_MULTIPLE_JAM_H
#define CAROM_MULTIPLE_JAM_H

#include "multiple/network.h"

/* Does the impact never end, for certain? Then bring the links that act to rest: I <- I - W_AA^+
 * v_A, and what was left in springs and speeds is lost. Now and then, on committed pieces. */
int crm_jam(Network *network);

#endif
