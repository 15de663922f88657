#include "world/world_layout.h"

#include <carom/solve.h>

#include "world/cell_grid.h"

bool crm_world_layout_is_possible(const CaromWorldSetup *setup) {
    return setup && setup->body_count >= 1 && setup->body_count <= CAROM_WORLD_BODIES &&
           setup->plane_count >= 0 && setup->plane_count <= CAROM_WORLD_FIXED &&
           setup->cushion_count >= 0 && setup->cushion_count <= CAROM_WORLD_FIXED &&
           setup->pocket_count >= 0 && setup->pocket_count <= CAROM_WORLD_FIXED &&
           setup->material_count >= 1 && setup->material_count <= CAROM_WORLD_MATERIALS &&
           setup->contact_limit >= 0 && setup->contact_limit <= CAROM_CONTACTS_MAX &&
           setup->bodies && setup->surfaces && (setup->planes || setup->plane_count == 0) &&
           (setup->cushions || setup->cushion_count == 0) &&
           (setup->pockets || setup->pocket_count == 0);
}

static int contact_limit(const CaromWorldSetup *setup) {
    int wished = setup->body_count < 30 ? 8 + 4 * setup->body_count : 128;
    return setup->contact_limit > 0 ? setup->contact_limit : wished;
}

/* A block from which pieces are cut. Without memory it only counts. */
typedef struct WorldBlock {
    char *memory;
    size_t used;
} WorldBlock;

static void *cut_room(WorldBlock *block, size_t count, size_t size) {
    void *piece = block->memory ? block->memory + block->used : NULL;
    /* aligned as malloc() does; 64 suits every processor's vectors */
    block->used += (count * size + 63) / 64 * 64;
    return piece;
}

/* The convex bodies of a setup, which has not been checked: their number and vertices. */
typedef struct ConvexCount {
    size_t bodies, most;  /* most: of one body */
    size_t numbers, ints; /* of hulls */
} ConvexCount;

static ConvexCount count_convex(const CaromWorldSetup *setup) {
    ConvexCount count = {.most = 1};
    for (int i = 0; i < setup->body_count; i++) {
        const CaromShape *shape = &setup->bodies[i].shape;
        if (shape->radius > 0 || shape->vertex_count < 1) {
            continue;
        }
        size_t vertices = (size_t)shape->vertex_count;
        count.bodies++;
        count.most = vertices > count.most ? vertices : count.most;
        if (setup->body_count > 1 && vertices <= CAROM_WORLD_VERTICES) {
            count.numbers += crm_hull_numbers(shape->vertex_count);
            count.ints += crm_hull_ints(shape->vertex_count);
        }
    }
    /* larger shapes are refused */
    if (setup->body_count > 1 && count.most > CAROM_WORLD_VERTICES) {
        count.most = CAROM_WORLD_VERTICES;
    }
    return count;
}

/* Rooms of one impact. */
static void lay_out_cluster(WorldBlock *block, size_t limit, size_t vertices, Cluster *cluster) {
    cluster->limit = (int)limit;
    cluster->touching = cut_room(block, limit, sizeof *cluster->touching);
    cluster->sites = cut_room(block, limit, sizeof *cluster->sites);
    cluster->contacts = cut_room(block, limit, sizeof *cluster->contacts);
    /* one body more than contacts, a cue, and the immovable one */
    cluster->bodies = cut_room(block, limit + 3, sizeof *cluster->bodies);
    cluster->before = cut_room(block, limit + 3, sizeof *cluster->before);
    cluster->after = cut_room(block, limit + 3, sizeof *cluster->after);
    cluster->moved = cut_room(block, limit + 3, sizeof *cluster->moved);
    cluster->landed = cut_room(block, limit + 3, sizeof *cluster->landed);
    cluster->W = cut_room(block, 9 * limit * limit, sizeof *cluster->W);
    cluster->v = cut_room(block, 3 * limit, sizeof *cluster->v);
    cluster->impulse = cut_room(block, 3 * limit, sizeof *cluster->impulse);
    cluster->velocity = cut_room(block, 3 * limit, sizeof *cluster->velocity);
    cluster->events = cut_room(block, WORLD_IMPACT_EVENTS, sizeof *cluster->events);
    cluster->workspace = cut_room(block, 1, carom_workspace_size((int)limit));
    cluster->vertices = cut_room(block, vertices, sizeof *cluster->vertices);
}

/* Lay out a world; returns its size. */
static size_t lay_out_world(const CaromWorldSetup *setup, WorldBlock *block, CaromWorld *world) {
    size_t bodies = (size_t)setup->body_count, planes = (size_t)setup->plane_count;
    size_t materials = (size_t)setup->material_count;
    ConvexCount convex = count_convex(setup);
    cut_room(block, 1, sizeof *world);
    world->bodies = cut_room(block, bodies, sizeof *world->bodies);
    world->heap = cut_room(block, bodies, sizeof *world->heap);
    world->planes = cut_room(block, planes, sizeof *world->planes);
    world->cushions = cut_room(block, (size_t)setup->cushion_count, sizeof *world->cushions);
    world->pockets = cut_room(block, (size_t)setup->pocket_count, sizeof *world->pockets);
    world->surfaces = cut_room(block, materials * materials, sizeof *world->surfaces);
    world->grid.room = cell_grid_room(setup->body_count);
    world->grid.heads = cut_room(block, (size_t)world->grid.room, sizeof *world->grid.heads);
    lay_out_cluster(block, (size_t)contact_limit(setup), convex.most, &world->cluster);
    ConvexRoom *room = &world->convex_room;
    room->convex = cut_room(block, convex.bodies, sizeof *room->convex);
    room->friction = cut_room(block, convex.bodies * planes, sizeof *room->friction);
    room->numbers = cut_room(block, convex.numbers, sizeof *room->numbers);
    room->ints = cut_room(block, convex.ints, sizeof *room->ints);
    CaromLasting lasting = {.shape = {.vertex_count = convex.bodies > 0 ? (int)convex.most : 0},
                            .plane_count = setup->plane_count};
    world->flat = cut_room(block, planes, sizeof *world->flat);
    world->lasting_room =
        cut_room(block, carom_lasting_workspace(&lasting), sizeof *world->lasting_room);
    return block->used;
}

size_t carom_world_size(const CaromWorldSetup *setup) {
    WorldBlock block = {0};
    CaromWorld counted;
    return crm_world_layout_is_possible(setup) ? lay_out_world(setup, &block, &counted) : 0;
}

void crm_world_layout_cut(const CaromWorldSetup *setup, void *memory, CaromWorld *world) {
    WorldBlock block = {.memory = memory};
    lay_out_world(setup, &block, world);
}
