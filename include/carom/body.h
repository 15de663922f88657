/* Rigid bodies, free or guided: from bodies to contact space (W, v), and back from impulses to
 * bodies. */
#ifndef CAROM_BODY_H
#define CAROM_BODY_H

#include <carom/problem.h>
#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rigid body. Start from carom_body_default() or carom_body_fixed(). */
typedef struct CaromBody {
    double mass;       /* > 0; INFINITY: immovable, its inertia is not used */
    double inertia[9]; /* about the centre of mass, in body axes, by rows; symmetric */
    /* All zero: the body is free. Otherwise it is guided: it slides along this direction (world
     * axes, of any length) and does not turn, as a cue or a piston. Its velocity must be along the
     * guide and its angular velocity 0; its inertia is not used. */
    double guide[3];
    double position[3];         /* of the centre of mass, world axes */
    double orientation[4];      /* unit quaternion (w, x, y, z), body to world axes; within
                                   1e-3 of unit length, normalised by the library */
    double velocity[3];         /* of the centre of mass, world axes */
    double angular_velocity[3]; /* world axes */
} CaromBody;

/* Mass 1, unit inertia, at rest at the origin, axes along the world's. */
CAROM_API CaromBody carom_body_default(void);

/* As carom_body_default(), with infinite mass. */
CAROM_API CaromBody carom_body_fixed(void);

/* Where two of the bodies touch. */
typedef struct CaromSite {
    int first, second; /* indices of the bodies; different */
    double point[3];   /* world axes */
    double normal[3];  /* out of the second body into the first; normalised by the library */
    double tangent[3]; /* direction of t1, made orthogonal to n; all zero: the library's choice */
} CaromSite;

/* The contact frame of a site: rows t1, t2, n (by rows). With no tangent given, t1 is the world
 * axis least aligned with n, made orthogonal to n. CAROM_INVALID_INPUT: the normal is zero or not
 * finite, or the tangent parallel to it; the frame is then NaN. */
CAROM_API CaromStatus carom_site_frame(const CaromSite *site, double frame[9],
                                       const char **message);

/* Fill W (3n x 3n by rows) and v (3n) for n sites among the bodies. Either output may be NULL.
 * CAROM_INVALID_INPUT: a mass not > 0, an inertia not symmetric positive definite, a quaternion
 * whose length is not within 1e-3 of 1, a guided body of infinite mass, or that turns or moves
 * across its guide, an index out of range, a bad site, anything not finite; then the outputs are
 * NaN and *message (if message is not NULL) is a constant string that names the field. */
CAROM_API CaromStatus carom_bodies_contact_space(const CaromBody *bodies, int body_count,
                                                 const CaromSite *sites, int site_count, double *W,
                                                 double *v, const char **message);

/* Apply the contact impulses (3n, in the sites' frames) to the bodies' velocities. Arguments as
 * accepted by carom_bodies_contact_space(). */
CAROM_API void carom_bodies_apply(CaromBody *bodies, const CaromSite *sites, int site_count,
                                  const double *impulse);

/* Kinetic energy of a body; an immovable body counts 0. */
CAROM_API double carom_body_energy(const CaromBody *body);

#ifdef __cplusplus
}
#endif

#endif
