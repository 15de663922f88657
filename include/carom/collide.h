/* The impact of two bodies in one call. */
#ifndef CAROM_COLLIDE_H
#define CAROM_COLLIDE_H

#include <carom/body.h>
#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two bodies in, two bodies out: the impact of two bodies that touch at a point, with friction and
 * the energetic law. normal points out of *second into *first, as in CaromSite; the contact frame
 * is the library's choice (carom_site_frame() with no tangent), which matters only for what result
 * tells. Gives both bodies their velocities after the impact and returns the status of
 * carom_rigid_solve(), or why the bodies were refused. On failure, CAROM_NOT_APPROACHING included,
 * the bodies are as they were. result may be NULL; else it is filled as by carom_rigid_solve(). */
CAROM_API CaromStatus carom_bodies_collide(CaromBody *first, CaromBody *second,
                                           const double point[3], const double normal[3],
                                           const CaromContact *contact, CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
