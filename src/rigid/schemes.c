/* placeholder of the lead, so that the library links: overwrite freely */
#include "rigid/schemes.h"
#include "core/check.h"
CaromStatus rigid_scheme_solve(const double W[9], const double v[3], const CaromContact *contact,
                               CaromLaw law, CaromMethod method, double step, CaromResult *result) {
    (void)W; (void)v; (void)contact; (void)law; (void)method; (void)step;
    return result_fail(result, 1, CAROM_NOT_CONVERGED, "method not available yet");
}
