/* The contact frame of a site, and the rotation matrix of a quaternion. */
#ifndef CAROM_MECHANICS_FRAME_H
#define CAROM_MECHANICS_FRAME_H

#include <carom/body.h>

/* The contact frame by rows t1, t2, n. Returns NULL, or a constant string that names the fault of
 * the site's normal or tangent; the frame is then NaN. */
const char *crm_frame_build(const CaromSite *site, double frame[9]);

/* Rotation matrix (by rows, body to world) of the normalised quaternion (w, x, y, z): orthogonal to
 * rounding whatever the quaternion's length. */
void crm_frame_rotation(const double quaternion[4], double R[9]);

#endif
