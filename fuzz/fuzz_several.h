/* Shared by the fuzz targets of several compliant contacts: a problem built from the input's bytes.
 */
#ifndef CAROM_FUZZ_SEVERAL_H
#define CAROM_FUZZ_SEVERAL_H

#include "fuzz_numbers.h"

enum { SEVERAL_MOST = 4, SEVERAL_ROWS = 3 * SEVERAL_MOST };

/* W = A^T A and v = u + A^T q, with a row of A for each degree of freedom. */
typedef struct Several {
    const char *target; /* name in messages */
    int count, freedoms;
    double A[SEVERAL_ROWS * SEVERAL_ROWS], u[SEVERAL_ROWS], q[SEVERAL_ROWS];
    double W[SEVERAL_ROWS * SEVERAL_ROWS], v[SEVERAL_ROWS];
    CaromContact contacts[SEVERAL_MOST];
    CaromLaw law;
} Several;

/* 2 to SEVERAL_MOST contacts; W is semidefinite if it has 6 degrees of freedom and more rows, and
 * then v may be one that bodies can have. */
Several several_take(Bytes *bytes, const char *target);

/* W and v from A, u and q. */
void several_complete(Several *input);

/* As CaromProblem, pointing into the input. */
CaromProblem several_problem(const Several *input);

/* Print the input as a scene and abort unless the condition holds. */
void several_require(int condition, const char *what, const Several *input);

#endif
