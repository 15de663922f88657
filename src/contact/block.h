/* A workspace, handed out part by part. */
#ifndef CAROM_CONTACT_BLOCK_H
#define CAROM_CONTACT_BLOCK_H

#include <stddef.h>

typedef struct Block {
    char *start; /* NULL: only count */
    size_t used;
} Block;

/* Room for a number of things of this size, aligned to 16 bytes; NULL if the block only counts. */
static inline void *block_take(Block *block, size_t count, size_t size) {
    size_t at = block->used;
    block->used += (count * size + 15) / 16 * 16;
    return block->start ? block->start + at : NULL;
}

#endif
