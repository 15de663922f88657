/* One rigid contact solved with all its derivatives, and the sizes of its inputs. */
#ifndef CAROM_TEST_DERIVATIVE_SOLVED_H
#define CAROM_TEST_DERIVATIVE_SOLVED_H

#include <carom/carom.h>

#include "support/contact/impact.h"

enum { INPUTS = CAROM_INPUTS_ONE };

typedef struct Solved {
    CaromStatus status;
    double I[3], v[3];
    double by_I[3 * INPUTS], by_v[3 * INPUTS];
    CaromResult result;
    CaromDerivative derivative;
    CaromKink kinks[CAROM_KINKS_ONE];
} Solved;

/* Pointers in *out point into it. */
void differentiate(const Impact *impact, Solved *out);

/* Are all kinks further away than this? */
int is_clear(const Solved *solved, double distance);

/* The size of an input, in the order of carom_inputs(); 0 for those that do not count. */
double size_of(const Impact *impact, int input);

double length_of(const double v[3]);

#endif
