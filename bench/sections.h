/* The parts of the benchmark. Each prints its table and returns its object, which the caller owns;
 * NULL if it could not be measured, with a line on standard error. */
#ifndef CAROM_BENCH_SECTIONS_H
#define CAROM_BENCH_SECTIONS_H

#include <jansson.h>

#include "support/rigid/reference.h"

/* One rigid contact: exact, the published methods, CVODE. */
json_t *bench_rigid(const ReferenceSet *scenes);

/* The same scenes restricted to a plane; rigid is the result of bench_rigid(). */
json_t *bench_planar(const ReferenceSet *scenes, const json_t *rigid);

/* The batch call on the same scenes. */
json_t *bench_batch(const ReferenceSet *scenes);

/* One compliant contact: exact, the published method, CVODE. path: the scenes. */
json_t *bench_compliant(const char *path);

/* Several contacts: exact, CVODE without friction, Siconos if installed. path: the shots. */
json_t *bench_multiple(const char *path);

/* Derivatives over the plain solve. compliant_path: the scenes of bench_compliant(). */
json_t *bench_derivatives(const ReferenceSet *scenes, const char *compliant_path);

/* Worlds: a break to rest, balls in a box. */
json_t *bench_world(void);

/* Planar and compliant cases of the batch call; a part of the above. */
void bench_batch_kinds(json_t *out);

/* Feet and stacks of compliant contacts with friction; a part of the above. */
void bench_compliant_feet(json_t *out);

/* Two feet of rigid contacts, and Siconos' frictional solver if installed; a part of the above. */
void bench_rigid_feet(json_t *out);

/* ---- shared ---- */

/* The rigid solver (rigid.c). */
void solve_rigid(const Impact *impact, Answer *answer);

/* One contact by a published method, with its default step (rigid.c). */
void solve_published(const Impact *impact, CaromModel model, CaromMethod method, Answer *answer);

/* Friction along a line: the plane of v_t, with a decoupled second tangent (planar.c). */
Impact cut_to_plane(const Impact *impact);

#endif
