/* Many independent single-contact problems. */
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include <stddef.h>

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CaromCase {
    double W[6]; /* w11, w12, w13, w22, w23, w33 */
    double v[3];
    CaromContact contact;
    CaromModel model;
    CaromLaw law;
    /* 0: a spatial contact. 1: a planar one, tangent t1 and normal; w12, w22, w23 and v[1] are not
     * looked at, and number 1 of the outcome's impulse and velocity is 0. */
    int planar;
} CaromCase;

typedef struct CaromOutcome {
    double impulse[3]; /* NaN where the status is a failure */
    double velocity[3];
    char sequence[CAROM_SEQUENCE_SIZE];
    CaromStatus status;
} CaromOutcome;

/* Solve count cases. Cases are independent and each outcome depends on its case alone, so the
 * work may be cut into any pieces over any threads, in any order, with the same bits.
 *
 * Rigid contacts with the energetic law, planar rigid ones with any law, and compliant ones are
 * solved several at once in SIMD lanes, if the compiler has vectors (gcc, clang); what lanes do not
 * suit, and all other cases, one after the other by carom_solve(). Lanes are as accurate as
 * carom_solve(), and their answers pass the same checks, but the last digits differ; those of
 * planar rigid contacts do not. Fastest for hundreds of cases per call. Takes some 140 kB of stack.
 */
CAROM_API void carom_batch_solve(size_t count, const CaromCase *cases, CaromOutcome *outcomes);

#ifdef __cplusplus
}
#endif

#endif
