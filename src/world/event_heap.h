/* The bodies of a world in a binary heap, the one with the earliest next event on top. Of equal
 * times the lower index comes first. */
#ifndef CAROM_WORLD_EVENT_HEAP_H
#define CAROM_WORLD_EVENT_HEAP_H

#include "world/world_state.h"

/* Order all bodies. */
void crm_event_heap_build(CaromWorld *world);

/* Restore the order after the next event of a body has changed. */
void crm_event_heap_move(CaromWorld *world, int body);

#endif
