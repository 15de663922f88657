/* Contacts that the mechanism cannot move in every direction: W is singular but semidefinite.
 *
 * A tangential direction t may have W t = 0 (a 3-row Jacobian of a planar mechanism, a striker on a
 * rail). Then d.t = 0 and gamma.t keeps its value:
 *
 *   gamma.t = 0    a planar impact along the other direction
 *   gamma.t != 0   the slip never stops; friction still acts along it
 *   both locked    gamma stays, v_n' = w
 *
 * A direction (-x, 1) may have W (-x, 1) = 0: the contact can wedge. Then B x = d, so an impulse in
 * stick moves nothing. If |x| > mu_static the contact cannot stick, friction cannot wedge it, and
 * docs/theory.md holds with k > 0 in section 7. If it sticks, v_n stays (line.h). */
#ifndef CAROM_RIGID_SEMIDEFINITE_H
#define CAROM_RIGID_SEMIDEFINITE_H

#include "contact/singular.h"
#include "math/functions.h"
#include "rigid/process/impact.h"

/* The eigenvalues of a symmetric 2x2 matrix, and the direction of the larger. */
typedef struct PlaneEigen {
    double large, small;
    double axis[2];
} PlaneEigen;

static PlaneEigen plane_eigen(const double B[3]) {
    double mean = (B[0] + B[2]) / 2, half = (B[0] - B[2]) / 2, radius = hypot(half, B[1]);
    double angle = atan2(B[1], half) / 2;
    return (PlaneEigen){mean + radius, mean - radius, {cos(angle), sin(angle)}};
}

/* B = mobility a a^T and d = d_a a, in the present axes or, if the slip is along a, in axes along
 * a. */
static void flatten(Impact *impact, const double a[2], double mobility, double da) {
    Slip *slip = &impact->slip;
    double r = impact->speed, c = a[0], s = a[1];
    if (r * fabs(s) <= SINGULAR * (r + 1)) {
        /* the slip is along a to rounding of v: turn to +-a, on the side of the slip */
        double side = c < 0 ? -1 : 1, x = impact->units.axis[0], y = impact->units.axis[1];
        c *= side;
        s *= side;
        da *= side;
        impact->units.axis[0] = c * x - s * y;
        impact->units.axis[1] = s * x + c * y;
        c = 1;
        s = 0;
    }
    slip->B[0] = mobility * c * c;
    slip->B[1] = mobility * c * s;
    slip->B[2] = mobility * s * s;
    slip->d[0] = da * c;
    slip->d[1] = da * s;
    slip_complete(slip);
    impact->reduction.free[0] = c;
    impact->reduction.free[1] = s;
    impact->reduction.mobility = mobility;
    double hold = mobility > 0 ? da / mobility : 0;
    impact->stick[0] = hold * c;
    impact->stick[1] = hold * s;
}

/* One tangential direction or both are locked. */
static int reduce_locked(Impact *impact, const PlaneEigen *eigen) {
    const double *d = impact->slip.d, *a = eigen->axis;
    double da = dot2(a, d), across = cross2(a, d), B = eigen->large;
    if (B <= LOCKED) {
        if (norm2(d) > SINGULAR) {
            return 0;
        }
        impact->reduction.locked = 2;
        impact->condition = 1;
        const double along[2] = {1, 0};
        flatten(impact, along, 0, 0);
        return 1;
    }
    double rest = B - da * da;
    if (fabs(across) > SINGULAR * (1 + sqrt(B)) || rest < -SINGULAR * B) {
        return 0;
    }
    impact->reduction.locked = 1;
    impact->reduction.wedged = rest <= SINGULAR * B;
    impact->condition =
        (B + 1) * (1 + da * da) * (impact->reduction.wedged ? 1 / B : most_of(1 / rest, 1));
    flatten(impact, a, B, da);
    return 1;
}

/* Every tangential direction moves; the null vector of W has a normal component. */
static int reduce_wedged(Impact *impact, const PlaneEigen *eigen) {
    const double *B = impact->slip.B, *d = impact->slip.d;
    double x[2];
    slip_solve(B, d, x);
    double least = 1 - dot2(d, x); /* of Phi, theory.md section 3 */
    double slack = SINGULAR * eigen->large / eigen->small;
    if (!(least >= -slack)) {
        return 0;
    }
    impact->reduction.wedged = least <= slack;
    /* Phi where friction can reach, at |x| <= mu */
    double off = most_of(norm2(x) - impact->slip.mu, 0), phi = eigen->small * off * off;
    phi += most_of(least, 0);
    impact->condition =
        (B[0] + B[2] + 1) * (1 + dot2(d, d)) * most_of(phi > slack ? 1 / phi : 1 / eigen->small, 1);
    return 1;
}

/* After impact_begin() returned IMPACT_SINGULAR: make B and d exactly singular, turn the axes if
 * that makes the slip straight, and fill the reduction, stick (if locked) and condition. Returns 0
 * if W is not semidefinite. */
static int semidefinite_reduce(Impact *impact) {
    PlaneEigen eigen = plane_eigen(impact->slip.B);
    if (eigen.small < -SINGULAR * eigen.large) {
        return 0;
    }
    if (eigen.small <= SINGULAR * eigen.large || eigen.small <= LOCKED) {
        return reduce_locked(impact, &eigen);
    }
    return reduce_wedged(impact, &eigen);
}

#endif
