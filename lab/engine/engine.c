/* The state of the engine, and its access from JavaScript. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

Scene engine_scene;
Room engine_numbers;

/* Written by JavaScript: the text of a scene, or numbers. */
static Room input;

static CaromStatus last_status;
static Error last_message;

void *room_take(Room *room, size_t size) {
    if (size > room->size) {
        free(room->bytes);
        room->bytes = malloc(size);
        room->size = room->bytes ? size : 0;
    }
    return room->bytes;
}

bool engine_end(CaromStatus status, const char *message) {
    last_status = status;
    last_message = (Error){""};
    strncat(last_message.text, message, sizeof last_message.text - 1);
    return status >= 0;
}

bool engine_end_no_memory(void) {
    return engine_end(CAROM_INVALID_INPUT, "out of memory");
}

Choice engine_choose(Choice choice) {
    Choice old = {(int)engine_scene.model, (int)engine_scene.law};
    if (choice.model >= 0) {
        engine_scene.model = (CaromModel)choice.model;
    }
    if (choice.law >= 0) {
        engine_scene.law = (CaromLaw)choice.law;
    }
    return old;
}

/* Call once, first. A fixed hash seed is safe: a malicious scene slows down only its own author. */
EXPORT(void, start, void) {
    json_object_seed(1);
}

EXPORT(const char *, version, void) {
    return carom_version();
}

EXPORT(void *, input_take, size_t size) {
    return room_take(&input, size);
}

EXPORT(const char *, status, void) {
    return carom_status_string(last_status);
}

EXPORT(const char *, message, void) {
    return last_message.text;
}

/* Read the scene in the input. */
EXPORT(int, read, size_t size) {
    Error error;
    scene_free(&engine_scene);
    bool good = scene_read_memory(input.bytes, size, &engine_scene, &error);
    return engine_end(good ? CAROM_OK : CAROM_INVALID_INPUT, good ? "" : error.text);
}

/* Shape of the scene's tables. */
EXPORT(int, contact_count, void) {
    return engine_scene.contact_count;
}

EXPORT(int, contact_rows, void) {
    return scene_rows(&engine_scene);
}

EXPORT(const double *, inverse_inertia, void) {
    return engine_scene.inverse_inertia;
}
