/* Types that the tests of one contact share: a problem, an answer, and the distance of two
 * answers. */
#ifndef CAROM_TEST_CONTACT_IMPACT_H
#define CAROM_TEST_CONTACT_IMPACT_H

#include <carom/carom.h>

#include "support/math/larger.h"
#include "support/math/random.h"

/* One contact. */
typedef struct Impact {
    double W[9];
    double v[3];
    CaromContact contact;
    CaromLaw law;
    const char *tag; /* the class it was drawn from; a constant string */
} Impact;

/* The answer of an oracle or of the library. */
typedef struct Answer {
    int ok;
    double impulse[3];
    double velocity[3];
    char sequence[CAROM_SEQUENCE_SIZE];
    double first_compression; /* normal impulse at the first end of compression */
    double normal_loss;
    double friction_loss;
    int restarts;   /* of compression */
    double closest; /* truth.c: smallest speed of slip on the way, over |gamma'| times p */
} Answer;

/* The library's answer; ok if the status is not a failure. */
Answer answer_of_library(const Impact *impact);

/* Distances, each relative to the effect of rounding the input. */
typedef struct Distance {
    double impulse;    /* |I - I*| / |I*| */
    double velocity;   /* tangential and normal, each over its |v-| + |W| |I|; the larger */
    double tangential; /* |I_t - I_t*| / (max(mu, mu_static) p) */
    double energy;     /* both losses, over the sum of |I_i| (|v-_i| + |v+_i|) */
} Distance;

/* The larger of each. */
Distance distance_max(Distance a, Distance b);

Distance answer_distance(const Impact *impact, const Answer *answer, const Answer *truth);

/* The larger of impulse and velocity; infinite if there is no answer. */
double answer_error(const Impact *impact, const Answer *answer, const Answer *truth);

/* Kinetic energy that an impulse could take out, 1/2 v- . W^-1 v-: the scale of energies. */
double impact_energy(const Impact *impact);

/* Coefficient of the stick test: mu_static, or mu where it is 0. */
double impact_mu_static(const Impact *impact);

/* The sequence without its l. */
void sequence_without_l(const char *sequence, char out[CAROM_SEQUENCE_SIZE]);

/* Print an impact as C literals of 17 digits, on standard error, to reproduce a failure. */
void impact_print(const Impact *impact);

/* The impact with its input changed in the last place, relative to the norms of B, d and v_t; a
 * 0 is structure and stays. */
Impact impact_disturbed(const Impact *impact, Random *random);

#endif
