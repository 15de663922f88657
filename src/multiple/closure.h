/* Links that cannot part: whatever the bodies do, as long as no other link closes further (v_n >= 0
 * at all), their v_n is 0. They are pinched between others by normal forces that move nothing. */
#ifndef CAROM_MULTIPLE_CLOSURE_H
#define CAROM_MULTIPLE_CLOSURE_H

#include "multiple/network.h"

/* closed[i]: link i is one. */
void crm_closure(const Network *network, int *closed);

#endif
