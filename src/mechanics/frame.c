/* The frame (t1, t2, n): n is the unit normal, t2 = n x tangent normalised, t1 = t2 x n. */
#include "mechanics/frame.h"

#include <math.h>
#include <string.h>

#include "contact/status_end.h"
#include "math/array.h"
#include "math/vec3.h"

/* Sine of the angle between tangent and normal below which they count as parallel: t1 would lose
 * nine of its sixteen digits. */
#define PARALLEL_SINE 1e-9

/* t1, t2 from the unit vectors n (frame[6..8]) and tangent; false if they are parallel. */
static bool complete_frame(double frame[9], const double tangent[3]) {
    double *t1 = frame, *t2 = frame + 3;
    const double *n = frame + 6;
    vec3_cross(n, tangent, t2);
    if (!(vec3_dot(t2, t2) > PARALLEL_SINE * PARALLEL_SINE)) {
        return false;
    }
    vec3_normalise(t2);
    /* if the tangent is oblique, rounding leaves a component along n in t2 */
    vec3_axpy(-vec3_dot(t2, n), n, t2);
    vec3_normalise(t2);
    vec3_cross(t2, n, t1);
    return true;
}

static const char *try_frame(const CaromSite *site, double frame[9]) {
    double *n = frame + 6;
    memcpy(n, site->normal, 3 * sizeof *n);
    if (!vec3_is_finite(n)) {
        return "sites[].normal is not finite";
    }
    if (!vec3_normalise(n)) {
        return "sites[].normal is zero";
    }
    double tangent[3];
    memcpy(tangent, site->tangent, sizeof tangent);
    if (!vec3_is_finite(tangent)) {
        return "sites[].tangent is not finite";
    }
    if (!vec3_normalise(tangent)) {
        int axis = 0;
        for (int i = 1; i < 3; i++) {
            axis = fabs(n[i]) < fabs(n[axis]) ? i : axis;
        }
        tangent[axis] = 1.0;
    }
    if (!complete_frame(frame, tangent)) {
        return "sites[].tangent is parallel to sites[].normal";
    }
    return NULL;
}

const char *crm_frame_build(const CaromSite *site, double frame[9]) {
    const char *problem = try_frame(site, frame);
    if (problem) {
        array_fill_nan(frame, 9);
    }
    return problem;
}

CaromStatus carom_site_frame(const CaromSite *site, double frame[9], const char **message) {
    if (!site || !frame) {
        array_fill_nan(frame, 9);
        return status_end("site and frame must not be NULL", message);
    }
    return status_end(crm_frame_build(site, frame), message);
}

void crm_frame_rotation(const double quaternion[4], double R[9]) {
    double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    double s = 2.0 / (w * w + x * x + y * y + z * z);
    R[0] = 1.0 - s * (y * y + z * z);
    R[1] = s * (x * y - w * z);
    R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z);
    R[4] = 1.0 - s * (x * x + z * z);
    R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y);
    R[7] = s * (y * z + w * x);
    R[8] = 1.0 - s * (x * x + y * y);
}
