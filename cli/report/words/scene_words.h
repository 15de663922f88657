/* Phrases of reports about the scene, for text and pages. */
#ifndef CAROM_CLI_REPORT_WORDS_SCENE_WORDS_H
#define CAROM_CLI_REPORT_WORDS_SCENE_WORDS_H

#include "base/words.h"
#include "scene/scene.h"

/* A name without control characters, cut to 47 bytes. */
Words report_name(const char *name);

/* Model, law and method. */
Words report_model_words(const Scene *scene, CaromMethod method, bool as_printed);

/* "m, kg, s; impulse N s, energy J". */
Words report_units_words(const Units *units);

/* The coefficients of a contact, "mu = 0.3, e = 0.6"; and whether all contacts have the same. */
Words report_coefficient_words(const Scene *scene, int contact);
bool report_is_alike(const Scene *scene);

/* The bodies of a contact, "ball hits table"; empty if the scene has no bodies. */
Words report_pair(const Scene *scene, int contact);

#endif
