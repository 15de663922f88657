/* Shared by the files of the engine: the scene that was read last, and the memory for input from
 * JavaScript and for answers.
 *
 * Functions that begin with EXPORT are called by engine.js, which knows the layouts. */
#ifndef CAROM_LAB_ENGINE_H
#define CAROM_LAB_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/scene_read.h"

/* Define a function that JavaScript calls by its name without the prefix. */
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type engine_##name(__VA_ARGS__);                           \
    type engine_##name(__VA_ARGS__)

/* Memory that grows on demand and is reused. */
typedef struct Room {
    void *bytes;
    size_t size;
} Room;

/* At least size bytes with undefined contents; NULL: no memory. */
void *room_take(Room *room, size_t size);

/* Set status and message of the last call. Returns status >= 0: there is a result. */
bool engine_end(CaromStatus status, const char *message);
bool engine_end_no_memory(void);

/* The scene that was read last; contact_count is 0 if there is none. */
extern Scene engine_scene;

/* Numbers for JavaScript, valid until the next call. */
extern Room engine_numbers;

/* Replace the scene's model and law (-1: keep). Returns the old ones, to be restored. */
typedef struct Choice {
    int model, law;
} Choice;
Choice engine_choose(Choice choice);

#endif
