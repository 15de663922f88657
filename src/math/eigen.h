/* Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi rotations. */
#ifndef CAROM_MATH_EIGEN_H
#define CAROM_MATH_EIGEN_H

/* Eigenvalues of A (n x n by rows; overwritten) and, in the columns of Q (n x n by rows),
 * orthonormal eigenvectors. Accurate to rounding relative to the largest eigenvalue. */
void crm_eigen_symmetric(int n, double *A, double *Q, double *value);

#endif
