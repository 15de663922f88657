/* What the general calls use of the planar solver. */
#ifndef CAROM_PLANAR_PLANAR_H
#define CAROM_PLANAR_PLANAR_H

#include <carom/trace.h>

/* carom_trace() for one planar contact. */
CaromStatus planar_trace(const double W[4], const double v[2], const CaromContact *contact,
                         CaromLaw law, CaromTrace *trace, CaromResult *result);

#endif
