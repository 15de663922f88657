/* What the general calls use of the rigid model. */
#ifndef CAROM_RIGID_RIGID_H
#define CAROM_RIGID_RIGID_H

#include <carom/trace.h>

/* Check the input of one rigid contact, all but the definiteness of W. */
CaromStatus rigid_check(const double W[9], const double v[3], const CaromContact *contact,
                        const char **message);

/* carom_trace() for one rigid contact. */
CaromStatus rigid_trace(const double W[9], const double v[3], const CaromContact *contact,
                        CaromLaw law, CaromTrace *trace, CaromResult *result);

#endif
