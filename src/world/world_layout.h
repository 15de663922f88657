/* The block of memory of a world, and what lies where in it. */
#ifndef CAROM_WORLD_WORLD_LAYOUT_H
#define CAROM_WORLD_WORLD_LAYOUT_H

#include "world/world_state.h"

/* Are the counts of a setup in range, and the pointers there? */
bool crm_world_layout_is_possible(const CaromWorldSetup *setup);

/* Give the world, which is at the beginning of the block, its rooms. */
void crm_world_layout_cut(const CaromWorldSetup *setup, void *block, CaromWorld *world);

#endif
