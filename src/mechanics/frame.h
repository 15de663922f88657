/* Axes: the contact frame of a site, and the rotation of a unit quaternion. */
#ifndef CAROM_MECHANICS_FRAME_H
#define CAROM_MECHANICS_FRAME_H

#include <carom/body.h>

/* The contact frame by rows t1, t2, n. Returns NULL, or a constant string that says what is wrong
 * with the site's normal or tangent; the frame is then NaN. */
const char *carom_frame_build(const CaromSite *site, double frame[9]);

/* Rotation matrix (by rows, body to world) of a quaternion (w, x, y, z). Its length drops out, so
 * the matrix is orthogonal to rounding even for a quaternion that is only roughly of unit length.
 */
void carom_frame_rotation(const double quaternion[4], double R[9]);

#endif
