/* placeholder of the lead, so that the library links: overwrite freely */
#ifndef CAROM_RIGID_SCHEMES_H
#define CAROM_RIGID_SCHEMES_H
#include <carom/problem.h>
CaromStatus rigid_scheme_solve(const double W[9], const double v[3], const CaromContact *contact,
                               CaromLaw law, CaromMethod method, double step, CaromResult *result);
#endif
