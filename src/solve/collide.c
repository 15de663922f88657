/* Two bodies in, two bodies out: all stages for one contact in one call. */
#include <carom/collide.h>
#include <carom/rigid.h>

#include <string.h>

#include "contact/result.h"

CaromStatus carom_bodies_collide(CaromBody *first, CaromBody *second, const double point[3],
                                 const double normal[3], const CaromContact *contact,
                                 CaromResult *result) {
    CaromSite site = {.first = 0, .second = 1};
    CaromResult none = {0};
    double W[9], v[3], impulse[3];
    const char *message;
    result = result ? result : &none;
    if (!first || !second || !point || !normal || !contact) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT,
                               "first, second, point, normal and contact must not be NULL");
    }
    if (first == second) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT,
                               "bodies: first and second are the same body");
    }
    CaromBody bodies[2] = {*first, *second};
    memcpy(site.point, point, sizeof site.point);
    memcpy(site.normal, normal, sizeof site.normal);
    CaromStatus status = carom_bodies_contact_space(bodies, 2, &site, 1, W, v, &message);
    if (status) {
        return crm_result_fail(result, 3, status, message);
    }
    /* the impulse is needed here, whether the caller wants it or not */
    double *wanted = result->impulse;
    result->impulse = impulse;
    status = carom_rigid_solve(W, v, contact, CAROM_LAW_ENERGETIC, result);
    result->impulse = wanted;
    if (wanted) {
        memcpy(wanted, impulse, sizeof impulse);
    }
    if (status >= 0) {
        carom_bodies_apply(bodies, &site, 1, impulse);
        *first = bodies[0];
        *second = bodies[1];
    }
    return status;
}
