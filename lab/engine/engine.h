/* What the files of the engine share: one scene, the one that was read last, and the memory in
 * which questions come from JavaScript and answers go back.
 *
 * Every function that begins with EXPORT is called by engine.js, which knows the layouts. */
#ifndef CAROM_LAB_ENGINE_H
#define CAROM_LAB_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/scene_read.h"

/* Begin a function that JavaScript calls by its name without the prefix. */
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type engine_##name(__VA_ARGS__);                           \
    type engine_##name(__VA_ARGS__)

/* Memory that grows to what is asked for and is used again. */
typedef struct Room {
    void *bytes;
    size_t size;
} Room;

/* At least so many bytes, their contents undefined; NULL: no memory. */
void *room_take(Room *room, size_t size);

/* How the last call ended. Answers whether there is something to show, that is, status >= 0. */
bool engine_end(CaromStatus status, const char *message);
bool engine_end_no_memory(void);

/* The scene that was read last; contact_count is 0 if there is none. */
extern Scene engine_scene;

/* Where numbers for JavaScript are, until the next call. */
extern Room engine_numbers;

/* Put a model and a law in the place of the scene's own, -1: leave it. Answers the ones it had, to
 * be put back. */
typedef struct Choice {
    int model, law;
} Choice;
Choice engine_choose(Choice choice);

#endif
