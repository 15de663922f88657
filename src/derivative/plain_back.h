/* Several contacts without friction: the adjoint from the end of the process to its start.
 *
 * With s the time back from the end of a piece, A the links that act by their springs, H those that
 * are held and push, the adjoints a of v and b of N of L = weight.I obey
 *
 *   a' = -k b,  b' = P = W a + weight  on A;    a such that P = 0 on H;    a constant elsewhere
 *
 * and so do N in the place of a, -v in that of b, without weights: the process itself is one more
 * lane of the same linear equations, whose coefficients are constant. Their Taylor series give a
 * and N at Radau's nodes, and these
 *
 *   dL/dW = int (a N^T + N a^T),    dL/dk = -int b v = ([a v] + int a.v')/k.
 *
 * A link that acts alone has a closed form, in the impulse p = int N dt and E = N^2/2k:
 * dL/dE = b k/N is constant, and a falls by p dL/dE. */
#ifndef CAROM_DERIVATIVE_PLAIN_BACK_H
#define CAROM_DERIVATIVE_PLAIN_BACK_H

#include "contact/block.h"
#include "derivative/multiple_adjoint.h"
#include "derivative/plain_tape.h"

typedef struct PlainBack PlainBack;

/* Gradients that can be found at once. */
int crm_plain_lanes(int contact_count);

/* Lay out; block->start NULL: only count. */
PlainBack *crm_plain_back_lay_out(Block *block, int contact_count);

/* int N s dt of a contact, s the direction of its slip: the derivative by mu of its tangential
 * impulse, with a minus. Of the last run; NULL where slip turns too fast. */
const double *crm_plain_slide(const PlainBack *back, int contact);

/* Back through all pieces, with weights and lanes as the adjoint has them. Writes its a, by_k, by_e
 * and by_mu without the weights along the surface, and its message. */
void crm_plain_back_run(PlainBack *back, const PlainTape *tape, Adjoint *adjoint);

#endif
