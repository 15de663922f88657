/* min g.y + y.H y/2 with slack + A y >= 0, slack >= 0: y = 0 is allowed.
 *
 * Constraints may be added after a solution has been found; the next one starts from there. */
#ifndef CAROM_IMPULSE_QUADRATIC_H
#define CAROM_IMPULSE_QUADRATIC_H

/* More unknowns are refused. */
enum { QUADRATIC_MOST = 24 };

/* Arrays of the workspace; constraints are rows of A. */
typedef struct Quadratic {
    int d;           /* unknowns */
    int count, most; /* constraints, and how many there is room for */
    int active[QUADRATIC_MOST], active_count;
    double *H;              /* d x d; its lower triangle becomes the Cholesky factor */
    double *g, *y, *z;      /* d each; z is scratch */
    double *A, *B;          /* most x d each; B = A H^-1 */
    double *slack, *lambda; /* most each; lambda: multipliers, 0 where not active */
} Quadratic;

/* Factor H. 0: a pivot is not above least; H is of no use then. */
int crm_quadratic_factor(Quadratic *quadratic, double least);

/* y without constraints. */
void crm_quadratic_begin(Quadratic *quadratic);

/* Row of A for the next constraint, to be filled. NULL: there is no room. */
double *crm_quadratic_row(Quadratic *quadratic);

/* That row is filled. */
void crm_quadratic_add(Quadratic *quadratic, double slack);

/* The solution with all constraints so far. 0: rounding is in the way; y is shortened to what the
 * constraints allow, and no more may be added. */
int crm_quadratic_solve(Quadratic *quadratic);

#endif
