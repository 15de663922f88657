/* What the fuzz targets of one contact share: an impact made of the input's bytes, and the checks
 * that do not depend on the model. */
#ifndef CAROM_FUZZ_NUMBERS_H
#define CAROM_FUZZ_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include <carom/carom.h>

/* Input not yet used; where there is none left, zeros are taken. */
typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

typedef struct Input {
    const char *target; /* name in messages */
    double W[9], v[3];
    CaromContact contact;
    CaromLaw law;
} Input;

/* Eight bytes as they are: any double. */
double take_raw(Bytes *bytes);

/* Two bytes as a number in [-4, 4), zero and the other multiples of 1/8192 included. */
double take_small(Bytes *bytes);

/* W, v, mu and e; the rest of the input gets its defaults. The first byte says how: bit 0, raw
 * numbers instead of small ones; 1, W from raw doubles instead of as A^T A + eps, which is mostly
 * accepted; 2, the bodies approach; 3, mu and e out of range too. Answers that byte, for the
 * target's use of bits 4 to 7. */
uint8_t take_impact(Bytes *bytes, const char *target, Input *input);

/* Show the input and abort unless the condition holds. */
void require(int condition, const char *what, const Input *input);

/* NaN everywhere, a message, no events. */
void check_failure(const Input *input, const CaromResult *result);

/* Finite, pushing, inside the friction cone, with an energy account that closes to scale times
 * slack. */
void check_success(const Input *input, const CaromResult *result, double scale, double slack);

/* What the result's own estimate of its error allows. */
double slack_of(const CaromResult *result);

#endif
