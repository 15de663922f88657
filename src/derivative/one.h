/* One contact: its derivatives in the caller's units, whatever solver they come from. */
#ifndef CAROM_DERIVATIVE_ONE_H
#define CAROM_DERIVATIVE_ONE_H

#include <carom/derivative.h>

/* Inputs of one spatial contact, in the order of CaromInputs. */
enum {
    ONE_W11 = 0,
    ONE_W12 = 1,
    ONE_W13 = 2,
    ONE_W22 = 3,
    ONE_W23 = 4,
    ONE_W33 = 5,
    ONE_V = 6,
    ONE_MU = 9,
    ONE_MU_STATIC = 10,
    ONE_E = 11,
    ONE_STIFFNESS = 12,
    ONE_RATIO = 13
};

/* A kink: where phi vanishes. */
typedef struct OneKink {
    CaromKinkKind kind;
    int happens, jumps;
    double phi, by[CAROM_INPUTS_ONE];
} OneKink;

/* What the caller wants of one contact, and what a solver finds. */
typedef struct OneSlope {
    const double *weights; /* of I and v+ (6 numbers): only their sum is wanted; NULL: all */
    int wants_kinks;
    int wants_near; /* also those that are only nearly there, which takes time */
    double outcome[6][CAROM_INPUTS_ONE]; /* of I and v+; with weights the first row is the sum's */
    OneKink kinks[CAROM_KINKS_ONE + 1];  /* the last one is for those without room */
    int kink_count;
    CaromSmoothness smoothness;
    const char *message;
    double residual; /* of the identities */
} OneSlope;

/* Note a kink; those without room are dropped. Returns its gradient to fill. */
static inline double *one_add_kink(OneSlope *slope, CaromKinkKind kind, int happens, int jumps,
                                   double phi) {
    OneKink *kink = &slope->kinks[slope->kink_count];
    slope->kink_count += slope->kink_count < CAROM_KINKS_ONE;
    *kink = (OneKink){.kind = kind, .happens = happens, .jumps = jumps, .phi = phi};
    return kink->by;
}

#endif
