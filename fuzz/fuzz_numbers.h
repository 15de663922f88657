/* Shared by the fuzz targets of one contact: an impact built from the input's bytes, and checks
 * that do not depend on the model. */
#ifndef CAROM_FUZZ_NUMBERS_H
#define CAROM_FUZZ_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include <carom/carom.h>

/* Unused input. After its end follow zeros, or pseudo-random bytes if stream is not 0. */
typedef struct Bytes {
    const uint8_t *data;
    size_t size;
    uint64_t stream;
} Bytes;

/* Let pseudo-random bytes follow, which depend on all bytes of the input: a short input, as the
 * fuzzer tries first, is then a whole problem. */
void bytes_extend(Bytes *bytes);

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

/* W, v, mu and e; other fields get their defaults. Bits of the first byte: 0, raw numbers instead
 * of small ones; 1, W from raw doubles instead of A^T A + eps, which is mostly accepted; 2, the
 * bodies approach; 3, mu and e may be out of range. Returns that byte; targets use bits 4 to 7. */
uint8_t take_impact(Bytes *bytes, const char *target, Input *input);

/* Print the input and abort unless the condition holds. */
void require(int condition, const char *what, const Input *input);

/* NaN everywhere, a message, no events. */
void check_failure(const Input *input, const CaromResult *result);

/* Finite, with a normal impulse > 0, inside the friction cone, and an energy account that closes to
 * scale * slack. */
void check_success(const Input *input, const CaromResult *result, double scale, double slack);

/* |I_t| is within mu I_n, to a relative slack. */
void check_cone(const Input *input, const double I[3], double slack);

/* In a batch, between cases that have an answer: the status is that of the result, the neighbours
 * are not touched, the place does not matter, and the laws hold. */
void check_batch(const Input *input, CaromModel model, const CaromResult *alone);

/* Tolerance from the result's own error estimate. */
double slack_of(const CaromResult *result);

#endif
