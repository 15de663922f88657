#include "fuzz_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

void check_refusal(const Scene *scene, const Error *error) {
    size_t length = strnlen(error->text, sizeof error->text);
    require(length > 0 && length < sizeof error->text, "a refused scene needs a message");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)error->text[i];
        require(c >= ' ' && c != 127, "a message holds a control character");
    }
    require(!scene->name && !scene->description && !scene->contacts && !scene->inverse_inertia &&
                !scene->velocity && !scene->bodies && !scene->body_names && !scene->sites &&
                !scene->system.mass_matrix && !scene->system.speeds && !scene->system.jacobian &&
                !scene->system.responses,
            "a refused scene must own nothing");
}
