/* Eigenvalues and vectors of a small symmetric matrix by Jacobi's rotations. */
#ifndef CAROM_MATH_EIGEN_H
#define CAROM_MATH_EIGEN_H

/* A (n x n by rows, n <= 3; destroyed): eigenvalues in value, orthonormal eigenvectors in the
 * columns of Q (n x n by rows). To rounding relative to the largest eigenvalue. */
void eigen_symmetric(int n, double *A, double *Q, double *value);

#endif
