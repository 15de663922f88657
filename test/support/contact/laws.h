/* How much a result violates the laws of every impact, whatever its model; and a hash, to
 * compare the bits of many results. */
#ifndef CAROM_TEST_CONTACT_LAWS_H
#define CAROM_TEST_CONTACT_LAWS_H

#include <stddef.h>
#include <stdint.h>

#include "support/contact/impact.h"

/* The size of the terms in the energy account, the sum of |I_i| (|v-_i| + |v+_i|)/2: with W badly
 * conditioned the terms are much larger than their sum. */
double law_energy_terms(const Impact *impact, const CaromResult *result);

/* How far the impulse is outside the friction cone, over mu p. */
double law_cone(const Impact *impact, const CaromResult *result);

/* v_n+ below 0, over |v_n-| + w p. */
double law_separation(const Impact *impact, const CaromResult *result);

#define HASH_START 0xcbf29ce484222325u

/* FNV-1a: continue a hash with these bytes. */
uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
