/* A binary heap of body indices; every body knows its place. */
#include "world/event_heap.h"

static bool is_earlier(const CaromWorld *world, int a, int b) {
    double ta = world->bodies[a].next.time, tb = world->bodies[b].next.time;
    return ta < tb || (ta == tb && a < b);
}

static void heap_put(CaromWorld *world, int place, int body) {
    world->heap[place] = body;
    world->bodies[body].place = place;
}

static void sift_up(CaromWorld *world, int place) {
    int body = world->heap[place];
    while (place > 0 && is_earlier(world, body, world->heap[(place - 1) / 2])) {
        heap_put(world, place, world->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_put(world, place, body);
}

static void sift_down(CaromWorld *world, int place) {
    int body = world->heap[place], count = world->body_count;
    for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
        if (child + 1 < count && is_earlier(world, world->heap[child + 1], world->heap[child])) {
            child++;
        }
        if (!is_earlier(world, world->heap[child], body)) {
            break;
        }
        heap_put(world, place, world->heap[child]);
        place = child;
    }
    heap_put(world, place, body);
}

void crm_event_heap_build(CaromWorld *world) {
    for (int i = 0; i < world->body_count; i++) {
        heap_put(world, i, i);
    }
    for (int i = world->body_count / 2 - 1; i >= 0; i--) {
        sift_down(world, i);
    }
}

void crm_event_heap_move(CaromWorld *world, int body) {
    sift_up(world, world->bodies[body].place);
    sift_down(world, world->bodies[body].place);
}
